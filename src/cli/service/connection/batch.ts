import {
  ApiError, ConnectionError, isDamaged, MarkerLostError, MovedProjectError, ResponseError,
} from '../../../client/errors.js';
import { defaultRetry, repeat, retryDelay } from '../../../client/retry.js';
import { lacksScope } from '../../../wire/error-response.js';
import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import { DryRun } from './dry-run.js';

export const maxParallel = 24;

/** A few items at a time, with the results in their order. The first failure stops the others. */
export const mapInParallel = async <T, R>(
  items: readonly T[], work: (item: T, signal: AbortSignal, at: number) => Promise<R>,
): Promise<R[]> => {
  const stop = new AbortController();
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length && !stop.signal.aborted) {
      const at = next++;
      results[at] = await work(items[at]!, stop.signal, at);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(maxParallel, items.length) }, lane));
    return results;
  } finally {
    stop.abort();
  }
};

/** The time of the work is not counted; after it, the whole time starts again. */
export const withoutDeadline = async <T>({ deadline }: App, work: () => Promise<T>): Promise<T> => {
  deadline.stop();
  try {
    return await work();
  } finally {
    deadline.restart();
  }
};

/** Calls at most once: everybody gets the same result. */
export const once = <T extends object>(call: () => T): (() => T) => {
  let result: T | undefined;
  return () => result ??= call();
};

export const oncePer = <K, T extends object>(call: (key: K) => T): ((key: K) => T) => {
  const known = new Map<K, T>();
  return (key) => {
    const result = known.get(key) ?? call(key);
    known.set(key, result);
    return result;
  };
};

interface StepRepeats {
  /** Counted over all steps that share it: these are repeated less often. */
  readonly failures?: { count: number };
  /** Whether nothing in the step has repeated the failed request already. */
  readonly isFirstFailure?: (error: ApiError | ResponseError) => boolean;
}

/** Repeats a step, which may run twice, after a 500 or a damaged response. */
export const repeatStep = async <T>(
  app: App, step: () => Promise<T>, { failures, isFirstFailure = () => true }: StepRepeats = {},
): Promise<T> => {
  const time = { now: () => app.now().getTime(), sleep: (ms: number) => app.sleep(ms), random: () => 1 };
  const tried = await repeat(() => step().then((value) => ({ value }), (error: unknown) => ({ error })), {
    most: (outcome) => 'error' in outcome ? mostRepeats(outcome.error, isFirstFailure) : 0,
    wait: (attempt) => retryDelay(null, attempt, defaultRetry, time),
    pause: ({ wait }) => app.sleep(wait),
  }, failures);
  if ('value' in tried) return tried.value;
  throw tried.error;
};

/** A damaged response may come from a wrong address. */
const mostRepeats = (error: unknown, isFirstFailure: NonNullable<StepRepeats['isFirstFailure']>): number => {
  const { retries, unreached } = defaultRetry;
  if (error instanceof ApiError) return error.status === 500 && isFirstFailure(error) ? retries : 0;
  return isDamaged(error) && isFirstFailure(error) ? Math.min(retries, unreached) : 0;
};

/** Whether every other change would fail too. A connection that breaks may be due to the text of one note. */
export const isFinal = (error: Error): boolean => {
  if (error instanceof MarkerLostError || error instanceof MovedProjectError) return true;
  if (error instanceof ApiError) return error.status === 401 || error.status === 429 || lacksScope(error);
  if (error instanceof ConnectionError) return !error.sent;
  return !(error instanceof ResponseError || error instanceof Problem || error instanceof DryRun);
};
