import type { App } from '../app.js';
import { failureOf, Problem } from '../command-line/failure.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { isFinal } from '../service/connection/batch.js';
import { DryRun, printUnsent } from '../service/connection/dry-run.js';
import {
  consent, type PlanLine, type Progress, say, sayIfDryRun, sayPlan, showingProgress,
} from '../terminal/io/messages.js';
import { listPrinter, wholeList } from '../terminal/output/list-printer.js';
import { changePrinter, isBrief, recordPrinter } from '../terminal/output/record-printer.js';
import type { View } from '../terminal/output/view.js';
import { failureOfSeveral } from './report.js';

interface Question {
  readonly lines: readonly (PlanLine | string)[];
  readonly action: string;
  readonly flag?: Parameters<typeof consent>[3];
  /** The changes as `--json` lists them in a dry run, for an agent that knows their plan. */
  readonly changes?: readonly object[];
  /** @throws Problem if the service has changed since the plan was shown */
  readonly recheck?: () => Promise<void>;
}

/** ` on https://gitlab.example.com`: one user may have several services. */
export const onService = ({ activity: { service } }: App, { sandbox }: GlobalFlags): string =>
  sandbox ? ' in the sandbox' : service === null ? '' : ` on ${service}`;

/** In a dry run: `would assign &4 to &1 on https://gitlab.example.com`. */
export const sayPlanned = (app: App, flags: GlobalFlags, action: string): Promise<void> =>
  sayIfDryRun(app, flags, `${action}${onService(app, flags)}`);

/** Of a command that has nothing to do. */
export const nothingChanged = ({ dryRun }: GlobalFlags): string => dryRun ? 'nothing would change' : 'nothing changed';

/**
 * Names the service. Checks the plan again after a question.
 * @throws Problem without a terminal to ask at, or if the user declines
 */
export const agree = async (
  app: App, flags: GlobalFlags, { lines, action, flag, changes = [], recheck }: Question,
): Promise<void> => {
  await sayPlan(app, flags, lines);
  await consent(app, flags, `${action}${onService(app, flags)}`, flag);
  if (flags.dryRun) return;
  app.agent?.approve(changes);
  if (!flags.yes) await recheck?.();
};

/** @param what `the hierarchy` @throws Problem if a second plan has other steps */
export const checkSameSteps = <S>(shown: readonly S[], now: readonly S[], what: string): void => {
  if (JSON.stringify(shown) === JSON.stringify(now)) return;
  throw new Problem('failure', `${what} has changed since the plan was shown`, 'run the command again');
};

export interface Outcome<S, R> {
  readonly step: S;
  /** `skipped` after the failure that ended the run, which is its error. */
  readonly status: 'planned' | 'done' | 'failed' | 'skipped';
  readonly result?: R;
  readonly error?: Error;
  readonly request?: DryRun;
}

interface ChangeRun<S, R> {
  readonly make: (step: S) => Promise<R>;
  /** Whether a failure ends the run; by default one that all other steps would share. */
  readonly ends?: (error: Error) => boolean;
  /** How many steps may run at the same time; asked before each step. */
  readonly atOnce?: () => number;
  /** Steps with the same value run one after the other. */
  readonly sequential?: (step: S) => unknown;
  readonly progress?: (number: number, count: number) => string;
}

/** In the order of the plan. @throws the reason of an interrupt, but no error of a step */
export const runSteps = async <S, R>(
  app: App, flags: GlobalFlags, steps: readonly S[], changeRun: ChangeRun<S, R>,
): Promise<readonly Outcome<S, R>[]> => {
  const { make, ends = isFinal, progress: line } = changeRun;
  const outcomes: Outcome<S, R>[] = [];
  let begun = 0;
  let end: Error | null = null;
  const run = (progress: Pick<Progress, 'show'>) => async (at: number): Promise<void> => {
    const step = steps[at]!;
    app.signal.throwIfAborted();
    if (end) {
      outcomes[at] = { step, status: 'skipped', error: end };
      return;
    }
    if (line) await progress.show(line(++begun, steps.length));
    const outcome = await makeStep(step, make);
    outcomes[at] = outcome;
    if (outcome.error && ends(outcome.error)) end ??= outcome.error;
  };
  await showingProgress(app, flags, (progress) => runInQueues(steps, changeRun, run(progress)));
  app.signal.throwIfAborted();
  return outcomes;
};

export const plannedOutcomes = <S>(steps: readonly S[]): readonly Outcome<S, never>[] =>
  steps.map((step) => ({ step, status: 'planned' }));

const makeStep = async <S, R>(step: S, make: (step: S) => Promise<R>): Promise<Outcome<S, R>> => {
  try {
    return { step, status: 'done', result: await make(step) };
  } catch (error) {
    if (error instanceof DryRun) return { step, status: 'planned', request: error };
    return { step, status: 'failed', error: error as Error };
  }
};

/** A step that waits for its turn does not keep later ones waiting. */
const runInQueues = async <S>(
  steps: readonly S[], { atOnce = () => 1, sequential }: ChangeRun<S, unknown>, work: (at: number) => Promise<void>,
): Promise<void> => {
  const running = new Set<Promise<void>>();
  const queues = new Map<unknown, number[]>();
  const lane = async (key: unknown, queue: number[]): Promise<void> => {
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) await work(at);
    queues.delete(key);
  };
  for (const [at, step] of steps.entries()) {
    while (running.size >= atOnce()) await Promise.race(running);
    const key = sequential ? sequential(step) : at;
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

/** What happens in a run of steps that depend on each other. The run goes on when the next event is requested. */
export type ChangeEvent<S, R, E> =
  | { readonly type: 'next'; readonly number: number }
  /** Of the journal; what it announces happens after it is stored. */
  | { readonly type: 'entry'; readonly entry: E }
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'made'; readonly step: S; readonly result: R };

interface Followed<S, R> {
  readonly outcomes: readonly Outcome<S, R>[];
  /** That of the step which failed, or an error after all steps. */
  readonly error: Error | null;
}

/** Stores the entries, shows the progress and collects the outcomes. @throws the reason of an interrupt, no other */
export const followChanges = async <S, R, E>(
  app: App, flags: GlobalFlags, steps: readonly S[], events: AsyncIterable<ChangeEvent<S, R, E>>,
  journal: { readonly add: (entry: E) => Promise<void> },
): Promise<Followed<S, R>> => {
  const made: Outcome<S, R>[] = [];
  const failure = await showingProgress(app, flags, async (progress) => {
    for await (const event of events) {
      if (event.type === 'next') {
        app.signal.throwIfAborted();
        await progress.show(`change ${event.number} of ${steps.length} …`);
      } else if (event.type === 'entry') await journal.add(event.entry);
      else if (event.type === 'warning') await say(app, flags, `warning: ${event.text}`);
      else made.push({ step: event.step, status: 'done', result: event.result });
    }
    return null;
  }).catch((error: Error) => error);
  app.signal.throwIfAborted();
  const left = steps.slice(made.length).map((step, at): Outcome<S, R> =>
    ({ step, status: at === 0 ? 'failed' : 'skipped', error: failure! }));
  return { outcomes: [...made, ...left], error: failure };
};

export const printUnsentRequests = async (
  app: App, flags: GlobalFlags, outcomes: readonly Outcome<unknown, unknown>[],
): Promise<void> => {
  const requests = outcomes.flatMap(({ request }) => request ?? []);
  if (requests.length > 0) await printUnsent(requests, app, flags, true);
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

export interface ChangedRecord<T> {
  readonly message: string;
  readonly record: T;
  readonly address: string | null;
}

interface RecordSteps<S, T> extends ChangeRun<S, ChangedRecord<T> | null> {
  readonly steps: readonly S[];
  readonly name: (step: S) => string;
  readonly isReversed?: boolean;
}

/** A dry run prints the requests of all steps, if any. @throws Problem for an invalid format or field, before them */
export const recordChanger = <T>(app: App, flags: GlobalFlags, view: View<T>, isList: boolean) => {
  const printList = listPrinter(app, { ...flags, all: false }, view);
  const print = changePrinter<T>(app, flags, (on) => {
    const printOne = recordPrinter(on, flags, view);
    return isList ? async () => undefined : printOne;
  });
  return async <S>({ steps, name, isReversed = false, ...run }: RecordSteps<S, T>) => {
    const make = async (step: S) => {
      const changed = await run.make(step);
      if (changed) await print(changed.message, changed.record, changed.address);
      return changed;
    };
    const outcomes = await runSteps(app, flags, steps, { ...run, make });
    if (isList) await printUnsentRequests(app, flags, outcomes);
    else if (outcomes[0]?.request) throw outcomes[0].request;
    const records = outcomes.flatMap(({ result }) => result ? [result.record] : []);
    if (isList && !isBrief(app, flags) && !outcomes.some(({ request }) => request)) {
      await printList(wholeList(isReversed ? records.reverse() : records));
    }
    return {
      done: outcomes.filter(({ status }) => status === 'done').map(({ step }) => step),
      failure: failureOfSteps(outcomes, name),
    };
  };
};
