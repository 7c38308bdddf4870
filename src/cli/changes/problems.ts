import type { App } from '../app.js';
import { Problem, type Code } from '../command-line/failure.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { say } from '../terminal/io/messages.js';
import { firstLines } from './report.js';

/** What is wrong with a plan before anything is sent. */
export interface PlanProblem {
  /** The service rejects an error; a warning is a doubt, or another service accepts it. */
  readonly level: 'error' | 'warning';
  readonly message: string;
  readonly hint: string;
}

interface Reporting {
  /** Whether warnings are errors. */
  readonly isStrict: boolean | undefined;
  readonly code: Code;
  /** `values cannot be set`, after their number. */
  readonly what: string;
}

/** Prints the warnings. @throws Problem that names all errors */
export const reportProblems = async (
  app: App, flags: GlobalFlags, findings: readonly PlanProblem[], { isStrict = false, code, what }: Reporting,
): Promise<void> => {
  const errors = findings.filter(({ level }) => isStrict || level === 'error');
  const warnings = findings.filter((one) => !errors.includes(one));
  for (const { message, hint } of warnings) await say(app, flags, `warning: ${message}; ${hint}`);
  throwAll(errors, code, what);
};

/** @throws Problem that names all, if there are any */
export const throwAll = (
  errors: readonly Pick<PlanProblem, 'message' | 'hint'>[], code: Code, what: string,
): void => {
  const [first, ...others] = errors;
  if (first === undefined) return;
  if (others.length === 0) throw new Problem(code, first.message, first.hint);
  throw new Problem(code, `${errors.length} ${what}`,
    firstLines(errors.map(({ message, hint }) => `${message}; ${hint}`)).join('\n'));
};
