import * as Type from '@sinclair/typebox';
import type { App } from '../../app.js';
import { errorReason } from '../../changes/report.js';
import { runSteps, type Outcome } from '../../changes/run.js';
import { repeatStep } from '../../service/connection/batch.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import type { Target } from '../../service/targets/target.js';
import type { ExportedThread } from './exported-threads.js';
import { importThread, type ImportedThread, type ServiceAbilities } from './import-thread.js';
import { findImportedNotes, planThreads, removeImportedCopies, type ImportedNotes, type ImportStep } from './plan.js';

export const ImportResult = Type.Object({
  created: Type.Integer({ description: 'notes created' }),
  existing: Type.Integer({ description: 'notes that an earlier import had created' }),
  skipped: Type.Integer({ description: 'system notes left out' }),
  resolved: Type.Integer({ description: 'threads resolved' }),
  unanchored: Type.Integer({ description: 'threads whose position is in the text' }),
  cut: Type.Integer({ description: 'notes whose text was too long' }),
  failed: Type.Array(Type.Object({ line: Type.Integer(), discussion_id: Type.String(), error: Type.String() }),
    { description: 'threads that could not be imported' }),
});
export type ImportResult = Type.Static<typeof ImportResult>;

type ThreadOutcome = Outcome<ImportStep, ImportedThread>;

export interface Imported {
  readonly outcomes: readonly ThreadOutcome[];
  readonly storesTimes: boolean | null;
  readonly unverified?: Error;
}

/** More requests at once would only wait for the rate limit of the service. */
const concurrency = 8;

/** A replica may lag behind, so a note that the service does not list gets this time, in milliseconds. */
const waits = [0, 1_000, 2_000, 4_000];

/**
 * If the service does not store creation times, threads are imported one after the other, because their order is that
 * of their creation. After a failure the others are still imported, unless they would fail for the same reason.
 */
export const importThreads = async (
  app: App, flags: GlobalFlags, target: Target, threads: readonly ExportedThread[], isRaw: boolean,
): Promise<Imported> => {
  const changed = new Set<number>();
  const imported = await removeImportedCopies(target, changed);
  for (const id of changed) {
    await say(app, flags, `left note ${id} of ${target.name}: it is a copy of an imported note, but has another text`);
  }
  const service: ServiceAbilities = { storesTimes: null, routes: new Map() };
  const steps = await repeatStep(app, () => planThreads(target, threads, imported));
  const outcomes = await runSteps(app, flags, steps, {
    make: (step) => importThread({ app, target, isRaw, service }, step),
    atOnce: () => service.storesTimes ? concurrency : 1,
    sequential: ({ thread }) => Date.parse(thread.notes[0]!.created_at),
    progress: (number, count) => `importing ${number} of ${count} …`,
  });
  const isChanged = outcomes.some(({ result, error }) => error !== undefined || result!.created > 0);
  const { storesTimes } = service;
  if (!isChanged) return { outcomes, storesTimes };
  try {
    return { outcomes: await verifyThreads(app, target, outcomes), storesTimes };
  } catch (error) {
    app.signal.throwIfAborted();
    return { outcomes, storesTimes, unverified: error as Error };
  }
};

export const planImport = async (target: Target, threads: readonly ExportedThread[]): Promise<Imported> => {
  const steps = await planThreads(target, threads, await findImportedNotes(target));
  const outcomes = steps.map((step): ThreadOutcome => {
    const { missing, isResolved, isUnanchored } = step;
    return { step, status: 'planned', result: { created: missing.length, isResolved, isUnanchored, cut: 0 } };
  });
  return { outcomes, storesTimes: null };
};

const unlisted = 'the service stored the notes but does not list all of them';

/** Deletes copies that a service stored late too. */
const verifyThreads = async (
  app: App, target: Target, outcomes: readonly ThreadOutcome[],
): Promise<readonly ThreadOutcome[]> => {
  let found: ImportedNotes = new Map();
  const isMissing = ({ step, error }: ThreadOutcome): boolean =>
    error === undefined && step.thread.notes.some(({ source }) => !found.has(source));
  for (const wait of waits) {
    if (wait > 0) await app.sleep(wait);
    found = await removeImportedCopies(target);
    if (!outcomes.some(isMissing)) break;
  }
  return outcomes.map((outcome) => isMissing(outcome)
    ? { step: outcome.step, status: 'failed', error: new Error(unlisted) } : outcome);
};

export const importResultOf = (outcomes: readonly ThreadOutcome[], skipped: number) => {
  const done = outcomes.flatMap(({ result }) => result ?? []);
  const failed = outcomes.filter(({ error }) => error !== undefined);
  const created = done.reduce((sum, one) => sum + one.created, 0);
  const notes = outcomes.filter(({ result }) => result).reduce((sum, { step }) => sum + step.thread.notes.length, 0);
  return {
    created, existing: notes - created, skipped,
    resolved: done.filter(({ isResolved }) => isResolved).length,
    unanchored: done.filter(({ isUnanchored }) => isUnanchored).length,
    cut: done.reduce((sum, { cut }) => sum + cut, 0),
    failed: failed.map(({ step: { thread }, error }) =>
      ({ line: thread.line, discussion_id: thread.id, error: errorReason(error!) })),
  } satisfies ImportResult;
};
