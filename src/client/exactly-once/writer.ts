import { contract } from '../../contract/contract.js';
import type { Endpoint } from '../../contract/endpoint.js';
import type { Discussion, Note } from '../../contract/shapes/note.js';
import type { Params } from '../../wire/http.js';
import { isStoredAs, readMarker } from '../../wire/note-text.js';
import { elapsed, realTime, startNow, type Time, unlessAborted } from '../../wire/time.js';
import type { Call } from '../calls.js';
import {
  ApiError, failureReason, isOutcomeUnknown, isSlow, MarkerLostError, ResponseError, type UnknownOutcome,
} from '../errors.js';
import type { Observer } from '../events.js';
import type { ClientOptions } from '../options.js';
import { repeat, retryDelay, type RetryPolicy, retryPolicy, type Waits, waitsOf } from '../retry.js';
import { sortCopies } from './copies.js';
import {
  addResult, createQueues, createSharedWork, earlierCopies, type KnownNotes, markedNote, type MarkedNote,
  type MarkedNotes, markedNotesOn, newCopies, removeNote, threadOf,
} from './known-notes.js';
import {
  type CreateOptions, createReads, type FoundNote, identityOf, isNoteText, type Noteable, noteRequest, type NoteRequest,
  noteRequestLine, nullIfMissing, queueOf,
} from './requests.js';
import { writeSharedValue, type SharedValue } from './shared-value.js';

export interface CreatedNote {
  readonly note: Note;
  /** The thread that the note starts; null for a comment and a reply. */
  readonly thread: Discussion | null;
  /** As in the event `existing`, and the thread of the note if that is known; null if the first attempt created it. */
  readonly existing: Readonly<{ by: 'attempt' | 'key'; same: boolean; thread: Discussion | null }> | null;
}

export interface NoteWriter {
  /**
   * Creates a note exactly once, although the service has no idempotency keys and may fail after it has stored a note
   * (behavior: requests.no-idempotency): docs/architecture.md describes the path.
   */
  readonly createNote: (endpoint: Endpoint, params: Params, options: CreateOptions) => Promise<CreatedNote>;
  /**
   * What an earlier call without a marker, of any program, has created. @param start when it began, in milliseconds by
   * the local clock, which may be set back later @throws ResponseError if it could be an older note, without dates
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

interface Creating extends KnownNotes {
  readonly call: Call;
  readonly policy: RetryPolicy;
  readonly time: Time;
  readonly onEvent: Observer;
  readonly request: NoteRequest;
  readonly start: () => number;
  readonly waits: Waits;
}

/** What all calls of a client share. */
type Context = Omit<Creating, 'request' | 'start' | 'waits'>;

export const noteWriter = (untimed: Call, options: ClientOptions): NoteWriter => {
  const { time = realTime, onEvent = () => undefined, signal } = options;
  const policy = retryPolicy(options.retry);
  const { call, slowest } = timedCall(untimed, time);
  const context: Context = {
    call, policy, time, onEvent, reads: createReads(call, time, options), indexes: new Map(), scans: new Set(),
    results: new Map(), unmarked: new Map(), shared: createSharedWork(),
  };
  const queues = createQueues();
  let calls = 0;
  let id: string | undefined;
  const nextId = (): string => `${id ??= writerId(time)}.${(++calls).toString(36)}`;
  return {
    createNote: async (endpoint, params, given) => {
      const request = noteRequest(endpoint, params, given, options, nextId);
      if (!isNoteText(request.place, params['body'])) return sendPlain(context, request, params);
      return unlessAborted(queues(queueOf(request), () => create(context, request)), request.signal);
    },
    findCreated: async (endpoint, params, start) => {
      const request = noteRequest(endpoint, params, { once: 'text' }, options, nextId);
      const { copies, doubtful } = await newCopies(context, request, { at: start > time.now() ? 0 : start });
      if (copies.length > 0 || !doubtful) return copies;
      const problem = `cannot tell whether note ${doubtful.note.id} has this text since before`;
      throw new ResponseError(`${problem}: the service sends no dates`, noteRequestLine(request), 200);
    },
    markedNotes: (noteable, authors) => markedNotesOn(context, noteable, authors),
    readAgain: async (noteable, note) => {
      const found = await context.reads.again(noteable, note, signal);
      return found && markedNote(found);
    },
    replaceText: ({ kind, path }, { note, discussion }, body) => {
      const params = { ...path, discussion_id: discussion.id, note_id: note.id, body };
      return call(contract.discussions[kind].modifyNote, params, signal, { isSentOnce: true })
        .then(({ read }) => read() as Note).catch(nullIfMissing);
    },
    writeShared: (value) => writeSharedValue({ ...value, slowestRequest: slowest }, { time, policy, signal, onEvent }),
    newId: async () => nextId(),
    removeNotes: async (noteable, notes) => {
      for (const note of notes) await removeNote(context, noteable, note, signal);
    },
  };
};

const writerId = (time: Time): string => [time.now(), time.random() * 2 ** 48, time.random() * 2 ** 48]
  .map((number) => Math.floor(number).toString(36)).join('.');

/** Remembers how long the slowest call took, with its repeats. */
const timedCall = (call: Call, time: Time): { readonly call: Call; readonly slowest: () => number } => {
  let slowest = 0;
  const timed: Call = async (...given) => {
    const start = elapsed(time);
    try {
      return await call(...given);
    } finally {
      slowest = Math.max(slowest, elapsed(time) - start);
    }
  };
  return { call: timed, slowest: () => slowest };
};

/** A text that the service does not store as a note needs no marker, and can be sent twice. */
const sendPlain = async (context: Context, request: NoteRequest, params: Params): Promise<CreatedNote> => {
  const { read } = await context.call(request.endpoint, params, request.signal);
  const created = noteIn(request, read() as Note | Discussion);
  if (request.isKeyed) await checkMarker(context, request, created);
  return { note: created.note, thread: created.discussion, existing: null };
};

/** @throws MarkerLostError if later runs would not find the note; then it is deleted */
const checkMarker = async (context: Context, request: NoteRequest, created: FoundNote): Promise<void> => {
  if (readMarker(created.note.body).marker !== null) return;
  const isDeleted = await removeNote(context, request.place, created, request.signal).then(() => true, () => false);
  throw new MarkerLostError(created.note.id, isDeleted, noteRequestLine(request));
};

const create = async (context: Context, request: NoteRequest): Promise<CreatedNote> => {
  const { time, policy } = context;
  const creating: Creating = { ...context, request, start: startNow(time), waits: waitsOf(policy, time) };
  const [by, most] = request.isKeyed ? ['key', Infinity] as const : ['attempt', 0] as const;
  const earlier = await earlierNotes(creating);
  if (earlier.length > 0) return existingNote(creating, await keepOne(creating, earlier, most), by);
  const stored = await sendUntilStored(creating);
  if ('result' in stored) return keepCreated(creating, stored.result, stored.attempts);
  const kept = await keepOne(creating, stored.copies, mostCopies(request, stored.attempts));
  return existingNote(creating, kept, 'attempt');
};

const earlierNotes = async (creating: Creating): Promise<readonly FoundNote[]> => {
  const { request, start } = creating;
  if (request.isKeyed) return earlierCopies(creating, request);
  if (request.lookBack === undefined) return [];
  // The user asked to send the note: where it cannot be looked for, it is sent.
  return newCopies(creating, request, { at: start() - request.lookBack }).then(({ copies }) => copies, () => []);
};

/** How a note was stored: the response of the last attempt, or the copies that were found after a failed one. */
type Stored = { readonly result: Note | Discussion } | { readonly copies: readonly FoundNote[] };

/**
 * Looks for the note after each attempt and again before the next one, as a service may store it late; after a 429 only
 * when the limit is reset, because the service would not show it before that.
 */
const sendUntilStored = async (creating: Creating): Promise<Stored & { readonly attempts: number }> => {
  const { policy, time, waits, onEvent, request } = creating;
  let attempts = 0;
  let failed: UnknownOutcome | null = null;
  const work = async (): Promise<Stored | UnknownOutcome> => {
    const earlier = failed && await lookAfterFailure(creating, failed);
    if (earlier && 'copies' in earlier) return earlier;
    const outcome = await attempt(creating, attempts++);
    failed = outcome instanceof Error ? outcome : null;
    if (failed === null || isLimit(failed)) return outcome;
    return lookAfterFailure(creating, failed, isSlow(failed) ? [0, ...looksOf(policy)] : [0]);
  };
  const outcome = await repeat(work, {
    most: (one) => one instanceof Error && (request.resend || !isSlow(one)) ? policy.retries : 0,
    wait: (count, one) => retryDelay(isLimit(one) ? one : null, count, policy, time),
    waits,
    pause: async (retry, one) => {
      if (!(one instanceof Error)) return;
      onEvent({ type: 'retry', request: one.request, ...retry, reason: failureReason(one) });
      await waits.wait(retry.wait, request.signal);
    },
  });
  const last = isLimit(outcome) ? await lookAfterFailure(creating, outcome) : outcome;
  if (last instanceof Error) throw last;
  return { ...last, attempts };
};

const attempt = async ({ call, request }: Creating, earlier: number): Promise<Stored | UnknownOutcome> => {
  try {
    const { read } = await call(request.endpoint, request.params, request.signal, { returns429: true });
    const result = read() as Note | Discussion;
    rejectOtherNote(request, noteIn(request, result).note);
    return { result };
  } catch (error) {
    if (isLimit(error) || isOutcomeUnknown(error)) return afterEarlier(error, earlier);
    throw error;
  }
};

/** What follows may change or delete the note, so it has to be the one that was sent. @throws ResponseError */
const rejectOtherNote = (request: NoteRequest, { id, body }: Note): void => {
  const { marker, text } = readMarker(String(body));
  const isSent = request.marker === null || (marker !== null && identityOf(marker) === identityOf(request.marker))
    || isStoredAs(withoutComments(request.text), withoutComments(text));
  if (!isSent) throw noteError(request, `the response is another note: ${id}`);
};

/** Some services remove comments of HTML, which markers are too. */
const withoutComments = (text: string): string => {
  const [before, ...parts] = text.split('<!--');
  const rest = parts.map((part) => part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : part);
  return [before, ...rest].join('').trim();
};

const afterEarlier = (error: UnknownOutcome, earlier: number): UnknownOutcome => {
  if (!(error instanceof ApiError)) return error;
  const { status, serverMessage, request, body, headers, attempts } = error;
  return new ApiError(status, serverMessage, request, body, headers, earlier + attempts);
};

/** A proxy may limit a request that the service has stored already. */
const isLimit = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 429;

/** A note with the key and another text is not from an attempt of this call. */
const existingNote = (creating: Creating, found: FoundNote, likely: 'attempt' | 'key'): Promise<CreatedNote> => {
  const { request, onEvent } = creating;
  const same = isStoredAs(request.text, readMarker(found.note.body).text);
  const by = request.isKeyed && !same ? 'key' : likely;
  onEvent({ type: 'existing', request: noteRequestLine(request), note: found.note.id, by, same });
  return createdNote(creating, found, { by, same, thread: found.discussion });
};

const keepCreated = async (creating: Creating, result: Note | Discussion, attempts: number): Promise<CreatedNote> => {
  const { request } = creating;
  const created = noteIn(request, result);
  if (request.isFoundLater) await checkMarker(creating, request, created);
  // A backdated note can be on any page: concurrent copies are found by the scan of a later run.
  if (attempts === 1 && (!request.isKeyed || request.isBackdated)) return createdNote(creating, created, null);
  try {
    const copies = await lookAfterCreate(creating, created);
    if (copies.length === 0) return await createdNote(creating, created, null);
    const kept = await keepOne(creating, copies, mostCopies(request, attempts));
    if (kept.note.id === created.note.id) return await createdNote(creating, created, null);
    return await existingNote(creating, kept, attempts === 1 ? 'key' : 'attempt');
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    const problem = `stored note ${created.note.id}, but could not check whether it exists only once`;
    throw noteError(request, `${problem}: ${(cause as Error).message}`, { cause });
  }
};

/** Without a marker, no more copies are deleted than attempts can have made. */
const mostCopies = ({ marker }: NoteRequest, attempts: number): number => marker === null ? attempts - 1 : Infinity;

const noteIn = (request: NoteRequest, result: Note | Discussion): FoundNote => {
  const discussion = request.place.makes === 'thread' ? result as Discussion : null;
  const note = discussion ? (discussion.notes as Discussion['notes'] | undefined)?.[0] : result as Note;
  if (note && Number.isInteger(note.id)) return { note, discussion };
  throw noteError(request, 'the response contains no note');
};

/** @param most how many copies may be deleted */
const keepOne = async (creating: Creating, copies: readonly FoundNote[], most: number): Promise<FoundNote> => {
  const { onEvent, request } = creating;
  // Older notes may have the same text: those of this call are the newest.
  const { kept, surplus, changed } = sortCopies(copies.slice(-1 - most), { most });
  const report = (type: 'changed' | 'duplicate', { note }: FoundNote) =>
    onEvent({ type, request: noteRequestLine(request), note: note.id, kept: kept!.note.id });
  if (request.isShared) return kept!;
  for (const copy of changed) report('changed', copy);
  for (const copy of surplus) {
    await removeNote(creating, request.place, copy, request.signal);
    report('duplicate', copy);
  }
  return kept!;
};

const createdNote = async (
  creating: Creating, found: FoundNote, existing: CreatedNote['existing'],
): Promise<CreatedNote> => {
  const [{ request }, { note, discussion }] = [creating, found];
  addResult(creating, request, found);
  const thread = request.place.makes === 'thread' ? discussion ?? await threadOf(creating, request, note) : null;
  return { note, thread, existing };
};

const noteError = (request: NoteRequest, message: string, options?: ErrorOptions): ResponseError =>
  new ResponseError(message, noteRequestLine(request), 201, options);

/** A slow service may store a note after its timeout: looks 1, 2 and 4 seconds later with the default policy. */
const looksOf = ({ retries, firstWait, longestWait }: RetryPolicy): readonly number[] =>
  [5, 10, 20].slice(0, retries).map((times) => Math.min(times * firstWait, longestWait));

/**
 * Returns the error of the attempt if there are no copies, and throws it if they cannot be read, or distinguished from
 * older notes. @param looks how long to wait before each look
 */
const lookAfterFailure = async (
  creating: Creating, error: UnknownOutcome, looks: readonly number[] = [0],
): Promise<Stored | UnknownOutcome> => {
  const { waits, onEvent, request, start } = creating;
  let isCertain = true;
  try {
    for (const wait of looks) {
      if (!waits.fits(wait)) break;
      onEvent({ type: 'check', request: error.request, wait, reason: failureReason(error) });
      await waits.wait(wait, request.signal);
      const { copies, ...found } = await newCopies(creating, request, { at: start() });
      if (copies.length > 0) return { copies };
      isCertain = found.isCertain;
    }
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    throw error;
  }
  if (!isCertain) throw error;
  return error;
};

/**
 * A replica that lags behind does not show the new note yet; if there is an earlier copy, another run may have deleted
 * the new note. The new note shows the clock of notes, while the dates of responses may come from a proxy: so a copy of
 * an earlier attempt may be recognized only now.
 */
const lookAfterCreate = async (creating: Creating, created: FoundNote): Promise<readonly FoundNote[]> => {
  const { policy, waits, request, start, time } = creating;
  const ahead = request.isBackdated ? NaN : Date.parse(created.note.created_at) - time.now();
  const began = { at: start(), ahead: Number.isNaN(ahead) ? undefined : ahead };
  for (const wait of [0, ...looksOf(policy)]) {
    if (!waits.fits(wait)) break;
    await waits.wait(wait, request.signal);
    const { copies } = await newCopies(creating, request, began);
    if (copies.some(({ note }) => note.id === created.note.id)) return copies;
    if (copies.some(({ note }) => note.id < created.note.id)) return [...copies, created];
  }
  return [];
};
