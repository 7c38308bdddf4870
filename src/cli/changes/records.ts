import type { App } from '../app.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { changePrinter, isBrief, recordPrinter } from '../terminal/output/record-printer.js';
import { listPrinter, wholeList } from '../terminal/output/list-printer.js';
import type { View } from '../terminal/output/view.js';
import { failureOfSteps, printUnsentRequests } from './report.js';
import { runSteps, type Course } from './run.js';

export interface ChangedRecord<T> {
  /** `resolved thread 6a9c1750`. */
  readonly message: string;
  readonly record: T;
  /** Null if it is unknown. */
  readonly address: string | null;
}

interface RecordSteps<S, T> extends Course<S, ChangedRecord<T> | null> {
  readonly steps: readonly S[];
  readonly name: (step: S) => string;
  /** Whether the last step has the first record of the list. */
  readonly isReversed?: boolean;
}

interface Changed<S> {
  readonly done: readonly S[];
  /** Null if all steps were made. */
  readonly failure: Error | null;
}

/** A dry run prints the requests of all steps. @throws Problem for an invalid format or field, before any request */
export const recordChanger = <T>(app: App, flags: GlobalFlags, view: View<T>, isList: boolean) => {
  const printList = listPrinter(app, { ...flags, all: false }, view);
  const print = changePrinter<T>(app, flags, (on) => {
    const printOne = recordPrinter(on, flags, view);
    return isList ? async () => undefined : printOne;
  });
  return async <S>({ steps, name, isReversed = false, ...course }: RecordSteps<S, T>): Promise<Changed<S>> => {
    const make = async (step: S) => {
      const changed = await course.make(step);
      if (changed) await print(changed.message, changed.record, changed.address);
      return changed;
    };
    const outcomes = await runSteps(app, flags, steps, { ...course, make });
    if (isList) await printUnsentRequests(app, flags, outcomes);
    else if (outcomes[0]?.request) throw outcomes[0].request;
    const records = outcomes.flatMap(({ result }) => result ? [result.record] : []);
    if (isList && !isBrief(app, flags) && !flags.dryRun) {
      await printList(wholeList(isReversed ? records.reverse() : records));
    }
    return {
      done: outcomes.filter(({ status }) => status === 'done').map(({ step }) => step),
      failure: failureOfSteps(outcomes, name),
    };
  };
};
