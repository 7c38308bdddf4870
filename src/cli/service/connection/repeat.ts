import { isDamaged } from '../../../client/damaged.js';
import { ApiError } from '../../../client/errors.js';
import { isOutcomeUnknown } from '../../../client/once/outcome.js';
import type { App } from '../../app.js';

/**
 * Repeats a step of a pipeline command after a failure that the client does not repeat by itself: a 500, and a damaged
 * response, which is repeated less often because it may come from a wrong address.
 * @param step reads, or changes something so that a second run changes nothing more
 * @param failures counts failures; steps that share one are repeated less often together
 */
export const repeated = async <T>(app: App, step: () => Promise<T>, failures = { count: 0 }): Promise<T> => {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (++failures.count > mostFailures(error)) throw error;
      await app.sleep(Math.min(200 * 2 ** (failures.count - 1), 5_000));
    }
  }
};

const mostFailures = (error: unknown): number => {
  if (error instanceof ApiError) return error.status === 500 && isOutcomeUnknown(error) ? 5 : 0;
  return isDamaged(error) ? 2 : 0;
};

/** For a DELETE that may run twice, or whose target an outdated read still had. */
export const ignoreGone = (error: unknown): void => {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
};
