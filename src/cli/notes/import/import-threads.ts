import { Type, type Static } from '@sinclair/typebox';
import type { App } from '../../app.js';
import { repeated } from '../../service/connection/repeat.js';
import { isFinal } from '../../service/connection/shared-cause.js';
import { failureOf } from '../../command-line/errors/failure.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { say } from '../../terminal/io/messages.js';
import { progressOn } from '../../terminal/io/progress.js';
import type { Target } from '../../service/targets/target.js';
import { existingThread, importThread, toResolve, type ImportContext, type ImportedThread } from './import-thread.js';
import { importedNotes, withoutCopies, type ImportedNotes } from './imported-notes.js';
import { versionsOf } from './positions.js';
import type { ExportedThread } from './read-threads.js';

const FailedThread = Type.Object({
  line: Type.Integer(), discussion_id: Type.String(), error: Type.String(),
});

/** What an import did, or would do. */
export const ImportResult = Type.Object({
  created: Type.Integer({ description: 'notes created' }),
  existing: Type.Integer({ description: 'notes that an earlier import had created' }),
  skipped: Type.Integer({ description: 'system notes left out' }),
  resolved: Type.Integer({ description: 'threads resolved' }),
  unanchored: Type.Integer({ description: 'threads whose position is in the text' }),
  cut: Type.Integer({ description: 'notes whose text was too long' }),
  failed: Type.Array(FailedThread, { description: 'threads that could not be imported' }),
});
export type ImportResult = Static<typeof ImportResult>;

/** What came of one thread. */
export interface ThreadOutcome {
  readonly thread: ExportedThread;
  readonly result?: ImportedThread;
  readonly error?: Error;
}

/** Outcomes, and whether the service stored the creation times; null if nothing was created. */
export interface Imported {
  readonly outcomes: readonly ThreadOutcome[];
  readonly storesTimes: boolean | null;
  /** Why the outcomes could not be verified. */
  readonly unverified?: Error;
}

/** More would only wait for the rate limit of the service together. */
const atOnce = 8;

/** When to look again for a note that the service does not list yet, in milliseconds. */
const looks = [0, 1_000, 2_000, 4_000];

/**
 * Imports threads. If the service stores creation times, several threads at the same time; if not, one after the
 * other, because their order is that of their creation. After a failure the other threads are still imported, unless
 * they would fail for the same reason.
 */
export const importThreads = async (
  app: App, flags: GlobalFlags, target: Target, threads: readonly ExportedThread[], isRaw: boolean,
): Promise<Imported> => {
  const changed = new Set<number>();
  const imported = await repeated(app, async () => withoutCopies(target, await importedNotes(target), changed));
  for (const id of changed) {
    await say(app, flags, `left note ${id} of ${target.name}: it is a copy of an imported note, but has another text`);
  }
  const positions = threads.flatMap(({ notes }) => notes.flatMap(({ position }) => position ?? []));
  const service = { storesTimes: null, hasComments: true };
  const hasVersion = await repeated(app, () => versionsOf(target, positions));
  const context: ImportContext = { app, target, isRaw, imported, service, hasVersion };
  const outcomes = await inLanes(app, flags, context, threads);
  const isChanged = outcomes.some(({ result, error }) => error !== undefined || result!.created > 0);
  const { storesTimes } = service;
  if (!isChanged) return { outcomes, storesTimes };
  try {
    return { outcomes: await verified(app, target, outcomes), storesTimes };
  } catch (error) {
    app.signal.throwIfAborted();
    return { outcomes, storesTimes, unverified: error as Error };
  }
};

/** What an import would do. Sends no writes. */
export const planImport = async (target: Target, threads: readonly ExportedThread[]): Promise<Imported> => {
  const imported = await importedNotes(target);
  const positions = threads.flatMap(({ notes }) => notes.flatMap(({ position }) => position ?? []));
  const hasVersion = await versionsOf(target, positions);
  const outcomes = threads.map((thread): ThreadOutcome => {
    const existing = existingThread({ imported }, thread);
    const { position } = thread.notes[0]!;
    return { thread, result: {
      created: thread.notes.filter(({ source }) => !imported.has(source)).length,
      isResolved: toResolve(target, thread, existing),
      isUnanchored: existing === null && position !== null && !hasVersion(position), cut: 0,
    } };
  });
  return { outcomes, storesTimes: null };
};

const inLanes = async (
  app: App, flags: GlobalFlags, context: ImportContext, threads: readonly ExportedThread[],
): Promise<ThreadOutcome[]> => {
  const progress = progressOn(app, flags);
  const outcomes: ThreadOutcome[] = [];
  let final: Error | null = null;
  const importOne = async (thread: ExportedThread): Promise<void> => {
    await progress.show(`importing ${outcomes.length + 1} of ${threads.length} …`);
    const outcome: ThreadOutcome = final ? { thread, error: final } : await importThread(context, thread)
      .then((result) => ({ thread, result }), (error: Error) => ({ thread, error }));
    app.signal.throwIfAborted();
    outcomes.push(outcome);
    if (outcome.error && isFinal(outcome.error)) final = outcome.error;
  };
  const lane = async (lanes: Iterator<readonly ExportedThread[]>): Promise<void> => {
    for (let next = lanes.next(); !next.done; next = lanes.next()) for (const one of next.value) await importOne(one);
  };
  try {
    const waiting = [...threads];
    while (waiting.length > 0 && context.service.storesTimes === null) await importOne(waiting.shift()!);
    const lanes = (context.service.storesTimes ? sameTimes(waiting) : [waiting])[Symbol.iterator]();
    await Promise.all(Array.from({ length: atOnce }, () => lane(lanes)));
  } finally {
    await progress.done();
  }
  return outcomes.sort((one, other) => one.thread.line - other.thread.line);
};

/** Threads of the same time in one list: their order is that of their creation. */
const sameTimes = (threads: readonly ExportedThread[]): ExportedThread[][] => {
  const lists = new Map<number, ExportedThread[]>();
  for (const thread of threads) {
    const time = Date.parse(thread.notes[0]!.created_at);
    lists.set(time, [...lists.get(time) ?? [], thread]);
  }
  return [...lists.values()];
};

/**
 * Reads the noteable once more: deletes copies that a service stored late, and reports notes that are not there. A
 * replica that lags behind gets some time.
 */
const verified = async (
  app: App, target: Target, outcomes: readonly ThreadOutcome[],
): Promise<readonly ThreadOutcome[]> => {
  let found: ImportedNotes = new Map();
  const isMissing = ({ thread, error }: ThreadOutcome): boolean =>
    error === undefined && thread.notes.some(({ source }) => !found.has(source));
  for (const wait of looks) {
    if (wait > 0) await app.sleep(wait);
    found = await repeated(app, async () => withoutCopies(target, await importedNotes(target), new Set()));
    if (!outcomes.some(isMissing)) break;
  }
  return outcomes.map((outcome) => isMissing(outcome)
    ? { thread: outcome.thread, error: new Error('the service stored the notes but does not list all of them') }
    : outcome);
};

/** Sums up an import. @param skipped how many system notes were left out */
export const resultOf = (threads: readonly ExportedThread[], outcomes: readonly ThreadOutcome[], skipped: number) => {
  const done = outcomes.flatMap(({ result }) => result ?? []);
  const failed = outcomes.filter(({ error }) => error !== undefined);
  const created = done.reduce((sum, one) => sum + one.created, 0);
  const notes = outcomes.filter(({ result }) => result).reduce((sum, { thread }) => sum + thread.notes.length, 0);
  return {
    created, existing: notes - created, skipped,
    resolved: done.filter(({ isResolved }) => isResolved).length,
    unanchored: done.filter(({ isUnanchored }) => isUnanchored).length,
    cut: done.reduce((sum, { cut }) => sum + cut, 0),
    failed: failed.map(({ thread, error }) =>
      ({ line: thread.line, discussion_id: thread.id, error: failureOf(error)?.message ?? error!.message })),
  } satisfies ImportResult;
};
