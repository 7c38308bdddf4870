import type { App } from '../app.js';
import type { GlobalFlags } from '../command-line/flags/global.js';
import { agree, type Question } from './ask.js';
import { plannedOutcomes, runSteps, type Course, type Outcome } from './run.js';

/** How a plan is carried out whose steps depend on each other. */
interface Undertaking<S, R> extends Question, Pick<Course<S, R>, 'make' | 'progress'> {
  /** Before the first step, as to begin a journal. */
  readonly begin: () => Promise<void>;
  /** What to do after an interrupt. */
  readonly recovery: string;
  /** The difference from the plan after the last step; null if there is none. */
  readonly verify: () => Promise<Error | null>;
  /** After a run without errors. */
  readonly end: () => Promise<void>;
}

/** What came of a plan. */
interface CarriedOut<S, R> {
  readonly outcomes: readonly Outcome<S, R>[];
  /** Whether the changes were only planned. */
  readonly isPlan: boolean;
  readonly error: Error | null;
}

/** Shows a plan, asks, makes the steps in order up to the first failure, and verifies them. */
export const carryOut = async <S, R>(
  app: App, flags: GlobalFlags, steps: readonly S[], { begin, recovery, verify, end, ...plan }: Undertaking<S, R>,
): Promise<CarriedOut<S, R>> => {
  await agree(app, flags, plan);
  if (flags.dryRun) return { outcomes: plannedOutcomes(steps), isPlan: true, error: null };
  await begin();
  app.journal.recovery = recovery;
  const outcomes = await runSteps(app, flags, steps, { ...plan, ends: () => true });
  const error = outcomes.find((outcome) => outcome.error)?.error ?? await verify().catch((reason: Error) => reason);
  if (!error) await end();
  return { outcomes, isPlan: false, error };
};
