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

/** What all notes of a client share. */
export interface Context extends KnownNotes {
  readonly call: Call;
  readonly policy: RetryPolicy;
  readonly time: Time;
  readonly onEvent: Observer;
}

/** One note that is being created. */
export interface Creating extends Context {
  readonly request: NoteRequest;
  /** When the call began, by the local clock. */
  readonly start: number;
  readonly waits: Waits;
}

/** A failed attempt that may have stored the note. */
export interface Failure {
  readonly error: UnknownOutcome;
  /** Whether the service may still be working on the request. */
  readonly isSlow: boolean;
}

/** Why an attempt failed, as events name it. */
export const reasonOf = ({ error }: Failure): string =>
  error instanceof ConnectionError ? error.code : `status ${error.status}`;

/**
 * When to look again for a note that a slow service may store after its timeout, in milliseconds: 1, 2 and 4 seconds
 * with the default policy.
 */
const looksOf = ({ retries, firstWait, longestWait }: RetryPolicy): readonly number[] =>
  [5, 10, 20].slice(0, retries).map((times) => Math.min(times * firstWait, longestWait));

/** The copies of a note after a failed attempt. If they cannot be read, the error of the attempt is thrown. */
export const lookAfterFailure = async (creating: Creating, failure: Failure): Promise<readonly FoundNote[]> => {
  const { policy, waits, onEvent, request, start } = creating;
  const { error, isSlow } = failure;
  try {
    for (const wait of isSlow ? [0, ...looksOf(policy)] : [0]) {
      if (!waits.fits(wait)) break;
      onEvent({ type: 'check', request: error.request, wait, reason: reasonOf(failure) });
      await waits.wait(wait, request.signal);
      const copies = await newCopies(creating, request, start);
      if (copies.length > 0) return copies;
    }
    return [];
  } catch (cause) {
    if (request.signal?.aborted) throw cause;
    throw error;
  }
};

/**
 * The copies of a note after it was created. A replica that lags behind does not show the new note yet; if there is an
 * earlier copy, another run may have deleted the new note.
 */
export const lookAfterCreate = async (creating: Creating, created: FoundNote): Promise<readonly FoundNote[]> => {
  const { policy, waits, request, start } = creating;
  for (const wait of [0, ...looksOf(policy)]) {
    if (!waits.fits(wait)) break;
    await waits.wait(wait, request.signal);
    const copies = await newCopies(creating, request, start);
    if (copies.some(({ note }) => note.id === created.note.id)) return copies;
    if (copies.some(({ note }) => note.id < created.note.id)) return [...copies, created];
  }
  return [];
};
