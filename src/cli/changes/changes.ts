import type { App } from '../app.js';
import { failureOf, Problem } from '../command-line/errors/failure.js';
import type { GlobalFlags } from '../command-line/flags/global.js';
import { DryRun, shownRequest } from '../service/connection/dry-run.js';
import { isFinal } from '../service/connection/shared-cause.js';

/** One of several writes. */
export interface Change {
  /** As the user named what it changes. */
  readonly name: string;
  readonly make: () => Promise<void>;
}

interface FailedChange {
  readonly name: string;
  readonly error: Error;
}

/**
 * Makes changes one after the other. After a failure the others are still made, unless they would fail for the same
 * reason. A dry run prints the requests of all.
 * @returns the error to report; null if all changes were made
 */
export const makeChanges = async (
  app: App, flags: GlobalFlags, changes: readonly Change[],
): Promise<Error | null> => {
  const failed: FailedChange[] = [];
  const held: DryRun[] = [];
  for (const { name, make } of changes) {
    const error = await make().then(() => null, (reason: Error) => reason);
    if (error instanceof DryRun) held.push(error);
    else if (error !== null) failed.push({ name, error });
    if (error !== null && isFinal(error)) break;
  }
  if (held.length > 0) await printHeld(app, flags, held);
  return failureOfAll(failed, changes.length);
};

const printHeld = async (app: App, flags: GlobalFlags, held: readonly DryRun[]): Promise<void> => {
  const { printRequests } = await import('../service/connection/request-printer.js');
  await printRequests(await Promise.all(held.map((one) => shownRequest(one, app.secrets))), app, flags);
};

/** A single failure is reported as it is; several become one error with the code of the first. */
const failureOfAll = ([first, ...others]: readonly FailedChange[], count: number): Error | null => {
  if (first === undefined) return null;
  const failure = failureOf(first.error);
  if (others.length === 0 || failure === null) return first.error;
  const lines = [first, ...others].map(({ name, error }) => `  ${name}: ${(failureOf(error) ?? failure).message}`);
  return new Problem(failure.code, `${lines.length} of ${count} changes failed`, lines.join('\n'));
};
