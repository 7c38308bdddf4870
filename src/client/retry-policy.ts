/** When a failed request is sent again, as one value. All times in milliseconds. */
export interface RetryPolicy {
  /** How often a request is sent again at most; 0 for never. */
  readonly retries: number;
  /** How often at most where nothing was reached at all: a wrong address is to be told soon. */
  readonly unreached: number;
  /** The wait before the first repeat where the service names none; doubles with each. */
  readonly firstWait: number;
  /** The same after a 429: limits are counted by the minute, and older services name no time (wire-facts 4.12.2). */
  readonly limitedWait: number;
  /** The longest wait that is chosen where the service names none. */
  readonly longestWait: number;
  /** What all waits of one call may add up to; a longer one is not begun and the failure stands. */
  readonly totalWait: number;
}

/** Gives up on what is not there within a second, and waits out a rate limit counted by the minute. */
export const defaultRetry: RetryPolicy = {
  retries: 5, unreached: 2, firstWait: 200, limitedWait: 2_000, longestWait: 30_000, totalWait: 90_000,
};

/** Every failure stands at once. */
export const noRetry: RetryPolicy = { ...defaultRetry, retries: 0 };
