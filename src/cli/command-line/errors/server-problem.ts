import { Problem } from './failure.js';

const expected = new Set(['WorldError', 'StoreError', 'ListenError', 'FaultError', 'ClockError']);

/** Of an error of the test server that the user can do something about, with its hint; null for others. */
export const serverProblem = (error: unknown): Problem | null => {
  const { name, message, hint } = error as Error & { hint?: string };
  return expected.has(name) ? new Problem('usage', message, hint ?? null, { cause: error }) : null;
};
