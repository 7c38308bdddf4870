import type { Discussion, Note } from '../../../contract/shapes/note.js';
import { counted } from '../../../text/messages.js';
import { readMarker } from '../../../wire/note-text.js';
import type { Key } from '../../app.js';
import { positionOn } from '../position/anchor.js';
import type { ShownLine } from '../views/code.js';
import { threadState } from '../views/note.js';
import {
  type Effect, inputOf, type LineInput, type Mode, reading, type Result, said, type Step, type TextTarget,
  threadAt, type TriageState, typedInto, type Undo, withUnsent, writingKey,
} from './state.js';

/** A message is shown until the next key. */
export const press = (shown: TriageState, key: Key): Step => {
  if (key.name === 'resize') return [shown, null];
  const state = { ...shown, message: null };
  const { mode } = state;
  switch (mode.name) {
    case 'read':
      if (key.name === 'text') return command(state, key.text);
      return [key.name === 'ctrl-d' ? { ...state, mode: { name: 'ended' } } : state, null];
    case 'help': return key.name === 'text' && !['?', 'q'].includes(key.text) ? command(reading(state), key.text)
      : [reading(state), null];
    case 'number': return typed(state, mode, key, (text) => [toNumber(state, text), null]);
    case 'line': return typed(state, mode, key, (text) => [commentOn(state, text), null]);
    case 'write': return write(state, mode, key);
    case 'ended': return [state, null];
  }
};

const command = (state: TriageState, letter: string): Step => {
  const act = Object.hasOwn(actions, letter) ? actions[letter] : undefined;
  const problem = letter.length > 2 ? 'text is typed after r, R, e or c' : `no such key: ${letter}`;
  const next = act?.(state) ?? said(state, `${problem}; ? shows all keys`);
  return 'kind' in next ? [state, next] : [next, null];
};

const actions: Readonly<Record<string, (state: TriageState) => TriageState | Effect>> = {
  r: (state) => writingTo(state, { kind: 'reply', thread: threadAt(state).id, resolves: false }, ''),
  R: (state) => writingTo(state, { kind: 'reply', thread: threadAt(state).id, resolves: true }, ''),
  x: (state) => threadState(threadAt(state)) === 'resolved' ? said(state, 'this thread is already resolved')
    : { kind: 'resolve', thread: threadAt(state).id },
  e: (state) => editOwn(state),
  c: (state) => askLine(state),
  a: () => ({ kind: 'apply' }),
  E: () => ({ kind: 'edit file' }),
  o: () => ({ kind: 'browse' }),
  g: (state) => ({ ...state, mode: { name: 'number', input: inputOf('') } }),
  n: (state) => moved(state, state.at + 1),
  p: (state) => moved(state, state.at - 1),
  u: (state) => undoLast(state),
  '?': (state) => ({ ...state, mode: { name: 'help' } }),
  q: (state) => ({ ...state, mode: { name: 'ended' } }),
};

const moved = (state: TriageState, at: number): TriageState => {
  if (at >= state.threads.length) return said(state, 'this was the last thread; q quits');
  return at < 0 ? said(state, 'this is the first thread') : { ...state, at };
};

/** A text that was left without sending is shown again. */
const writingTo = (state: TriageState, writing: TextTarget, text: string): TriageState => {
  const input = inputOf(state.unsent.get(writingKey(writing))?.text ?? text);
  return { ...state, mode: { name: 'write', writing, input } };
};

const editOwn = (state: TriageState): TriageState => {
  const { id, notes } = threadAt(state);
  const own = notes.findLast((note) => isBy(note, state.user));
  if (!own) return said(state, 'none of these notes is yours', true);
  return writingTo(state, { kind: 'edit', thread: id, note: own.id }, readMarker(own.body).text);
};

export const isBy = ({ system, author }: Note, user: number | null): boolean => !system && author.id === user;

const undoLast = (state: TriageState): TriageState | Effect => {
  const step = state.undo.at(-1);
  return step ? { kind: 'undo', step } : said(state, 'nothing to undo');
};

const toNumber = (state: TriageState, text: string): TriageState => {
  const number = Number(text);
  const count = state.threads.length;
  if (/^\d+$/.test(text.trim()) && number >= 1 && number <= count) return { ...reading(state), at: number - 1 };
  const problem = text.trim() === '' ? 'no number given' : `no thread ${text.trim()}`;
  return said(reading(state), `${problem}; type 1 to ${count}`, true);
};

/** Of the version that the thread is on, because a comment gets the commits of its position. */
const threadLines = (state: TriageState): readonly ShownLine[] => {
  const { former = [], current = [] } = state.shown.get(threadAt(state).id)?.code ?? {};
  return former.length > 0 ? former : current;
};

const askLine = (state: TriageState): TriageState => threadLines(state).length === 0
  ? said(state, 'no lines of the diff are shown here', true)
  : { ...state, mode: { name: 'line', input: inputOf('') } };

/** @param text `12`, `old:12`, or nothing for the commented line */
const commentOn = (state: TriageState, text: string): TriageState => {
  const { id, notes } = threadAt(state);
  const line = lineOf(threadLines(state), text.trim());
  const position = notes[0]?.position;
  if (!line || !position) return said(reading(state), `line ${text.trim()} is not shown here`, true);
  const { base_sha, start_sha, head_sha, old_path, new_path } = position;
  const paths = { old_path: old_path ?? new_path ?? '', new_path: new_path ?? old_path ?? '' };
  const on = positionOn({ shas: { base_sha, start_sha, head_sha }, paths }, line, line);
  return writingTo(reading(state), { kind: 'comment', thread: id, position: on }, '');
};

const lineOf = (lines: readonly ShownLine[], text: string): ShownLine | undefined => {
  if (text === '') return lines.findLast(({ isCommented }) => isCommented);
  const [, side, digits] = /^(old:|new:)?(\d+)$/.exec(text) ?? [];
  const number = Number(digits);
  return lines.find(({ kind, oldLine, newLine }) => side === 'old:'
    ? kind !== 'added' && oldLine === number : kind !== 'removed' && newLine === number);
};

const isLeft = (key: Key, { text }: LineInput): boolean =>
  key.name === 'escape' || (key.name === 'ctrl-d' && text === '');

const typed = (
  state: TriageState, mode: Extract<Mode, { name: 'number' | 'line' }>, key: Key, done: (text: string) => Step,
): Step => {
  if (isLeft(key, mode.input)) return [reading(state), null];
  if (key.name === 'enter') return done(mode.input.text);
  return [{ ...state, mode: { ...mode, input: typedInto(mode.input, key) } }, null];
};

/** Nothing that was typed gets lost: the text stays until it is sent. */
const write = (state: TriageState, mode: Extract<Mode, { name: 'write' }>, key: Key): Step => {
  const { writing, input } = mode;
  if (isLeft(key, input)) {
    const left = withUnsent(reading(state), writing, input.text);
    const isKept = left.unsent.has(writingKey(writing));
    return [isKept ? said(left, 'not sent; the same key shows the text again') : left, null];
  }
  if (key.name === 'ctrl-e') return [state, { kind: 'compose', writing, text: input.text }];
  if (key.name !== 'enter') return [{ ...state, mode: { ...mode, input: typedInto(input, key) } }, null];
  if (input.text.trim() === '') return [said(state, 'the text is empty; Esc goes back', true), null];
  return [state, { kind: 'send', writing, text: input.text }];
};

/** A failure changes nothing but the message. */
export const afterResult = (state: TriageState, effect: Effect, result: Result): Step => {
  switch (result.kind) {
    case 'failed': return [said(state, result.message, true), null];
    case 'arrived': return [arrived(state, result.thread), null];
    case 'changed': return [said(withThread(state, result.thread),
      'the note was changed, see above; Enter sends yours anyway', true), null];
    case 'composed': return [composed(state, result.text), null];
    case 'done': return [said(state, result.message), null];
    case 'sent': return effect.kind !== 'send' ? [state, null]
      : afterSending(state, effect.writing, result.note, result.undo);
    case 'resolved': return [afterResolving(state, result.thread), null];
    case 'undone': case 'kept': {
      const step = effect.kind === 'undo' ? effect.step : null;
      const next = { ...state, undo: state.undo.slice(0, -1) };
      const thread = result.kind === 'undone' ? result.thread : null;
      return [said(shownThread(thread ? withThread(next, thread) : next, step?.thread), result.message,
        result.kind === 'kept'), null];
    }
  }
};

/** To undo a reply that kept its thread resolved does not reopen it. */
const afterResolving = (state: TriageState, thread: Discussion): TriageState => {
  const at = state.threads.findIndex(({ id }) => id === thread.id);
  const wasOpen = threadState(state.threads[at]!) !== 'resolved';
  const shown = withThread(state, thread);
  const next = wasOpen ? withUndo(shown, { kind: 'resolve', thread: thread.id }) : shown;
  const message = at + 1 >= state.threads.length ? 'resolved; this was the last thread, q quits'
    : wasOpen ? 'resolved the thread before; u reopens it' : 'sent; the thread before was resolved already';
  return said(moved(next, at + 1), message);
};

const withThread = (state: TriageState, thread: Discussion): TriageState =>
  ({ ...state, threads: state.threads.map((one) => one.id === thread.id ? thread : one) });

const withUndo = (state: TriageState, step: Undo): TriageState => ({ ...state, undo: [...state.undo, step] });

/** A comment is on a thread of its own, which is not in the list. */
const shownThread = (state: TriageState, id: string | undefined): TriageState => {
  const at = state.threads.findIndex((thread) => thread.id === id);
  return at < 0 ? state : { ...state, at };
};

const arrived = (state: TriageState, thread: Discussion): TriageState => {
  const known = state.threads.find(({ id }) => id === thread.id)?.notes.length ?? 0;
  const count = counted(Math.max(1, thread.notes.length - known), 'new note');
  const next = state.mode.name === 'write' ? 'Enter sends yours anyway' : 'x resolves the thread anyway';
  return said(withThread(state, thread), `${count} above; ${next}`, true);
};

const composed = (state: TriageState, text: string): TriageState => {
  const { mode } = state;
  if (mode.name !== 'write') return state;
  return said({ ...state, mode: { ...mode, input: inputOf(text) } }, 'Enter sends the text');
};

const afterSending = (state: TriageState, writing: TextTarget, note: Note | null, undo: Undo | null): Step => {
  const cleared = withUnsent(reading(state), writing, '');
  const before = undo ? withUndo(cleared, undo) : cleared;
  const next = note && writing.kind !== 'comment' ? withNote(before, writing.thread, note) : before;
  if (writing.kind === 'reply' && writing.resolves) return [next, { kind: 'resolve', thread: writing.thread }];
  return [said(next, note ? sentTexts[writing.kind] : 'sent; the service stored no note of it'), null];
};

const sentTexts: Readonly<Record<TextTarget['kind'], string>> = {
  reply: 'reply sent; u deletes it', edit: 'note changed; u restores the text', comment: 'comment sent; u deletes it',
};

const withNote = (state: TriageState, id: string, note: Note): TriageState => {
  const thread = state.threads.find((one) => one.id === id)!;
  const at = thread.notes.findIndex((one) => one.id === note.id);
  const notes = at < 0 ? [...thread.notes, note] : thread.notes.with(at, note);
  return withThread(state, { ...thread, notes });
};
