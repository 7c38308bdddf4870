import type { App } from '../app.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { agree, type Question } from './ask.js';
import { plannedOutcomes, runSteps, type Course, type Outcome } from './run.js';

/** For steps that depend on each other. */
interface Undertaking<S, R> extends Question, Pick<Course<S, R>, 'make' | 'progress'> {
  /** Such as to begin a journal. */
  readonly begin: () => Promise<void>;
  readonly recovery: string;
  /** Null if there is no difference from the plan. */
  readonly verify: () => Promise<Error | null>;
  /** After a run without errors. */
  readonly end: () => Promise<void>;
}

interface CarriedOut<S, R> {
  readonly outcomes: readonly Outcome<S, R>[];
  readonly isPlan: boolean;
  readonly error: Error | null;
}

/** Ends at the first failure. */
export const carryOut = async <S, R>(
  app: App, flags: GlobalFlags, steps: readonly S[], { begin, recovery, verify, end, ...plan }: Undertaking<S, R>,
): Promise<CarriedOut<S, R>> => {
  await agree(app, flags, plan);
  if (flags.dryRun) return { outcomes: plannedOutcomes(steps), isPlan: true, error: null };
  await begin();
  app.activity.recovery = recovery;
  const outcomes = await runSteps(app, flags, steps, { ...plan, ends: () => true });
  const error = outcomes.find((outcome) => outcome.error)?.error ?? await verify().catch((reason: Error) => reason);
  if (!error) await end();
  return { outcomes, isPlan: false, error };
};
