import { defaultRetry, repeatAfterServerErrors } from '../../../client/retry.js';
import type { App } from '../../app.js';

/**
 * Repeats a step of a pipeline command after a failure that the client does not repeat by itself.
 * @param step reads, or changes something so that a second run changes nothing more
 * @param failures counts failures; steps that share one are repeated less often together
 */
export const repeated = <T>(app: App, step: () => Promise<T>, failures?: { count: number }): Promise<T> => {
  const time = { now: () => app.now().getTime(), sleep: (ms: number) => app.sleep(ms), random: () => 1 };
  return repeatAfterServerErrors(step, defaultRetry, time, failures && { failures });
};
