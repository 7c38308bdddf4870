import { contract } from '../../contract/contract.js';
import type { Endpoint } from '../../contract/endpoint.js';
import type { Discussion, Note } from '../../contract/shapes/note.js';
import type { Params } from '../../wire/http.js';
import type { Call } from '../calls.js';
import { isMissing, ResponseError } from '../errors.js';
import type { ClientOptions } from '../options.js';
import { retryPolicy, waitsOf } from '../retry.js';
import { realTime, type Time } from '../time.js';
import {
  type Context, type CreatedNote, type Creating, keepCreated, keepExisting, mostCopies, noteIn,
  sendUntilStored,
} from './create.js';
import {
  createQueues, createSharedWork, earlierCopies, markedNote, type MarkedNote, type MarkedNotes, markedNotesOn,
  newCopies, removeNote,
} from './known-notes.js';
import {
  type CreateOptions, isNoteText, noteRequestLine, type Noteable, noteRequest, type NoteRequest, queueOf,
} from './note-request.js';
import { createReads, type FoundNote } from './reads.js';
import { writeSharedValue, type SharedValue } from './shared-value.js';

/** All calls share what they read of a noteable. */
export interface NoteWriter {
  /**
   * Creates a note exactly once, although the service has no idempotency keys and may fail after it has stored a note
   * (behavior: requests.no-idempotency): docs/architecture.md describes the path.
   */
  readonly createNote: (endpoint: Endpoint, params: Params, options: CreateOptions) => Promise<CreatedNote>;
  /**
   * What an earlier call without a marker, of any program, has created. @param start when that call began, in
   * milliseconds by the local clock @throws ResponseError if it could be an older note, without dates
   */
  readonly findCreated: (endpoint: Endpoint, params: Params, start: number) => Promise<readonly FoundNote[]>;
  /** Reads all pages. @param authors usernames, in any case, whose notes count besides those of the token's user */
  readonly markedNotes: (noteable: Noteable, authors?: readonly string[]) => Promise<MarkedNotes>;
  /** Reads one of them again; null if it is gone. */
  readonly readAgain: (noteable: Noteable, note: MarkedNote) => Promise<MarkedNote | null>;
  /** Sends a text once: a repeat could overwrite what others stored in the meantime. Null if the note is gone. */
  readonly replaceText: (noteable: Noteable, note: MarkedNote, body: string) => Promise<Note | null>;
  /** Writes a value that other programs write too until it is there to stay; null if it keeps changing. */
  readonly writeShared: <S, T>(value: Omit<SharedValue<S, T>, 'slowestRequest'>) => Promise<T | null>;
  /** An id that no other call has, of any program. */
  readonly newId: () => Promise<string>;
  /** Deletes notes one after the other; they may be deleted already. */
  readonly removeNotes: (noteable: Noteable, notes: readonly FoundNote[]) => Promise<void>;
}

export const noteWriter = (untimed: Call, options: ClientOptions): NoteWriter => {
  const { time = realTime, onEvent = () => undefined, signal } = options;
  const policy = retryPolicy(options.retry);
  const { call, slowest } = timedCall(untimed, time);
  const context: Context = {
    call, policy, time, onEvent, reads: createReads(call, time, options), indexes: new Map(),
    results: new Map(), unmarked: new Map(), shared: createSharedWork(),
  };
  const queues = createQueues();
  let calls = 0;
  let id: string | undefined;
  const nextId = (): string => `${id ??= writerId(time)}.${(++calls).toString(36)}`;
  return {
    createNote: async (endpoint, params, given) => {
      const request = noteRequest(endpoint, params, given, options, nextId);
      return isNoteText(request.place, params['body'])
        ? queues(queueOf(request), () => create(context, request)) : sendPlain(context, request, params);
    },
    findCreated: async (endpoint, params, start) => {
      const request = noteRequest(endpoint, params, { once: 'text' }, options, nextId);
      const { copies, doubtful } = await newCopies(context, request, { at: start });
      if (copies.length === 0 && doubtful) throw uncertain(request, doubtful);
      return copies;
    },
    markedNotes: (noteable, authors) => markedNotesOn(context, noteable, authors, signal),
    readAgain: async (noteable, note) => {
      const found = await context.reads.again(noteable, note, signal);
      return found && markedNote(found);
    },
    replaceText: async ({ kind, path }, { note, discussion }, body) => {
      const params = { ...path, discussion_id: discussion.id, note_id: note.id, body };
      try {
        return (await call(contract.discussions[kind].modifyNote, params, signal, { isSentOnce: true })).read() as Note;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    writeShared: (value) => writeSharedValue({ ...value, slowestRequest: slowest }, { time, policy, signal, onEvent }),
    newId: async () => nextId(),
    removeNotes: async (noteable, notes) => {
      for (const note of notes) await removeNote(context, noteable, note, signal);
    },
  };
};

/** That no other writer has, of any program. */
const writerId = (time: Time): string => [time.now(), time.random() * 2 ** 48, time.random() * 2 ** 48]
  .map((number) => Math.floor(number).toString(36)).join('.');

/** Remembers how long the slowest call took, with its repeats. */
const timedCall = (call: Call, { now }: Time): { readonly call: Call; readonly slowest: () => number } => {
  let slowest = 0;
  const timed: Call = async (...given) => {
    const start = now();
    try {
      return await call(...given);
    } finally {
      slowest = Math.max(slowest, now() - start);
    }
  };
  return { call: timed, slowest: () => slowest };
};

/** A text that the service does not store as a note needs no marker, and can be sent twice. */
const sendPlain = async ({ call }: Context, request: NoteRequest, params: Params): Promise<CreatedNote> => {
  const { read } = await call(request.endpoint, params, request.signal);
  const { note, discussion } = noteIn(request, read() as Note | Discussion);
  return { note, thread: discussion, existing: null };
};

const create = async (context: Context, request: NoteRequest): Promise<CreatedNote> => {
  const { time, policy } = context;
  const creating: Creating = { ...context, request, start: time.now(), waits: waitsOf(policy, time) };
  const earlier = await earlierNotes(creating);
  if (earlier.length > 0 && request.isKeyed) return keepExisting(creating, earlier, 'key');
  if (earlier.length > 0) return keepExisting(creating, earlier, 'attempt', 0);
  const stored = await sendUntilStored(creating);
  if ('result' in stored) return keepCreated(creating, stored.result, stored.attempts);
  return keepExisting(creating, stored.copies, 'attempt', mostCopies(request, stored.attempts));
};

const earlierNotes = async (creating: Creating): Promise<readonly FoundNote[]> => {
  const { request, start } = creating;
  if (request.isKeyed) return earlierCopies(creating, request);
  if (request.lookBack === undefined) return [];
  // The user asked to send the note: where it cannot be looked for, it is sent.
  return newCopies(creating, request, { at: start - request.lookBack }).then(({ copies }) => copies, () => []);
};

const uncertain = (request: NoteRequest, { note }: FoundNote): ResponseError => new ResponseError(
  `cannot tell whether note ${note.id} has this text since before: the service sends no dates`,
  noteRequestLine(request), 200);
