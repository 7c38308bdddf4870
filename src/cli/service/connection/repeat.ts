import { defaultRetry, repeatAfterServerErrors } from '../../../client/retry.js';
import type { App } from '../../app.js';

/** @param step may run twice @param failures counted over all steps that share it: these are repeated less often */
export const repeated = <T>(app: App, step: () => Promise<T>, failures?: { count: number }): Promise<T> => {
  const time = { now: () => app.now().getTime(), sleep: (ms: number) => app.sleep(ms), random: () => 1 };
  return repeatAfterServerErrors(step, defaultRetry, time, failures && { failures });
};
