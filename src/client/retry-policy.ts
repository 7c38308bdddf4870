/** When a failed request is sent again, as one value. All times in milliseconds. */
export interface RetryPolicy {
  /** How often a request is sent again at most; 0 for never. */
  readonly retries: number;
  /** The wait before the first repeat where the service names none; doubles with each. */
  readonly firstWait: number;
  /** The longest wait that is chosen where the service names none. */
  readonly longestWait: number;
  /** What all waits of one call may add up to; a longer one is not begun and the failure stands. */
  readonly totalWait: number;
}

/** Long enough for a rate limit counted by the minute (wire-facts 4.12). */
export const defaultRetry: RetryPolicy = { retries: 4, firstWait: 250, longestWait: 8_000, totalWait: 90_000 };

/** Every failure stands at once. */
export const noRetry: RetryPolicy = { ...defaultRetry, retries: 0 };
