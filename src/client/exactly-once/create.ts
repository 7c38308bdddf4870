import { apiPrefix, bodyLimit } from '../../contract/conventions.js';
import type { Endpoint } from '../../contract/endpoint.js';
import type { Discussion, Note } from '../../contract/shapes/note.js';
import { fillPath } from '../../wire/encode.js';
import type { Params } from '../../wire/forms.js';
import { isAsWritten, markerLength, readMarker, type Marker } from '../../wire/marker.js';
import { isQuickActionsOnly, isStoredAs } from '../../wire/note-text.js';
import type { Call } from '../calls.js';
import { ApiError, ConnectionError, MarkerLostError, ResponseError } from '../errors.js';
import { defaultRetry, retryDelay } from '../retry.js';
import type { CallOptions, ClientOptions } from '../options.js';
import { anySignal } from '../../wire/signals.js';
import { realTime } from '../time.js';
import { isSurplus } from './copies.js';
import { jobOf, type Job } from './note-request.js';
import { isOutcomeUnknown, isSlow, type UnknownOutcome } from '../outcome.js';
import { placeOf, type Place } from './place.js';
import { createReads, type Sighting } from './reads.js';
import { createSearch } from './search.js';
import { createTurns } from './queues.js';
import { looksOf, waitsOf, type Waits } from './waits.js';

/** Creates one note exactly once and returns it, or its thread. */
export type CreateOnce = (endpoint: Endpoint, params: Params, options: CallOptions) => Promise<unknown>;

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
  const search = createSearch(reads, time);
  const inTurn = createTurns();

  const attempt = async ({ endpoint, params, signal }: Job): Promise<Attempt> => {
    try {
      const { read } = await call(endpoint, params, signal, { returns429: true });
      return { result: read() };
    } catch (error) {
      if (isLimited(error)) return { error, isSlow: false, limit: error };
      if (isOutcomeUnknown(error)) return { error, isSlow: isSlow(error), limit: null };
      throw error;
    }
  };

  /** The copies of a note after a failed attempt. If they cannot be read, the error of the attempt is thrown. */
  const look = async (
    job: Job, start: number, { error, isSlow }: Failure, waits: Waits,
  ): Promise<readonly Sighting[]> => {
    try {
      for (const wait of isSlow ? [0, ...looksOf(policy)] : [0]) {
        if (!waits.fits(wait)) break;
        onEvent({ type: 'check', request: error.request, wait, reason: reasonOf(error) });
        await waits.wait(wait, job.signal);
        const copies = await search.copies(job, start);
        if (copies.length > 0) return copies;
      }
      return [];
    } catch (cause) {
      if (job.signal?.aborted) throw cause;
      throw error;
    }
  };

  /**
   * The copies of a note after it was created. A replica that lags behind does not show the new note yet; if there is
   * an earlier copy, another run may have deleted the new note.
   */
  const lookAfter = async (
    job: Job, start: number, created: Sighting, waits: Waits,
  ): Promise<readonly Sighting[]> => {
    for (const wait of [0, ...looksOf(policy)]) {
      if (!waits.fits(wait)) break;
      await waits.wait(wait, job.signal);
      const copies = await search.copies(job, start);
      if (copies.some(({ note }) => note.id === created.note.id)) return copies;
      if (copies.some(({ note }) => note.id < created.note.id)) return [...copies, created];
    }
    return [];
  };

  /**
   * Deletes the copies of the first note that is as it was written.
   * @param most how many may be deleted: one for each further attempt
   */
  const keepFirst = async (job: Job, copies: readonly Sighting[], request: string, most: number): Promise<Sighting> => {
    const kept = copies.find(({ note }) => isAsWritten(note.body) !== false) ?? copies[0]!;
    const others = copies.filter((copy) => copy !== kept);
    const surplus = others.filter((copy) => isSurplus(copy, kept.note)).slice(-most);
    for (const copy of others.filter(({ note }) => isAsWritten(note.body) === false)) {
      onEvent({ type: 'changed', request, note: copy.note.id, kept: kept.note.id });
    }
    for (const copy of most > 0 ? surplus : []) {
      await reads.remove(job.place, copy, job.signal);
      search.forget(job, copy);
      onEvent({ type: 'duplicate', request, note: copy.note.id, kept: kept.note.id });
    }
    return kept;
  };

  const resultOf = async (job: Job, sighting: Sighting): Promise<Note | Discussion> => {
    search.claim(job, sighting);
    const { note, discussion } = sighting;
    return job.place.makes === 'thread' ? discussion ?? search.threadOf(job, note) : note;
  };

  const existing = async (job: Job, copies: readonly Sighting[], by: 'attempt' | 'key', most: number) => {
    const request = requestOf(job);
    const kept = await keepFirst(job, copies, request, most);
    const same = isStoredAs(job.text, readMarker(kept.note.body).text);
    onEvent({ type: 'existing', request, note: kept.note.id, by, same });
    return resultOf(job, kept);
  };

  const settled = async (
    job: Job, start: number, result: Note | Discussion, attempts: number, waits: Waits,
  ) => {
    const created = sightingOf(job, result);
    if (created === null) throw new ResponseError('the response contains no note', requestOf(job), 201);
    if (job.isFoundLater && readMarker(created.note.body).marker === null) throw await markerLost(job, created);
    // A backdated note can be on any page: concurrent copies are found by the scan of a later run.
    if (attempts === 1 && (!job.isKeyed || job.isBackdated)) return resultOf(job, created);
    try {
      const copies = await lookAfter(job, start, created, waits);
      if (copies.length === 0) return await resultOf(job, created);
      const kept = await keepFirst(job, copies, requestOf(job), mostCopies(job, attempts));
      return await resultOf(job, kept.note.id === created.note.id ? created : kept);
    } catch (cause) {
      if (job.signal?.aborted) throw cause;
      throw unchecked(job, created.note, cause);
    }
  };

  /** The next run would add another note, so this one is deleted. */
  const markerLost = async (job: Job, created: Sighting): Promise<MarkerLostError> => {
    const isDeleted = await reads.remove(job.place, created, job.signal).then(() => true, () => false);
    return new MarkerLostError(created.note.id, isDeleted, requestOf(job));
  };

  const create = async (job: Job): Promise<unknown> => {
    const start = time.now();
    if (job.isKeyed) {
      const earlier = await search.earlier(job);
      if (earlier.length > 0) return existing(job, earlier, 'key', Infinity);
    } else if (job.lookBack !== undefined) {
      // The user asked to send the note: where it cannot be looked for, it is sent.
      const earlier = await search.copies(job, start - job.lookBack).catch(() => []);
      if (earlier.length > 0) return existing(job, earlier, 'attempt', 0);
    }
    const waits = waitsOf(policy, time);
    for (let attempts = 1; ; attempts++) {
      const outcome = await attempt(job);
      if ('result' in outcome) return settled(job, start, outcome.result as Note | Discussion, attempts, waits);
      const { error, isSlow, limit } = outcome;
      const wait = retryDelay(limit, attempts, policy, time);
      const pause = async () => {
        onEvent({
          type: 'retry', request: error.request, attempt: attempts + 1, attempts: policy.retries + 1, wait,
          reason: reasonOf(error),
        });
        await waits.wait(wait, job.signal);
      };
      const isRepeated = () => attempts <= policy.retries && waits.fits(wait) && (job.resend || !isSlow);
      // Before the limit is reset, the service would not show the note either.
      const isPaused = limit !== null && isRepeated();
      if (isPaused) await pause();
      const copies = await look(job, start, outcome, waits);
      if (copies.length > 0) return existing(job, copies, 'attempt', mostCopies(job, attempts));
      if (isPaused) continue;
      if (!isRepeated()) throw error;
      await pause();
    }
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
    if (!isNote(place, body)) return (await call(endpoint, params, signal)).read();
    const resend = options.resend ?? marker !== null;
    const isFoundLater = given.key !== undefined || given.marker !== undefined;
    const job = jobOf(endpoint, params, place, marker,
      { resend, signal, lookBack: given.lookBack, isVisible: given.visibleMarker ?? false, isFoundLater });
    return marker?.['id'] === undefined ? inTurn(turnOf(job), () => create(job)) : create(job);
  };
};

/** The error of a note that is stored, and perhaps more than once. */
const unchecked = (job: Job, { id }: Note, cause: unknown): ResponseError =>
  new ResponseError(`stored note ${id}, but could not check whether it exists only once: `
    + (cause as Error).message, requestOf(job), 201, { cause });

interface Failure {
  readonly error: UnknownOutcome;
  /** The 429 that tells when to send the note again; null for any other error. */
  readonly limit: ApiError | null;
  /** Whether the service may still be working on the request. */
  readonly isSlow: boolean;
}

type Attempt = Failure | { readonly result: unknown };

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
const turnOf = ({ place, marker, text }: Job): string =>
  JSON.stringify([place.noteable, marker === null ? [place.path, text] : [marker['key'], marker['fp']]]);

/** Without a marker, no more copies are deleted than attempts can have made. */
const mostCopies = (job: Job, attempts: number): number => job.marker === null ? attempts - 1 : Infinity;

const reasonOf = (error: UnknownOutcome): string =>
  error instanceof ConnectionError ? error.code : `status ${error.status}`;

/** A proxy may limit a request that the service has stored already. */
const isLimited = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 429;

const requestOf = ({ endpoint, params }: Job): string =>
  `${endpoint.method} ${apiPrefix}${fillPath(endpoint.paths[0], params)}`;

/** Null for a response that is not what the service creates. */
const sightingOf = ({ place }: Job, result: Note | Discussion): Sighting | null => {
  const discussion = place.makes === 'thread' ? result as Discussion : null;
  const note = discussion ? (discussion.notes as Discussion['notes'] | undefined)?.[0] : result as Note;
  return note && Number.isInteger(note.id) ? { note, discussion } : null;
};
