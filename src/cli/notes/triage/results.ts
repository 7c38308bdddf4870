import type { Discussion, Note } from '../../../contract/shapes/note.js';
import { counted } from '../../../text/messages.js';
import { inputOf } from './line-input.js';
import { moved } from './press.js';
import {
  reading, said, withUnsent, type Effect, type Result, type Step, type TriageState, type Undo, type TextTarget,
} from './state.js';

/** The state after an effect. A failure changes nothing but the message. */
export const afterResult = (state: TriageState, effect: Effect, result: Result): Step => {
  switch (result.kind) {
    case 'failed': return [said(state, result.message, true), null];
    case 'arrived': return [arrived(state, result.thread), null];
    case 'composed': return [composed(state, result.text), null];
    case 'done': return [said(state, result.message), null];
    case 'sent': return effect.kind === 'send' ? sent(state, effect.writing, result.note, result.undo) : [state, null];
    case 'resolved': {
      const undo: Undo = { kind: 'resolve', thread: result.thread.id };
      const next = withUndo(withThread(state, result.thread), undo);
      return [said(moved(next, indexOf(next, result.thread.id) + 1), lastMessage(next, result.thread.id)), null];
    }
    case 'undone': case 'kept': {
      const step = effect.kind === 'undo' ? effect.step : null;
      const next = { ...state, undo: state.undo.slice(0, -1) };
      const thread = result.kind === 'undone' ? result.thread : null;
      return [said(shownThread(thread ? withThread(next, thread) : next, step?.thread), result.message,
        result.kind === 'kept'), null];
    }
  }
};

const indexOf = ({ threads }: TriageState, id: string): number => threads.findIndex((thread) => thread.id === id);

const lastMessage = (state: TriageState, id: string): string => indexOf(state, id) + 1 < state.threads.length
  ? 'resolved the thread before; u reopens it' : 'resolved; this was the last thread, q quits';

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
  return said(withThread(state, thread), `${count} above; Enter sends yours anyway`, true);
};

const composed = (state: TriageState, text: string): TriageState => {
  const { mode } = state;
  if (mode.name !== 'write') return state;
  return said({ ...state, mode: { ...mode, input: inputOf(text) } }, 'Enter sends the text');
};

const sent = (state: TriageState, writing: TextTarget, note: Note | null, undo: Undo | null): Step => {
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
  const thread = state.threads.find((one) => one.id === id);
  if (!thread) return state;
  const isKnown = thread.notes.some((one) => one.id === note.id);
  const notes = isKnown ? thread.notes.map((one) => one.id === note.id ? note : one) : [...thread.notes, note];
  return withThread(state, { ...thread, notes });
};
