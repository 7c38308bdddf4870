import { ApiError } from '../../../client/errors.js';
import type { CreatedNote } from '../../../client/exactly-once/create.js';
import type { CreateOptions } from '../../../client/exactly-once/note-request.js';
import type { Routes } from '../../../client/options.js';
import { contract } from '../../../contract/contract.js';
import type { Discussion } from '../../../contract/shapes/note.js';
import type { PositionInput } from '../../../contract/shapes/position.js';
import { nullIfUnsupported } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';

export interface NoteParams {
  readonly body: string;
  readonly created_at?: string | undefined;
}

interface ThreadParams extends NoteParams {
  readonly position?: PositionInput | undefined;
  readonly commit_id?: string | undefined;
}

/** The thread may have existed already. */
export interface CreatedThread extends CreatedNote { readonly thread: Discussion }

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
