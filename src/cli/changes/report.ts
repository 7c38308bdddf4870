import type { App } from '../app.js';
import { type Code, failureOf, messageAlone, Problem } from '../command-line/failure.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { say } from '../terminal/io/messages.js';

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

/** Keeps the failures, so that one of several can be told with its own. */
class SeveralFailures extends Problem {
  constructor(code: Code, what: string, readonly failed: readonly Failed[], hint: string | null) {
    super(code, what, [...firstLines(failureLines(failed)), ...hint === null ? [] : [hint]].join('\n'));
  }
}

export const failureOfSeveral = (
  code: Code, what: string, failed: readonly Failed[], hint: string | null = null,
): Problem => new SeveralFailures(code, what, failed, hint);

const failureLines = (failed: readonly Failed[]): string[] => failed.flatMap(({ name, error }) => [
  `${name}: ${errorReason(error)}`, ...error instanceof SeveralFailures ? firstLines(failureLines(error.failed)) : [],
]);

const mostLines = 20;

export const firstLines = (lines: readonly string[]): string[] => [
  ...lines.slice(0, mostLines).map((line) => `  ${line}`),
  ...lines.length > mostLines ? [`  and ${lines.length - mostLines} more`] : [],
];

export const errorReason = (error: Error): string => {
  const failure = failureOf(error);
  return failure === null ? error.message : messageAlone(failure);
};

export interface PlanProblem {
  /** The service rejects an error; a warning is a doubt, or another service accepts it. */
  readonly level: 'error' | 'warning';
  readonly message: string;
  readonly hint: string;
}

interface Reporting {
  readonly isStrict: boolean | undefined;
  readonly code: Code;
  readonly what: string;
}

/** Prints the warnings. @throws Problem that names all errors */
export const reportProblems = async (
  app: App, flags: GlobalFlags, findings: readonly PlanProblem[], { isStrict = false, code, what }: Reporting,
): Promise<void> => {
  const errors = findings.filter(({ level }) => isStrict || level === 'error');
  const warnings = findings.filter((one) => !errors.includes(one));
  for (const { message, hint } of warnings) {
    app.activity.warnings.push(`${message}; ${hint}`);
    await say(app, flags, `warning: ${message}; ${hint}`);
  }
  throwAll(errors, code, what);
};

export const throwAll = (
  errors: readonly Pick<PlanProblem, 'message' | 'hint'>[], code: Code, what: string,
): void => {
  const [first, ...others] = errors;
  if (first === undefined) return;
  if (others.length === 0) throw new Problem(code, first.message, first.hint);
  throw new Problem(code, `${errors.length} ${what}`,
    firstLines(errors.map(({ message, hint }) => hint === '' ? message : `${message}; ${hint}`)).join('\n'));
};
