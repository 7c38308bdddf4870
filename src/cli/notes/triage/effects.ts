import { join } from 'node:path';
import { NoResultError } from '../../../client/errors.js';
import { contract } from '../../../contract/contract.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { PositionInput } from '../../../contract/shapes/position.js';
import { readMarker } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import type { Target } from '../../service/targets/target.js';
import { nullIfMissing } from '../../service/connection/unsupported.js';
import { setResolved, unseenNotes } from '../../service/targets/threads.js';
import { openPage } from '../../service/targets/web-page.js';
import { readProblem } from '../../terminal/io/streams.js';
import { applySuggestions, headFiles } from '../suggestions/apply.js';
import { type Suggested, suggestionsIn } from '../suggestions/suggested.js';
import { notePage } from '../views/note.js';
import { changeText } from '../write/own-notes.js';
import { byText, createReply, createThread } from '../write/new-notes.js';
import {
  type Effect, type Result, storedText, textKey, type TextTarget, threadAt, type TriageState, type Undo,
} from './state.js';
import type { TriageTexts } from './texts.js';
import { isBy } from './transitions.js';

export interface TriageContext {
  readonly app: App;
  readonly target: Target;
  /** With its title. */
  readonly name: string;
  readonly texts: TriageTexts;
  readonly tried: Tried;
  readonly lend: <T>(work: () => Promise<T>) => Promise<T>;
}

/** A text is saved before it is sent, and after a failure it is looked for before it is sent again. */
export const carryOut = async (context: TriageContext, state: TriageState, effect: Effect): Promise<Result> => {
  switch (effect.kind) {
    case 'send': return send(context, state, effect.writing, effect.text);
    case 'compose': {
      const text = await context.lend(() => context.texts.compose(effect.writing, effect.text));
      return { kind: 'composed', text };
    }
    case 'resolve': return resolveSeen(context, state, effect.thread);
    case 'undo': return undoStep(context, state, effect.step);
    case 'apply': return applyNewest(context, threadAt(state));
    case 'browse': return browseThread(context, state);
    case 'edit file': return openLine(context, threadAt(state));
  }
};

/** What was changed, or sent and may be stored although it failed. */
interface Tried {
  /** By `textKey`, when a text was sent first, in milliseconds since 1970. */
  readonly texts: Map<string, number>;
  /** By note, its text on the service before the first try, and all that were sent since. */
  readonly edits: Map<number, { readonly before: string; readonly texts: readonly string[] }>;
  readonly applied: Suggested[];
}

export const noneTried = (): Tried => ({ texts: new Map(), edits: new Map(), applied: [] });

const readThread = ({ target: { client, kind, path } }: TriageContext, discussion_id: string): Promise<Discussion> =>
  client.discussions[kind].get({ ...path, discussion_id });

const send = async (
  context: TriageContext, state: TriageState, writing: TextTarget, text: string,
): Promise<Result> => {
  const { app, texts, tried } = context;
  await texts.save(writing, text);
  const key = textKey(writing, text);
  const since = tried.texts.get(key) ?? null;
  const begins = () => { tried.texts.set(key, since ?? app.now().getTime()); };
  const sending: Sending = { writing, text, since, begins };
  const result = await (writing.kind === 'comment' ? sendComment(context, writing.position, sending)
    : sendToThread(context, state, sending)).catch(sentWithoutNote);
  if (result.kind !== 'sent') return result;
  tried.texts.delete(key);
  if (writing.kind === 'edit') tried.edits.delete(writing.note);
  await texts.remove(writing);
  return result;
};

const resolveSeen = async (context: TriageContext, state: TriageState, id: string): Promise<Result> => {
  const thread = await readThread(context, id);
  if (unseenIn(state, thread).length > 0) return { kind: 'arrived', thread };
  return { kind: 'resolved', thread: await setResolved(context.target, id, true) };
};

const unseenIn = ({ threads }: TriageState, thread: Discussion): readonly Note[] =>
  unseenNotes(threads.find(({ id }) => id === thread.id), thread);

interface Sending {
  readonly writing: TextTarget;
  readonly text: string;
  /** In milliseconds; null if the text was never sent. */
  readonly since: number | null;
  /** Must be called right before the text is sent. */
  readonly begins: () => void;
}

/** The service carries out a text of quick actions, and stores no note. */
const sentWithoutNote = (error: unknown): Result => {
  if (error instanceof NoResultError) return { kind: 'sent', note: null, undo: null };
  throw error;
};

const sendComment = async (
  { target }: TriageContext, position: PositionInput, { text, since, begins }: Sending,
): Promise<Result> => {
  const { create } = contract.discussions[target.kind];
  const params = { ...target.path, body: text, position };
  const [found] = since === null ? [] : await target.client.findCreated(create, params, since);
  begins();
  const { note, thread } = found?.discussion ? { note: found.note, thread: found.discussion }
    : await createThread(target, { body: text, position }, byText);
  return { kind: 'sent', note, undo: { kind: 'note', thread: thread.id, note: note.id, after: note.body } };
};

const sendToThread = async (context: TriageContext, state: TriageState, sending: Sending): Promise<Result> => {
  const { writing, text, begins } = sending;
  const thread = await readThread(context, writing.thread);
  if (writing.kind === 'edit') return changeNote(context, state, thread, writing, text);
  const unseen = unseenIn(state, thread);
  const stored = unseen.find((note) => sending.since !== null && isBy(note, state.user) && note.body === text);
  if (unseen.some((note) => note !== stored)) return { kind: 'arrived', thread };
  begins();
  const note = stored ?? (await createReply(context.target, thread.id, { body: text }, byText)).note;
  return { kind: 'sent', note, undo: { kind: 'note', thread: thread.id, note: note.id, after: note.body } };
};

type Edit = Extract<TextTarget, { kind: 'edit' }>;

const changeNote = async (
  { target, tried }: TriageContext, state: TriageState, thread: Discussion, writing: Edit, text: string,
): Promise<Result> => {
  const note_id = writing.note;
  const note = noteIn(thread, note_id);
  if (!note) throw new Problem('not_found', `note ${note_id} was deleted`);
  const first = tried.edits.get(note_id);
  const now = readMarker(note.body).text;
  const isOwn = first?.texts.includes(now) ?? false;
  if (!isOwn && now !== storedText(state, writing)) return { kind: 'changed', thread };
  const before = first && isOwn ? first.before : note.body;
  tried.edits.set(note_id, { before, texts: [...first?.texts ?? [], text] });
  const path = { ...target.path, discussion_id: thread.id, note_id };
  const stored = await changeText({ target, path, name: `note ${note_id}`, note }, text);
  const undo: Undo = { kind: 'edit', thread: thread.id, note: note_id, before, after: stored.body };
  return { kind: 'sent', note: stored, undo };
};

const noteIn = ({ notes }: Discussion, id: number): Note | undefined => notes.find((note) => note.id === id);

const undoStep = async (context: TriageContext, state: TriageState, step: Undo): Promise<Result> => {
  if (step.kind === 'resolve') {
    const opened = await setResolved(context.target, step.thread, false);
    return { kind: 'undone', thread: opened, message: 'reopened the thread' };
  }
  const thread = await nullIfMissing(readThread(context, step.thread));
  const note = thread ? noteIn(thread, step.note) : undefined;
  if (!thread || !note) return { kind: 'undone', thread, message: 'the note is deleted already' };
  return step.kind === 'edit' ? restoreText(context, thread, note, step)
    : removeNote(context, state, thread, note, step);
};

const keptChanged: Result = { kind: 'kept', message: 'the note was changed since; it stays' };

const restoreText = async (
  { target }: TriageContext, thread: Discussion, note: Note, { before, after }: Extract<Undo, { kind: 'edit' }>,
): Promise<Result> => {
  if (note.body !== after && note.body !== before) return keptChanged;
  const path = { ...target.path, discussion_id: thread.id, note_id: note.id };
  const { modifyNote } = target.client.discussions[target.kind];
  const old = note.body === before ? note : await modifyNote({ ...path, body: before });
  const notes = thread.notes.map((one) => one.id === old.id ? old : one);
  return { kind: 'undone', thread: { ...thread, notes }, message: 'restored the text' };
};

const removeNote = async (
  { target }: TriageContext, state: TriageState, thread: Discussion, note: Note,
  { after }: Extract<Undo, { kind: 'note' }>,
): Promise<Result> => {
  if (note.body !== after) return keptChanged;
  const later = thread.notes.slice(thread.notes.indexOf(note) + 1);
  if (later.some((one) => !one.system && !isBy(one, state.user))) {
    return { kind: 'kept', message: 'your note was answered since; it stays' };
  }
  const path = { ...target.path, discussion_id: thread.id, note_id: note.id };
  await nullIfMissing(target.client.discussions[target.kind].deleteNote(path));
  const notes = thread.notes.filter((one) => one !== note);
  return { kind: 'undone', thread: notes.length === 0 ? null : { ...thread, notes }, message: 'deleted your note' };
};

const applyNewest = async ({ app, target, tried }: TriageContext, thread: Discussion): Promise<Result> => {
  const all = suggestionsIn(thread).filter((one) => !one.is_applied);
  const newest = all.filter(({ note, is_incomplete }) => note === all.at(-1)?.note && !is_incomplete);
  const isDone = ({ note }: Suggested) => tried.applied.some((one) => one.note === note);
  if (newest.length === 0) throw new Problem('failure', 'this thread has no suggestion to apply');
  if (newest.some(isDone)) throw new Problem('failure', 'the suggestion is already applied');
  const { paths } = await applySuggestions(app, await headFiles(app, target), newest, { earlier: tried.applied });
  tried.applied.push(...newest);
  return { kind: 'done', message: `applied the suggestion to ${paths.join(', ')}` };
};

const browseThread = async ({ app, target }: TriageContext, state: TriageState): Promise<Result> => {
  const page = notePage(threadAt(state).notes[0]?.id, target);
  return { kind: 'done', message: `opened ${await openPage(app, { base: target.base, name: 'this thread' }, page)}` };
};

const largestText = 67_108_864;

const openLine = async ({ app, lend }: TriageContext, { notes: [first] }: Discussion): Promise<Result> => {
  const position = first?.position;
  const path = position?.new_path;
  const top = await app.git.top();
  if (typeof path !== 'string') throw new Problem('failure', 'this thread is not on a file');
  if (top === null) throw new Problem('failure', 'the current folder is not in a git work tree');
  const file = join(top, path);
  try {
    await app.files.readLimited(file, largestText, top);
  } catch (error) {
    throw new Problem('failure', `cannot read ${path}: ${readProblem(error, largestText)}`);
  }
  const line = position?.position_type === 'text' ? position.new_line ?? undefined : undefined;
  await lend(() => app.ask.edit(file, line));
  return { kind: 'done', message: `closed ${path}` };
};
