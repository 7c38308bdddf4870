import { type Command, Option } from 'commander';
import { ApiError } from '../../../client/errors.js';
import type { CreatedNote } from '../../../client/exactly-once/writer.js';
import type { CreateOptions } from '../../../client/exactly-once/requests.js';
import type { Routes } from '../../../client/options.js';
import { contract } from '../../../contract/contract.js';
import { noteables } from '../../../contract/conventions.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { PositionInput } from '../../../contract/shapes/position.js';
import { plainLine } from '../../../text/plain.js';
import { isServiceError, isUnknownRoute } from '../../../wire/error-response.js';
import { readInstant } from '../../../wire/time-text.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { checkedBy, type GlobalFlags } from '../../command-line/flags.js';
import { printRef } from '../../command-line/ref.js';
import { shaOf, type Target } from '../../service/targets/target.js';
import { say } from '../../terminal/io/messages.js';
import { hasPosition, type PositionFlags, positionText } from '../position/position.js';
import { checkAnchored, sendOrFallback } from '../position/unanchored.js';
import { threadName } from '../thread-id.js';
import { isPlainComment } from '../views/note.js';
import type { EditorContext } from './edit-text.js';
import { finishText, keepUntilSent, type GivenText, type NoteText } from './note-text.js';

/** For an invalid time, the service takes the present one (behavior: notes.created-at-invalid). */
export const withCreatedAt = (command: Command): Command => command.addOption(
  new Option('--created-at <time>', contract.discussions.issue.create.params.created_at.text).argParser(time)
    .helpGroup('Text:'));

const time = checkedBy((text) => readInstant(text) !== undefined,
  'use one of these forms: 2024-05-01, 2024-05-01T12:00:00Z, 2024-05-01T14:00+02:00');

export const withKey = (command: Command): Command => command.addOption(
  new Option('--key <key>', 'key, with which the note is posted only once')
    .helpGroup('Text:'));

/** After a failure of what is posted with a key. */
export const recoveryByKey = 'run it again; nothing is posted twice';

export interface NoteOptions extends Pick<CreateOptions, 'key' | 'marker' | 'visibleMarker' | 'isShared'> {
  readonly createdAt?: string;
}

const noteParams = ({ createdAt }: NoteOptions, { body }: Text): NoteParams => ({ body, created_at: createdAt });

const callOptions = ({ key, marker, visibleMarker, isShared }: NoteOptions, { lookBack }: Text): CreateOptions =>
  ({ key, marker, visibleMarker, lookBack, ...isShared && { isShared } });

export const sayIfPlain = async (
  app: App, flags: GlobalFlags, { kind, name }: Target, note: Note | null, isShared = false,
): Promise<void> => {
  if (note === null || !noteables[kind].resolvable || !isPlainComment(note)) return;
  await say(app, flags, `note ${note.id} of ${name} is a plain comment, which cannot be resolved: `
    + `delete it${isShared ? ', and the texts of other runs in it,' : ''} with `
    + `\`colloquy notes delete ${name} ${note.id}\`, then run again to start a thread`);
};

type Input = GlobalFlags & PositionFlags & NoteOptions;

interface ThreadPlan {
  readonly to: 'new thread';
  readonly target: Target;
  readonly position?: PositionInput | undefined;
  readonly suggestion?: string | undefined;
  readonly commit_id?: string | undefined;
}

export type NotePlan = ThreadPlan
  | { readonly to: 'comments'; readonly target: Target }
  | { readonly to: 'thread'; readonly target: Target; readonly thread: string };

/** Warns about a commit that the service ignores (behavior: positions.commit-id-alone). */
export const planThread = async (
  app: App, flags: Input, target: Target, { suggestion }: NoteText,
): Promise<ThreadPlan> => {
  const input = suggestion === undefined ? flags : { ...flags, suggest: suggestion };
  if (input.commitId !== undefined && target.kind !== 'merge_request') {
    throw usage('--commit-id requires a merge request');
  }
  const commit_id = input.commitId === undefined ? undefined : await shaOf(app, input.commitId);
  const isPlaced = hasPosition(input);
  if (commit_id !== undefined && !isPlaced) {
    await say(app, flags, 'warning: the service ignores --commit-id without a position; add --file and --line');
  }
  const place = isPlaced
    ? await (await import('../position/from-flags.js')).placeFrom(app, input, onCommit(target, commit_id)) : {};
  return { to: 'new thread', target, ...place, commit_id };
};

/** A position is in the diff of the commit that the thread starts on. */
const onCommit = (target: Target, id: string | undefined): Target => {
  if (id === undefined) return target;
  const ref = { kind: 'commit', id } as const;
  return { ...target, ref, name: printRef(ref) };
};

const contextFor = async (app: App, plan: NotePlan): Promise<EditorContext> => {
  const { newCommentContext, newThreadContext, replyContext } = await import('./edit-text.js');
  switch (plan.to) {
    case 'comments': return newCommentContext(plan.target);
    case 'thread': return replyContext(app, plan.target, plan.thread);
    case 'new thread': return newThreadContext(app, plan.target, plan.position);
  }
};

export interface SentNote extends CreatedNote {
  readonly unsent: string | null;
}

/** Opens the editor if the text is not given. @throws LostPosition if the service stores the note elsewhere */
export const sendNote = async (app: App, input: Input, plan: NotePlan, given: NoteText): Promise<SentNote> => {
  const text = await finishText(app, input, given, () => contextFor(app, plan));
  if (input.key !== undefined) app.activity.recovery = recoveryByKey;
  const created = await keepUntilSent(app, input, text, () => postNote(app, input, plan, text));
  if (plan.to === 'new thread') await sayIfPlain(app, input, plan.target, created.note);
  return { ...created, unsent: whyUnsent(app, plan, created) };
};

const whyUnsent = (app: App, plan: NotePlan, { note, existing }: CreatedNote): string | null => {
  if (existing?.by !== 'key') return null;
  const place = otherPlace(app, plan, note, existing.thread);
  const text = existing.same ? '' : '; its text is different and was not changed';
  const message = `note ${note.id} of ${plan.target.name} already has this key${place}${text}`;
  if (place !== '' || !existing.same) app.activity.omitted = { reason: message, isPosted: false };
  return message;
};

const otherPlace = (app: App, plan: NotePlan, { id, position }: Note, thread: Discussion | null): string => {
  const wanted = positionText('position' in plan ? plan.position : null);
  const isHere = plan.to === 'thread' ? thread === null || thread.id === plan.thread
    : (thread === null || thread.notes[0]?.id === id) && positionText(position) === wanted;
  if (isHere) return '';
  const on = position ? `, on ${positionText(position)}` : '';
  return `${thread === null ? '' : `, in ${threadName(app, thread.id)}`}${on}`;
};

type Text = Pick<GivenText, 'body' | 'lookBack'>;

/** Services differ in how many digits of seconds they store. */
export const instant = (time: string): string | undefined => readInstant(time)?.iso.slice(0, 19);

export const postNote = async (app: App, input: Input, plan: NotePlan, text: Text): Promise<CreatedNote> => {
  const created = await createNote(app, input, plan, text);
  const { createdAt } = input;
  const { note, existing } = created;
  // The service ignores it without an error (behavior: notes.created-at-ignored).
  if (createdAt !== undefined && existing?.by !== 'key' && instant(note.created_at) !== instant(createdAt)) {
    await say(app, input, 'the service ignores creation times, except from owners and administrators: '
      + `the note has ${plainLine(note.created_at)}`);
  }
  return created;
};

const createNote = (app: App, input: Input, plan: NotePlan, text: Text): Promise<CreatedNote> => {
  switch (plan.to) {
    case 'comments': return postComment(app, input, plan.target, text);
    case 'thread': return createReply(plan.target, plan.thread, noteParams(input, text), callOptions(input, text));
    case 'new thread': return postThread(app, input, plan, text);
  }
};

const postThread = async (
  app: App, input: Input, { target, position, suggestion, commit_id }: ThreadPlan, text: Text,
): Promise<CreatedThread> => {
  const body = [text.body, suggestion ?? ''].filter((part) => part !== '').join('\n\n');
  const send = (at: typeof position) =>
    createThread(target, { ...noteParams(input, { body }), position: at, commit_id }, callOptions(input, text));
  const [created, stored] = await sendOrFallback(app, input, position, send);
  // A thread that already has the key may be on another line.
  if (created.existing?.by !== 'key') await checkAnchored(app, input, target, created.thread, stored);
  return created;
};

const postComment = async (app: App, input: Input, target: Target, text: Text): Promise<CreatedNote> => {
  const { reason, ...created } = await createComment(target, noteParams(input, text), callOptions(input, text));
  if (reason === null) return created;
  const effect = created.note.resolvable === true ? 'started a thread, which can be resolved' : 'started a thread';
  await say(app, input, `${reason}: ${effect}`);
  return created;
};

/** What people write gets no marker. */
export const byText = { once: 'text' } as const;

interface NoteParams {
  readonly body: string;
  readonly created_at?: string | undefined;
}

interface CreatedThread extends CreatedNote { readonly thread: Discussion }

export const createThread = async (
  { client, kind, path }: Target, params: NoteParams & Pick<ThreadPlan, 'position' | 'commit_id'>,
  options: CreateOptions,
): Promise<CreatedThread> => {
  const { thread, ...created } = await client.createNote(
    contract.discussions[kind].create, { ...path, ...params }, options);
  if (thread === null) throw new Error(`the service returned note ${created.note.id} without a thread`);
  return { ...created, thread };
};

/**
 * Starts a thread on commits and on services without comments.
 * @param routes remembers such services in a run @returns also the reason for a thread; null for a comment
 */
export const createComment = async (
  target: Target, params: NoteParams, options: CreateOptions, routes: Routes = new Map(),
): Promise<CreatedNote & { readonly reason: string | null }> => {
  const { client, kind, path, base } = target;
  const asThread = async (reason: string) => ({ ...await createThread(target, params, options), reason });
  if (kind === 'commit') return asThread('commits have no plain comments');
  const [key, reason] = [`${base} comments`, 'the service does not support plain comments'];
  if (routes.get(key) === inThreads) return asThread(reason);
  try {
    const comment = await client.createNote(contract.notes[kind].create, { ...path, ...params }, options);
    return { ...comment, reason: null };
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    const thread = await asThread(reason);
    routes.set(key, inThreads);
    return thread;
  }
};

const inThreads = 'discussions';

const isUnsupported = (error: unknown): boolean =>
  error instanceof ApiError && isUnknownRoute(error.status, error.body) && isServiceError(error);

/** The only way to an internal thread, because its replies are internal too (behavior: notes.internal-create). */
export const createInternalComment = (
  { client, kind, path }: Target, params: NoteParams, options: CreateOptions,
): Promise<CreatedNote> => {
  if (kind === 'commit' || kind === 'snippet') throw new Error(`a ${kind} has no internal notes`);
  return client.createNote(contract.notes[kind].create, { ...path, ...params, internal: true }, options);
};

/**
 * The documentation requires `note_id`, the id of a note of the thread, but the service ignores it (behavior:
 * replies.note-id-ignored): it is looked up and sent only where a service asks for it.
 */
export const createReply = async (
  { client, kind, path }: Target, discussion_id: string, params: NoteParams, options: CreateOptions,
): Promise<CreatedNote> => {
  const { addNote } = contract.discussions[kind];
  const given = { ...path, discussion_id, ...params };
  try {
    return await client.createNote(addNote, given, options);
  } catch (error) {
    if (!wantsNoteId(error)) throw error;
    const { notes: [first] } = await client.discussions[kind].get({ ...path, discussion_id });
    if (!first) throw error;
    return client.createNote(addNote, { ...given, note_id: first.id }, options);
  }
};

const wantsNoteId = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && /\bnote_id is missing\b/.test(error.serverMessage);
