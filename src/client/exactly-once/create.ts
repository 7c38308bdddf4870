import type { Discussion, Note } from '../../contract/shapes/note.js';
import { isStoredAs, readMarker } from '../../wire/note-text.js';
import type { Call } from '../calls.js';
import {
  ApiError, ConnectionError, isOutcomeUnknown, isSlow, MarkerLostError, ResponseError, type UnknownOutcome,
} from '../errors.js';
import type { Observer } from '../events.js';
import { repeat, retryDelay, type RetryPolicy, type Waits } from '../retry.js';
import type { Time } from '../time.js';
import { sortCopies } from './copies.js';
import { addResult, type KnownNotes, newCopies, removeNote, threadOf } from './known-notes.js';
import { identityOf, noteRequestLine, type NoteRequest } from './note-request.js';
import type { FoundNote } from './reads.js';

/** How a note was stored: the response of the last attempt, or the copies that were found after a failed one. */
type Stored = { readonly result: Note | Discussion } | { readonly copies: readonly FoundNote[] };

/**
 * Looks for the note after each attempt and again before the next one, as a service may store it late; after a 429 only
 * when the limit is reset, because the service would not show it before that.
 */
export const sendUntilStored = async (creating: Creating): Promise<Stored & { readonly attempts: number }> => {
  const { policy, time, waits, onEvent, request } = creating;
  let attempts = 0;
  let failed: Failure | null = null;
  const found = async (failure: Failure): Promise<Stored | Failure> => {
    const copies = await lookAfterFailure(creating, failure);
    return copies.length > 0 ? { copies } : failure;
  };
  const work = async (): Promise<Stored | Failure> => {
    const earlier = failed && await found({ ...failed, isSlow: false });
    if (earlier && 'copies' in earlier) return earlier;
    const outcome = await attempt(creating, attempts++);
    failed = 'error' in outcome ? outcome : null;
    return failed && !limitOf(failed) ? found(failed) : outcome;
  };
  const outcome = await repeat(work, {
    most: (one) => 'error' in one && (request.resend || !one.isSlow) ? policy.retries : 0,
    wait: (failed, one) => retryDelay('error' in one ? limitOf(one) : null, failed, policy, time),
    waits,
    pause: async (retry, one) => {
      if (!('error' in one)) return;
      onEvent({ type: 'retry', request: one.error.request, ...retry, reason: failureReason(one) });
      await waits.wait(retry.wait, request.signal);
    },
  });
  const last = 'error' in outcome && limitOf(outcome) ? await found(outcome) : outcome;
  if ('error' in last) throw last.error;
  return { ...last, attempts };
};

const attempt = async ({ call, request }: Creating, earlier: number): Promise<Stored | Failure> => {
  const { endpoint, params, signal } = request;
  try {
    const { read } = await call(endpoint, params, signal, { returns429: true });
    const result = read() as Note | Discussion;
    rejectOtherNote(request, noteIn(request, result).note);
    return { result };
  } catch (error) {
    if (isLimit(error)) return { error: afterEarlier(error, earlier), isSlow: false };
    if (isOutcomeUnknown(error)) return { error: afterEarlier(error, earlier), isSlow: isSlow(error) };
    throw error;
  }
};

/** What follows may change or delete the note, so it has to be the one that was sent. @throws ResponseError */
const rejectOtherNote = (request: NoteRequest, { id, body }: Note): void => {
  const { marker, text } = readMarker(String(body));
  const isSent = request.marker === null || (marker !== null && identityOf(marker) === identityOf(request.marker))
    || isStoredAs(withoutComments(request.text), withoutComments(text));
  if (!isSent) throw new ResponseError(`the response is another note: ${id}`, noteRequestLine(request), 201);
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

const limitOf = ({ error }: Failure): ApiError | null => isLimit(error) ? error : null;

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
  readonly same: boolean;
}

/** @param most how many copies may be deleted */
export const keepExisting = async (
  creating: Creating, copies: readonly FoundNote[], by: ExistingNote['by'], most = Infinity,
): Promise<CreatedNote> => {
  const { request, onEvent } = creating;
  const kept = await keepOne(creating, copies, most);
  const same = isStoredAs(request.text, readMarker(kept.note.body).text);
  onEvent({ type: 'existing', request: noteRequestLine(request), note: kept.note.id, by, same });
  return createdNote(creating, kept, { by, same });
};

/** @throws MarkerLostError if later runs would not find the note; then it is deleted */
export const keepCreated = async (
  creating: Creating, result: Note | Discussion, attempts: number,
): Promise<CreatedNote> => {
  const { request } = creating;
  const created = noteIn(request, result);
  if (request.isFoundLater && readMarker(created.note.body).marker === null) throw await markerLost(creating, created);
  // A backdated note can be on any page: concurrent copies are found by the scan of a later run.
  if (attempts === 1 && (!request.isKeyed || request.isBackdated)) return createdNote(creating, created, null);
  try {
    const copies = await lookAfterCreate(creating, created);
    if (copies.length === 0) return await createdNote(creating, created, null);
    const kept = await keepOne(creating, copies, mostCopies(request, attempts));
    return await createdNote(creating, kept.note.id === created.note.id ? created : kept, null);
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    throw unchecked(request, created.note, cause);
  }
};

/** Without a marker, no more copies are deleted than attempts can have made. */
export const mostCopies = ({ marker }: NoteRequest, attempts: number): number =>
  marker === null ? attempts - 1 : Infinity;

export const noteIn = (request: NoteRequest, result: Note | Discussion): FoundNote => {
  const discussion = request.place.makes === 'thread' ? result as Discussion : null;
  const note = discussion ? (discussion.notes as Discussion['notes'] | undefined)?.[0] : result as Note;
  if (note && Number.isInteger(note.id)) return { note, discussion };
  throw new ResponseError('the response contains no note', noteRequestLine(request), 201);
};

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
  creating: Creating, found: FoundNote, existing: ExistingNote | null,
): Promise<CreatedNote> => {
  const { request } = creating;
  const { note, discussion } = found;
  addResult(creating, request, found);
  const thread = request.place.makes === 'thread' ? discussion ?? await threadOf(creating, request, note) : null;
  return { note, thread, existing };
};

const markerLost = async (creating: Creating, created: FoundNote): Promise<MarkerLostError> => {
  const { place, signal } = creating.request;
  const isDeleted = await removeNote(creating, place, created, signal).then(() => true, () => false);
  return new MarkerLostError(created.note.id, isDeleted, noteRequestLine(creating.request));
};

/** The note is stored, and perhaps more than once. */
const unchecked = (request: NoteRequest, { id }: Note, cause: unknown): ResponseError =>
  new ResponseError(`stored note ${id}, but could not check whether it exists only once: `
    + (cause as Error).message, noteRequestLine(request), 201, { cause });

export interface Context extends KnownNotes {
  readonly call: Call;
  readonly policy: RetryPolicy;
  readonly time: Time;
  readonly onEvent: Observer;
}

export interface Creating extends Context {
  readonly request: NoteRequest;
  readonly start: number;
  readonly waits: Waits;
}

export interface Failure {
  readonly error: UnknownOutcome;
  /** Whether the service may still be working on the request. */
  readonly isSlow: boolean;
}

export const failureReason = ({ error }: Failure): string =>
  error instanceof ConnectionError ? error.code : `status ${error.status}`;

/** A slow service may store a note after its timeout: looks 1, 2 and 4 seconds later with the default policy. */
const looksOf = ({ retries, firstWait, longestWait }: RetryPolicy): readonly number[] =>
  [5, 10, 20].slice(0, retries).map((times) => Math.min(times * firstWait, longestWait));

/** If the copies cannot be read, or distinguished from older notes, the error of the attempt is thrown. */
const lookAfterFailure = async (creating: Creating, failure: Failure): Promise<readonly FoundNote[]> => {
  const { policy, waits, onEvent, request, start } = creating;
  const { error, isSlow } = failure;
  let isCertain = true;
  try {
    for (const wait of isSlow ? [0, ...looksOf(policy)] : [0]) {
      if (!waits.fits(wait)) break;
      onEvent({ type: 'check', request: error.request, wait, reason: failureReason(failure) });
      await waits.wait(wait, request.signal);
      const found = await newCopies(creating, request, { at: start });
      if (found.copies.length > 0) return found.copies;
      isCertain = found.isCertain;
    }
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    throw error;
  }
  if (!isCertain) throw error;
  return [];
};

/**
 * A replica that lags behind does not show the new note yet; if there is an earlier copy, another run may have deleted
 * the new note. The new note shows the clock of notes, while the dates of responses may come from a proxy: so a copy of
 * an earlier attempt may be recognized only now.
 */
const lookAfterCreate = async (creating: Creating, created: FoundNote): Promise<readonly FoundNote[]> => {
  const { policy, waits, request, start, time } = creating;
  const ahead = request.isBackdated ? NaN : Date.parse(created.note.created_at) - time.now();
  const began = { at: start, ahead: Number.isNaN(ahead) ? undefined : ahead };
  for (const wait of [0, ...looksOf(policy)]) {
    if (!waits.fits(wait)) break;
    await waits.wait(wait, request.signal);
    const { copies } = await newCopies(creating, request, began);
    if (copies.some(({ note }) => note.id === created.note.id)) return copies;
    if (copies.some(({ note }) => note.id < created.note.id)) return [...copies, created];
  }
  return [];
};
