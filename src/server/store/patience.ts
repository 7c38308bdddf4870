import { setTimeout as pause } from 'node:timers/promises';

/** How long, in milliseconds, a unit of work waits while another process holds the file. */
export const defaultPatience = 5_000;

/** Milliseconds between tries, as SQLite's own waiting has them: most locks are held for a single write. */
const pauses = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50];

/** The pause after so many tries that failed. */
export const pauseAfter = (tries: number): Promise<void> => pause(pauses[tries - 1] ?? 50);

/**
 * Repeats an attempt while it fails because another process holds the file. The event loop is free in between.
 * @throws the last failure when the patience is over, any other failure at once
 */
export const whileLocked = <T>(
  attempt: () => Promise<T>, isLocked: (error: unknown) => boolean, patience: number,
): Promise<T> => {
  let end: AbortSignal | undefined;
  let tries = 0;
  const afterFailure = async (error: unknown): Promise<T> => {
    if (!isLocked(error) || end?.aborted) throw error;
    end ??= AbortSignal.timeout(patience);
    await pauseAfter(++tries);
    return attempt().catch(afterFailure);
  };
  return attempt().catch(afterFailure);
};
