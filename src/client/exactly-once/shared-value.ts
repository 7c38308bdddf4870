import { ApiError, ConnectionError, failureReason, isOutcomeUnknown, type UnknownOutcome } from '../errors.js';
import type { Observer } from '../events.js';
import { repeat, retryDelay, type RetryPolicy } from '../retry.js';
import { elapsed, type Time } from '../../wire/time.js';

export interface Move<T> {
  /** Null while the state lacks what this writer wants to be in it. */
  readonly result: T | null;
  /** Whether nothing is left to do, whatever others write. */
  readonly isFinal?: boolean;
  /** Null if the state is as wanted. Resolves to the revision that it has stored; null if that is not known. */
  readonly write: (() => Promise<string | null>) | null;
}

export interface SharedValue<S, T> {
  readonly read: () => Promise<S>;
  /** Two states with the same revision are equal. */
  readonly revisionOf: (state: S) => string;
  readonly moveFor: (state: S) => Move<T>;
  /** In milliseconds, of all requests of this program so far. */
  readonly slowestRequest: () => number;
}

interface WriterContext {
  readonly time: Time;
  readonly policy: RetryPolicy;
  readonly onEvent: Observer;
  readonly signal: AbortSignal | undefined;
}

/** In milliseconds. */
const settling = {
  leastQuiet: 2_000,
  mostQuiet: 10_000,
  leastBackoff: 100,
  /** How long a writer goes on that loses its part each time. */
  mostTime: 300_000,
};

interface Progress {
  readonly start: number;
  /** When the last change was seen; null before the first one. */
  changed: number | null;
  written: number | null;
  revision: string | null;
  writes: number;
  /** Whether the random wait before a repeated write is over. */
  hasWaited: boolean;
  readonly failures: { count: number };
}

/**
 * Writes until a read shows that the writes of others, made from earlier states, have not removed what was written: the
 * service cannot compare before it writes. The wait is long enough for writers whose requests are three times as slow
 * as the own ones.
 * @returns null if the value keeps changing
 */
export const writeSharedValue = async <S, T>(value: SharedValue<S, T>, context: WriterContext): Promise<T | null> => {
  const { time, policy, signal, onEvent } = context;
  const progress: Progress = {
    start: elapsed(time), changed: null, written: null, revision: null, writes: 0, hasWaited: false,
    failures: { count: 0 },
  };
  const outcome = await repeat(() => untilFailure(value, progress, context), {
    most: (one) => one instanceof Error ? policy.retries : 0,
    wait: (attempt, one) => retryDelay(one instanceof ApiError ? one : null, attempt, policy, time),
    pause: async (retry, one) => {
      if (!(one instanceof Error)) return;
      onEvent({ type: 'retry', request: one.request, ...retry, reason: failureReason(one) });
      await time.sleep(retry.wait, signal);
    },
  }, progress.failures);
  if (outcome instanceof Error) throw outcome;
  return outcome.result;
};

const untilFailure = async <S, T>(
  value: SharedValue<S, T>, progress: Progress, { time, signal }: WriterContext,
): Promise<{ readonly result: T | null } | UnknownOutcome> => {
  for (;;) {
    const began = elapsed(time);
    const state = await value.read();
    noteRevision(progress, value.revisionOf(state), time);
    const move = value.moveFor(state);
    const isLate = began - progress.start > settling.mostTime;
    const isThere = move.result !== null && isSettled(progress, move, began, value.slowestRequest());
    if (isLate || move.isFinal || isThere) return move;
    const isBackingOff = move.write !== null && progress.writes > 0 && !progress.hasWaited;
    if (move.write !== null && !isBackingOff) {
      const failure = await write(progress, move.write, time);
      if (failure !== null) return failure;
    }
    progress.hasWaited = isBackingOff;
    const slowest = value.slowestRequest();
    await time.sleep(isBackingOff ? backoff(progress, slowest, time) : quietOf(slowest) / 2, signal);
  }
};

const noteRevision = (progress: Progress, revision: string, time: Time): void => {
  if (progress.revision !== null && revision !== progress.revision) progress.changed = elapsed(time);
  progress.revision = revision;
};

/** How long the state has to stay the same, from the last change to the start of a read. */
const quietOf = (slowest: number): number =>
  Math.min(settling.mostQuiet, Math.max(settling.leastQuiet, 3 * slowest));

/** Writers that end one after the other do not keep each other waiting: the own part stays for the longest time. */
const isSettled = <T>({ changed, written }: Progress, move: Move<T>, began: number, slowest: number): boolean => {
  if (move.write !== null) return false;
  if (written !== null && began - written >= settling.mostQuiet) return true;
  return changed === null || began - changed >= quietOf(slowest);
};

/** In milliseconds. At random, so that writers that lost their parts together do not write together. */
const backoff = ({ writes }: Progress, slowest: number, { random }: Time): number =>
  Math.min(settling.mostQuiet, Math.max(settling.leastBackoff, 2 * slowest) * 2 ** Math.min(writes - 1, 3)) * random();

/** A failed write may be stored. It is not repeated as it is: others may have written in the meantime. */
const write = async (
  progress: Progress, send: () => Promise<string | null>, time: Time,
): Promise<UnknownOutcome | null> => {
  progress.writes++;
  try {
    progress.revision = await send();
    progress.failures.count = 0;
    return null;
  } catch (error) {
    if (!isTemporary(error)) throw error;
    progress.hasWaited = true;
    return error;
  } finally {
    progress.changed = elapsed(time);
    progress.written = progress.changed;
  }
};

/** Those that create and delete notes repeat their requests themselves. */
const isTemporary = (error: unknown): error is UnknownOutcome =>
  (isOutcomeUnknown(error) || error instanceof ConnectionError
    || (error instanceof ApiError && (error.status === 429 || error.status >= 500)))
  && error.request.startsWith('PUT ');
