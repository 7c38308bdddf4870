import { type Command, InvalidArgumentError, Option } from 'commander';
import { ApiError } from '../../../client/errors.js';
import type { CreatedNote } from '../../../client/exactly-once/create.js';
import type { CreateOptions } from '../../../client/exactly-once/note-request.js';
import type { Routes } from '../../../client/options.js';
import { contract } from '../../../contract/contract.js';
import type { Discussion } from '../../../contract/shapes/note.js';
import type { PositionInput } from '../../../contract/shapes/position.js';
import type { Marker } from '../../../wire/marker.js';
import { readInstant } from '../../../wire/time-text.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { knownPaths } from '../../service/connection/client.js';
import { nullIfUnsupported } from '../../service/connection/unsupported.js';
import { shaOf, type Target } from '../../service/targets/target.js';
import { say } from '../../terminal/io/messages.js';
import { hasPosition, type PositionFlags } from '../position/flags.js';
import { checkSuggestion, suggestionFrom, withSuggestion } from '../position/from-flags.js';
import { checkAnchored } from '../position/unanchored.js';
import { newCommentContext, newThreadContext, replyContext } from './edit-text.js';
import type { GivenText, NoteDraft } from './note-draft.js';

interface CreatedAtFlag { readonly createdAt?: string }

/** For an invalid time, the service takes the present one (behavior: notes.created-at-invalid). */
export const withCreatedAt = (command: Command): Command => command.addOption(
  new Option('--created-at <time>', contract.discussions.issue.create.params.created_at.text).argParser(time)
    .helpGroup('Text:'));

/** The text itself is sent: the service reads the same forms. */
const time = (text: string): string => {
  if (readInstant(text)) return text;
  throw new InvalidArgumentError('use one of these forms: 2024-05-01, 2024-05-01T12:00:00Z, 2024-05-01T14:00+02:00');
};

interface KeyFlag { readonly key?: string }

export const withKey = (command: Command): Command => command.addOption(
  new Option('--key <key>', 'post only one note with this key, however often the command runs').argParser(keyFrom)
    .helpGroup('Text:'));

export const keyFrom = (text: string): string => {
  if (text !== '') return text;
  throw new InvalidArgumentError('give a key that is not empty');
};

/** What decides about a note besides its text. */
export interface NoteOptions extends CreatedAtFlag, KeyFlag {
  readonly marker?: Marker;
  readonly isMarkerVisible?: boolean;
  readonly isShared?: boolean;
}

const paramsOf = ({ createdAt }: NoteOptions, { body }: GivenText): NoteParams => ({ body, created_at: createdAt });

const callOptions = (
  { key, marker, isMarkerVisible: visibleMarker, isShared }: NoteOptions, { lookBack }: GivenText,
): CreateOptions => ({ key, marker, visibleMarker, lookBack, ...(isShared && { isShared }) });

/** For a note that was created, or that already has its key. @param added `added note 5 to mr/1` @param place `mr/1` */
export const outcomeMessage = ({ note, existing }: CreatedNote, added: string, place: string): string => {
  if (existing?.by !== 'key') return added;
  const text = existing.same ? '' : '; its text is different and was not changed';
  return `note ${note.id} of ${place} already has this key${text}`;
};

type Input = GlobalFlags & PositionFlags & NoteOptions;
type Text = Pick<NoteDraft, 'text'>;

/** Asks for the text when it is known where it goes. @throws LostPosition if the service stored the thread elsewhere */
export const startThread = async (
  app: App, input: Input, target: Target, draft: Text,
): Promise<CreatedThread> => {
  if (input.commitId !== undefined && target.kind !== 'merge_request') {
    throw usage('--commit-id requires a merge request');
  }
  checkSuggestion(input);
  const suggestion = await suggestionFrom(app, input);
  const position = hasPosition(input)
    ? await (await import('../position/from-flags.js')).positionFrom(app, input, target) : undefined;
  const given = await draft.text(() => newThreadContext(app, target, position));
  const body = withSuggestion(given.body, suggestion, position);
  const commit_id = input.commitId === undefined ? undefined : await shaOf(app, input.commitId);
  const send = (at: typeof position) =>
    createThread(target, { ...paramsOf(input, { body }), position: at, commit_id }, callOptions(input, given));
  const [created, stored] = position === undefined ? [await send(position), position]
    : await (await import('../position/unanchored.js')).sendOrFallback(app, input, position, send);
  // A thread that already has the key may be on another line.
  if (created.existing?.by !== 'key') await checkAnchored(app, input, target, created.thread, stored);
  return created;
};

/** Starts a thread instead where there are no plain comments, and prints why; the cache remembers such services. */
export const addComment = async (
  app: App, input: GlobalFlags & NoteOptions, target: Target, draft: Text,
): Promise<CreatedNote> => {
  const given = await draft.text(async () => newCommentContext(target));
  const routes = target.base === '' ? new Map<string, string>() : knownPaths(app.cache);
  const { reason, ...created } = await createComment(
    target, paramsOf(input, given), callOptions(input, given), routes);
  if (reason === null) return created;
  const effect = created.note.resolvable === true ? 'started a thread, which can be resolved' : 'started a thread';
  await say(app, input, `${reason}: ${effect}`);
  return created;
};

export const reply = async (
  app: App, input: NoteOptions, target: Target, discussion_id: string, draft: Text,
): Promise<CreatedNote> => {
  const given = await draft.text(() => replyContext(app, target, discussion_id));
  return createReply(target, discussion_id, paramsOf(input, given), callOptions(input, given));
};

interface NoteParams {
  readonly body: string;
  readonly created_at?: string | undefined;
}

interface ThreadParams extends NoteParams {
  readonly position?: PositionInput | undefined;
  readonly commit_id?: string | undefined;
}

/** The thread may have existed already. */
interface CreatedThread extends CreatedNote { readonly thread: Discussion }

export const createThread = async (
  { client, kind, path }: Target, params: ThreadParams, options: CreateOptions,
): Promise<CreatedThread> => {
  const { thread, ...created } = await client.createNote(
    contract.discussions[kind].create, { ...path, ...params }, options);
  if (thread === null) throw new Error(`the service returned note ${created.note.id} without a thread`);
  return { ...created, thread };
};

/** A comment, or the thread that was started in its place. */
interface CreatedComment extends CreatedNote {
  /** Null for a comment. */
  readonly reason: string | null;
}

/** Cannot be resolved. Starts a thread on commits and on services without comments. @param routes remembers these */
export const createComment = async (
  target: Target, params: NoteParams, options: CreateOptions, routes: Routes,
): Promise<CreatedComment> => {
  const { client, kind, path, base } = target;
  const asThread = async (reason: string) => ({ ...await createThread(target, params, options), reason });
  if (kind === 'commit') return asThread('commits have no plain comments');
  const [key, reason] = [`${base} comments`, 'the service does not support plain comments'];
  if (routes.get(key) === inThreads) return asThread(reason);
  const comment = await nullIfUnsupported(
    client.createNote(contract.notes[kind].create, { ...path, ...params }, options));
  if (comment !== null) return { ...comment, reason: null };
  const thread = await asThread(reason);
  routes.set(key, inThreads);
  return thread;
};

const inThreads = 'discussions';

/** The only way to an internal thread: its replies are internal, too (behavior: notes.internal-create). */
export const createInternalComment = (
  { client, kind, path }: Target, params: NoteParams, options: CreateOptions,
): Promise<CreatedNote> => {
  if (kind === 'commit' || kind === 'snippet') throw new Error(`a ${kind} has no internal notes`);
  return client.createNote(contract.notes[kind].create, { ...path, ...params, internal: true }, options);
};

/**
 * Adds a note to a thread. The documentation requires `note_id`, the id of a note of the thread; the service ignores it
 * (behavior: replies.note-id-ignored), so it is looked up and sent only where a service asks for it.
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
