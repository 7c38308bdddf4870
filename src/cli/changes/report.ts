import type { App } from '../app.js';
import { failureOf, messageAlone, Problem, type Code } from '../command-line/failure.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { printRequests, shownRequest } from '../service/connection/dry-run.js';
import type { Outcome } from './run.js';

export const printUnsentRequests = async (
  app: App, flags: GlobalFlags, outcomes: readonly Outcome<unknown, unknown>[],
): Promise<void> => {
  const requests = outcomes.flatMap(({ request }) => request ?? []);
  if (requests.length === 0) return;
  await printRequests(await Promise.all(requests.map((one) => shownRequest(one, app.secrets))), app, flags);
};

/** Several failures become one error with the code of the first. */
export const failureOfSteps = <S>(
  outcomes: readonly Outcome<S, unknown>[], name: (step: S) => string,
): Error | null => {
  const failed = outcomes.flatMap(({ step, status, error }) =>
    error && status === 'failed' ? [{ name: name(step), error }] : []);
  const first = failed[0]?.error ?? outcomes.find(({ error }) => error)?.error ?? null;
  const failure = failed.length > 1 ? failureOf(first) : null;
  if (failure === null) return first;
  return failureOfSeveral(failure.code, `${failed.length} of ${outcomes.length} changes failed`, failed);
};

export interface Failed {
  readonly name: string;
  readonly error: Error;
}

const precedence = [
  'unavailable', 'forbidden', 'rate_limited', 'unauthenticated', 'rejected', 'not_found',
] as const satisfies readonly Code[];

/** Of failures that do not depend on each other: the code of what to fix first. */
export const codeOfSeveral = (failed: readonly Failed[]): Code => {
  const codes = new Set(failed.map(({ error }) => failureOf(error)?.code));
  return precedence.find((code) => codes.has(code)) ?? 'failure';
};

/** @param what `2 of 5 changes failed` */
export const failureOfSeveral = (
  code: Code, what: string, failed: readonly Failed[], hint: string | null = null,
): Problem => new Problem(code, what, [
  ...firstLines(failed.map(({ name, error }) => `${name}: ${reasonOf(error)}`)), ...hint === null ? [] : [hint],
].join('\n'));

const mostLines = 20;

export const firstLines = (lines: readonly string[]): string[] => [
  ...lines.slice(0, mostLines).map((line) => `  ${line}`),
  ...lines.length > mostLines ? [`  and ${lines.length - mostLines} more`] : [],
];

export const reasonOf = (error: Error): string => {
  const failure = failureOf(error);
  return failure === null ? error.message : messageAlone(failure);
};
