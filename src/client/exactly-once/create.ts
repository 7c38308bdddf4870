import { apiPrefix, bodyLimit } from '../../contract/conventions.js';
import type { Endpoint } from '../../contract/endpoint.js';
import type { Discussion, Note } from '../../contract/shapes/note.js';
import { fillPath } from '../../wire/path.js';
import type { Params } from '../../wire/forms.js';
import { isAsWritten, markerLength, readMarker, type Marker } from '../../wire/marker.js';
import { isQuickActionsOnly, isStoredAs } from '../../wire/note-text.js';
import { anySignal } from '../../wire/signals.js';
import type { Call } from '../calls.js';
import { ApiError, ConnectionError, MarkerLostError, ResponseError } from '../errors.js';
import type { Observer } from '../middleware/events.js';
import type { CallOptions, ClientOptions } from '../options.js';
import { isOutcomeUnknown, isSlow, type UnknownOutcome } from '../outcome.js';
import { defaultRetry, retryDelay, type RetryPolicy } from '../retry.js';
import { realTime, type Time } from '../time.js';
import { isSurplus } from './marked-notes.js';
import { noteRequest, type NoteRequest } from './note-request.js';
import { placeOf, type Place } from './place.js';
import { createQueues, type Queues } from './queues.js';
import { createReads, type FoundNote, type Reads } from './reads.js';
import { createSearch, type Search } from './search.js';
import { looksOf, waitsOf, type Waits } from './waits.js';

/** A note that a call created, or that existed already. */
export interface CreatedNote {
  readonly note: Note;
  /** The thread that the note starts; null for a comment and a reply. */
  readonly thread: Discussion | null;
  /** How the note was found; null if the first attempt created it. */
  readonly existing: ExistingNote | null;
}

interface ExistingNote {
  /** An earlier attempt stored the note, or it has the key of the call. */
  readonly by: 'attempt' | 'key';
  /** Whether it has the given text. */
  readonly same: boolean;
}

/** Creates one note exactly once. */
export type CreateOnce = (endpoint: Endpoint, params: Params, options: CallOptions) => Promise<CreatedNote>;

/** What all notes of a client share. */
interface Context {
  readonly call: Call;
  readonly policy: RetryPolicy;
  readonly time: Time;
  readonly onEvent: Observer;
  readonly reads: Reads;
  readonly search: Search;
  readonly queues: Queues;
}

/** One note that is being created. */
interface Creating extends Context {
  readonly wanted: NoteRequest;
  /** When the call began, by the local clock. */
  readonly start: number;
  readonly waits: Waits;
}

/**
 * Creates notes exactly once, although the service has no idempotency keys and may fail after it has stored a note
 * (wire-facts 4.5.15).
 *
 * After an attempt of unknown outcome, and after a 429, it looks for the note and returns it. Only if the note is not
 * there, it is sent again. After each repeat, and for each key, it looks once more: of several copies it keeps the one
 * with the lowest id and deletes those that nobody answered or changed.
 */
export const createNotesOnce = (call: Call, options: ClientOptions): CreateOnce => {
  const { retry: policy = defaultRetry, time = realTime, onEvent = () => undefined } = options;
  const reads = createReads(call, policy, time);
  const context: Context = {
    call, policy, time, onEvent, reads, search: createSearch(reads, time), queues: createQueues(),
  };
  let calls = 0;
  /** Unique among all calls of all programs. */
  const nextId = (): string =>
    [time.now(), time.random() * 2 ** 48, time.random() * 2 ** 48, ++calls]
      .map((number) => Math.floor(number).toString(36)).join('.');

  return async (endpoint, params, given) => {
    const signal = anySignal(options.signal, given.signal);
    const place = placeOf(endpoint, params);
    const { body } = params;
    const marker = fitting(markerFor(given, options, nextId), body);
    if (!isNote(place, body)) return sentOnce(call, endpoint, params, signal);
    const wanted = noteRequest(endpoint, params, place, marker, {
      resend: options.resend ?? marker !== null, signal, lookBack: given.lookBack,
      isVisible: given.visibleMarker ?? false, isFoundLater: given.key !== undefined || given.marker !== undefined,
    });
    return marker?.['id'] === undefined
      ? context.queues(queueOf(wanted), () => create(context, wanted)) : create(context, wanted);
  };
};

/** A text that the service does not store as a note needs no marker, and can be sent twice. */
const sentOnce = async (
  call: Call, endpoint: Endpoint, params: Params, signal?: AbortSignal,
): Promise<CreatedNote> => {
  const result = (await call(endpoint, params, signal)).read();
  const found = foundIn(placeOf(endpoint, params), result as Note | Discussion);
  if (found === null) throw noNoteIn(endpoint, params);
  return { note: found.note, thread: found.discussion, existing: null };
};

const create = async (context: Context, wanted: NoteRequest): Promise<CreatedNote> => {
  const { time, policy, search } = context;
  const creating: Creating = { ...context, wanted, start: time.now(), waits: waitsOf(policy, time) };
  if (wanted.isKeyed) {
    const earlier = await search.earlier(wanted);
    if (earlier.length > 0) return existing(creating, earlier, 'key', Infinity);
  } else if (wanted.lookBack !== undefined) {
    // The user asked to send the note: where it cannot be looked for, it is sent.
    const earlier = await search.copies(wanted, creating.start - wanted.lookBack).catch(() => []);
    if (earlier.length > 0) return existing(creating, earlier, 'attempt', 0);
  }
  for (let attempts = 1; ; attempts++) {
    const outcome = await attempt(creating);
    if ('result' in outcome) return settled(creating, outcome.result, attempts);
    const found = await afterFailure(creating, outcome, attempts);
    if (found !== null) return found;
  }
};

type Attempt = Failure | { readonly result: Note | Discussion };

interface Failure {
  readonly error: UnknownOutcome;
  /** The 429 that tells when to send the note again; null for any other error. */
  readonly limit: ApiError | null;
  /** Whether the service may still be working on the request. */
  readonly isSlow: boolean;
}

const attempt = async ({ call, wanted: { endpoint, params, signal } }: Creating): Promise<Attempt> => {
  try {
    const { read } = await call(endpoint, params, signal, { returns429: true });
    return { result: read() as Note | Discussion };
  } catch (error) {
    if (isLimited(error)) return { error, isSlow: false, limit: error };
    if (isOutcomeUnknown(error)) return { error, isSlow: isSlow(error), limit: null };
    throw error;
  }
};

/** The note that a failed attempt created; null if the note is to be sent again. */
const afterFailure = async (
  creating: Creating, failure: Failure, attempts: number,
): Promise<CreatedNote | null> => {
  const { policy, time, waits, onEvent, wanted } = creating;
  const { error, isSlow, limit } = failure;
  const wait = retryDelay(limit, attempts, policy, time);
  const pause = async () => {
    onEvent({
      type: 'retry', request: error.request, attempt: attempts + 1, attempts: policy.retries + 1, wait,
      reason: reasonOf(error),
    });
    await waits.wait(wait, wanted.signal);
  };
  const isRepeated = () => attempts <= policy.retries && waits.fits(wait) && (wanted.resend || !isSlow);
  // Before the limit is reset, the service would not show the note either.
  const isPaused = limit !== null && isRepeated();
  if (isPaused) await pause();
  const copies = await look(creating, failure);
  if (copies.length > 0) return existing(creating, copies, 'attempt', mostCopies(wanted, attempts));
  if (isPaused) return null;
  if (!isRepeated()) throw error;
  await pause();
  return null;
};

/** The copies of a note after a failed attempt. If they cannot be read, the error of the attempt is thrown. */
const look = async (
  { policy, waits, onEvent, search, wanted, start }: Creating, { error, isSlow }: Failure,
): Promise<readonly FoundNote[]> => {
  try {
    for (const wait of isSlow ? [0, ...looksOf(policy)] : [0]) {
      if (!waits.fits(wait)) break;
      onEvent({ type: 'check', request: error.request, wait, reason: reasonOf(error) });
      await waits.wait(wait, wanted.signal);
      const copies = await search.copies(wanted, start);
      if (copies.length > 0) return copies;
    }
    return [];
  } catch (cause) {
    if (wanted.signal?.aborted) throw cause;
    throw error;
  }
};

const settled = async (
  creating: Creating, result: Note | Discussion, attempts: number,
): Promise<CreatedNote> => {
  const { wanted } = creating;
  const created = foundIn(wanted.place, result);
  if (created === null) throw noNoteIn(wanted.endpoint, wanted.params);
  if (wanted.isFoundLater && readMarker(created.note.body).marker === null) throw await markerLost(creating, created);
  // A backdated note can be on any page: concurrent copies are found by the scan of a later run.
  if (attempts === 1 && (!wanted.isKeyed || wanted.isBackdated)) return createdNote(creating, created, null);
  try {
    const copies = await lookAfter(creating, created);
    if (copies.length === 0) return await createdNote(creating, created, null);
    const kept = await keepFirst(creating, copies, mostCopies(wanted, attempts));
    return await createdNote(creating, kept.note.id === created.note.id ? created : kept, null);
  } catch (cause) {
    if (wanted.signal?.aborted) throw cause;
    throw unchecked(wanted, created.note, cause);
  }
};

/**
 * The copies of a note after it was created. A replica that lags behind does not show the new note yet; if there is an
 * earlier copy, another run may have deleted the new note.
 */
const lookAfter = async (
  { policy, waits, search, wanted, start }: Creating, created: FoundNote,
): Promise<readonly FoundNote[]> => {
  for (const wait of [0, ...looksOf(policy)]) {
    if (!waits.fits(wait)) break;
    await waits.wait(wait, wanted.signal);
    const copies = await search.copies(wanted, start);
    if (copies.some(({ note }) => note.id === created.note.id)) return copies;
    if (copies.some(({ note }) => note.id < created.note.id)) return [...copies, created];
  }
  return [];
};

const existing = async (
  creating: Creating, copies: readonly FoundNote[], by: ExistingNote['by'], most: number,
): Promise<CreatedNote> => {
  const { wanted, onEvent } = creating;
  const kept = await keepFirst(creating, copies, most);
  const same = isStoredAs(wanted.text, readMarker(kept.note.body).text);
  onEvent({ type: 'existing', request: requestOf(wanted), note: kept.note.id, by, same });
  return createdNote(creating, kept, { by, same });
};

/**
 * Deletes the copies of the first note that is as it was written.
 * @param most how many may be deleted: one for each further attempt
 */
const keepFirst = async (
  { reads, search, onEvent, wanted }: Creating, copies: readonly FoundNote[], most: number,
): Promise<FoundNote> => {
  const request = requestOf(wanted);
  const kept = copies.find(({ note }) => isAsWritten(note.body) !== false) ?? copies[0]!;
  const others = copies.filter((copy) => copy !== kept);
  const surplus = others.filter((copy) => isSurplus(copy, kept.note)).slice(-most);
  for (const copy of others.filter(({ note }) => isAsWritten(note.body) === false)) {
    onEvent({ type: 'changed', request, note: copy.note.id, kept: kept.note.id });
  }
  for (const copy of most > 0 ? surplus : []) {
    await reads.remove(wanted.place, copy, wanted.signal);
    search.forget(wanted, copy);
    onEvent({ type: 'duplicate', request, note: copy.note.id, kept: kept.note.id });
  }
  return kept;
};

const createdNote = async (
  { search, wanted }: Creating, found: FoundNote, how: ExistingNote | null,
): Promise<CreatedNote> => {
  search.claim(wanted, found);
  const { note, discussion } = found;
  const thread = wanted.place.makes === 'thread' ? discussion ?? await search.threadOf(wanted, note) : null;
  return { note, thread, existing: how };
};

/** The next run would add another note, so this one is deleted. */
const markerLost = async ({ reads, wanted }: Creating, created: FoundNote): Promise<MarkerLostError> => {
  const isDeleted = await reads.remove(wanted.place, created, wanted.signal).then(() => true, () => false);
  return new MarkerLostError(created.note.id, isDeleted, requestOf(wanted));
};

/** The error of a note that is stored, and perhaps more than once. */
const unchecked = (wanted: NoteRequest, { id }: Note, cause: unknown): ResponseError =>
  new ResponseError(`stored note ${id}, but could not check whether it exists only once: `
    + (cause as Error).message, requestOf(wanted), 201, { cause });

const noNoteIn = (endpoint: Endpoint, params: Params): ResponseError =>
  new ResponseError('the response contains no note', requestOf({ endpoint, params }), 201);

/** A marker would turn a blank text, which the service rejects, and quick actions into a note. */
const isNote = ({ kind }: Place, body: unknown): boolean =>
  typeof body === 'string' && body.trim() !== '' && (kind === 'snippet' || !isQuickActionsOnly(body));

/** @throws TypeError for an empty key */
const markerFor = (given: CallOptions, options: ClientOptions, nextId: () => string): Marker | null => {
  const { key, marker, once = options.once } = given;
  if (key === '') throw new TypeError('the key is empty');
  if (key !== undefined) return { key: key.toWellFormed(), ...marker };
  if (marker?.['key'] !== undefined) return marker;
  return marker !== undefined || once === 'marker' ? { ...marker, id: nextId() } : null;
};

/** A text that is too long only with its marker is sent without one, unless the marker has a key. */
const fitting = (marker: Marker | null, body: unknown): Marker | null => {
  const isOptional = marker !== null && marker['key'] === undefined;
  return isOptional && String(body).length + markerLength(marker) > bodyLimit ? null : marker;
};

/** Notes that cannot be told apart are created one after the other. */
const queueOf = ({ place, marker, text }: NoteRequest): string =>
  JSON.stringify([place.noteable, marker === null ? [place.path, text] : [marker['key'], marker['fp']]]);

/** Without a marker, no more copies are deleted than attempts can have made. */
const mostCopies = ({ marker }: NoteRequest, attempts: number): number => marker === null ? attempts - 1 : Infinity;

const reasonOf = (error: UnknownOutcome): string =>
  error instanceof ConnectionError ? error.code : `status ${error.status}`;

/** A proxy may limit a request that the service has stored already. */
const isLimited = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 429;

const requestOf = ({ endpoint, params }: Pick<NoteRequest, 'endpoint' | 'params'>): string =>
  `${endpoint.method} ${apiPrefix}${fillPath(endpoint.paths[0], params)}`;

/** Null for a response that is not what the service creates. */
const foundIn = ({ makes }: Place, result: Note | Discussion): FoundNote | null => {
  const discussion = makes === 'thread' ? result as Discussion : null;
  const note = discussion ? (discussion.notes as Discussion['notes'] | undefined)?.[0] : result as Note;
  return note && Number.isInteger(note.id) ? { note, discussion } : null;
};
