import type { App } from '../app.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { DryRun } from '../service/connection/dry-run.js';
import { isFinal } from '../service/connection/batch.js';
import { progressOn } from '../terminal/io/progress.js';

export interface Outcome<S, R> {
  readonly step: S;
  /** `skipped` after the failure that ended the run, which is its error. */
  readonly status: 'planned' | 'done' | 'failed' | 'skipped';
  readonly result?: R;
  readonly error?: Error;
  /** Not sent by a dry run. */
  readonly request?: DryRun;
}

export interface Course<S, R> {
  readonly make: (step: S) => Promise<R>;
  /** Whether a failure ends the run; by default one that all other steps would share. */
  readonly ends?: (error: Error) => boolean;
  /** How many steps may run at the same time; asked before each step. */
  readonly atOnce?: () => number;
  /** Steps with the same value run one after the other. */
  readonly inTurn?: (step: S) => unknown;
  /** The progress line: `posting 2 of 7 …`. */
  readonly progress?: (number: number, count: number) => string;
}

/** In the order of the plan. @throws the reason of an interrupt, but no error of a step */
export const runSteps = async <S, R>(
  app: App, flags: GlobalFlags, steps: readonly S[], course: Course<S, R>,
): Promise<readonly Outcome<S, R>[]> => {
  const { make, ends = isFinal, progress: line } = course;
  const progress = progressOn(app, flags);
  const outcomes: Outcome<S, R>[] = [];
  let begun = 0;
  let end: Error | null = null;
  const run = async (at: number): Promise<void> => {
    const step = steps[at]!;
    app.signal.throwIfAborted();
    if (end) {
      outcomes[at] = { step, status: 'skipped', error: end };
      return;
    }
    if (line) await progress.show(line(++begun, steps.length));
    const outcome = await outcomeOf(step, make);
    outcomes[at] = outcome;
    if (outcome.error && ends(outcome.error)) end ??= outcome.error;
  };
  try {
    await inLanes(steps, course, run);
  } finally {
    await progress.done();
  }
  app.signal.throwIfAborted();
  return outcomes;
};

export const plannedOutcomes = <S>(steps: readonly S[]): readonly Outcome<S, never>[] =>
  steps.map((step) => ({ step, status: 'planned' }));

const outcomeOf = async <S, R>(step: S, make: (step: S) => Promise<R>): Promise<Outcome<S, R>> => {
  try {
    return { step, status: 'done', result: await make(step) };
  } catch (error) {
    if (error instanceof DryRun) return { step, status: 'planned', request: error };
    return { step, status: 'failed', error: error as Error };
  }
};

/** A step that waits for its turn does not keep later ones waiting. */
const inLanes = async <S>(
  steps: readonly S[], { atOnce = () => 1, inTurn }: Course<S, unknown>, work: (at: number) => Promise<void>,
): Promise<void> => {
  const running = new Set<Promise<void>>();
  const queues = new Map<unknown, number[]>();
  const lane = async (key: unknown, queue: number[]): Promise<void> => {
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) await work(at);
    queues.delete(key);
  };
  for (const [at, step] of steps.entries()) {
    while (running.size >= atOnce()) await Promise.race(running);
    const key = inTurn ? inTurn(step) : at;
    const queue = queues.get(key);
    if (queue) {
      queue.push(at);
      continue;
    }
    queues.set(key, [at]);
    const begun = lane(key, queues.get(key)!).then(() => { running.delete(begun); });
    running.add(begun);
  }
  await Promise.all(running);
};
