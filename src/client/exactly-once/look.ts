import type { Call } from '../calls.js';
import { ConnectionError } from '../errors.js';
import type { Observer } from '../middleware/events.js';
import type { UnknownOutcome } from '../outcome.js';
import type { RetryPolicy, Waits } from '../retry.js';
import type { Time } from '../time.js';
import type { KnownNotes } from './marked-notes.js';
import type { NoteRequest } from './note-request.js';
import type { FoundNote } from './reads.js';
import { newCopies } from './search.js';

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

export const reasonOf = ({ error }: Failure): string =>
  error instanceof ConnectionError ? error.code : `status ${error.status}`;

/** A slow service may store a note after its timeout: looks 1, 2 and 4 seconds later with the default policy. */
const looksOf = ({ retries, firstWait, longestWait }: RetryPolicy): readonly number[] =>
  [5, 10, 20].slice(0, retries).map((times) => Math.min(times * firstWait, longestWait));

/** If the copies cannot be read, or not be told from older notes, the error of the attempt is thrown. */
export const lookAfterFailure = async (creating: Creating, failure: Failure): Promise<readonly FoundNote[]> => {
  const { policy, waits, onEvent, request, start } = creating;
  const { error, isSlow } = failure;
  let isCertain = true;
  try {
    for (const wait of isSlow ? [0, ...looksOf(policy)] : [0]) {
      if (!waits.fits(wait)) break;
      onEvent({ type: 'check', request: error.request, wait, reason: reasonOf(failure) });
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
export const lookAfterCreate = async (creating: Creating, created: FoundNote): Promise<readonly FoundNote[]> => {
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
