import * as Type from '@sinclair/typebox';
import { ApiError } from '../../../client/errors.js';
import type { Routes } from '../../../client/options.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { PositionInput } from '../../../contract/shapes/position.js';
import { isUnknownRoute } from '../../../wire/error-response.js';
import { type Marker, readMarker, withMarker, withoutMarkers } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { errorReason } from '../../changes/report.js';
import { runSteps, type Outcome } from '../../changes/run.js';
import { Problem } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { repeatStep } from '../../service/connection/batch.js';
import type { Target } from '../../service/targets/target.js';
import { listed, serviceResolves, setResolved, unseenNotes } from '../../service/targets/threads.js';
import { say } from '../../terminal/io/messages.js';
import { positionText } from '../position/position.js';
import { mayBePublic } from '../views/note.js';
import { createComment, createInternalComment, createReply, createThread, instant } from '../write/new-notes.js';
import { importedText, type ExportedNote, type ExportedThread } from './exported-threads.js';
import {
  findImportedNotes, planThreads, removeImportedCopies, type ImportedNotes, type ImportStep,
} from './plan.js';

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
  const progress = new Map(steps.map((step) => [step, newProgress()]));
  const ran = await runSteps(app, flags, steps, {
    make: (step) => importThread({ app, target, isRaw, service, progress: progress.get(step)! }, step),
    atOnce: () => service.storesTimes ? concurrency : 1,
    sequential: ({ thread }) => Date.parse(thread.notes[0]!.created_at),
    progress: (number, count) => `importing ${number} of ${count} …`,
  });
  const outcomes = ran.map((outcome): ThreadOutcome => outcome.status !== 'failed' ? outcome
    : { ...outcome, result: { ...progress.get(outcome.step)!, isResolved: false } });
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

export const planImport = async (
  target: Target, threads: readonly ExportedThread[], isRaw: boolean,
): Promise<Imported> => {
  const steps = await planThreads(target, threads, await findImportedNotes(target));
  const canResolve = steps.some((step) => step.isResolved) && await serviceResolves(target, listed(target));
  const outcomes = steps.map((step): ThreadOutcome => {
    const { thread: { notes: [first] }, missing, isUnanchored } = step;
    const isResolved = step.isResolved && canResolve;
    const cut = missing.filter((note) => importedText(note, {
      isRaw, place: isUnanchored && note === first ? placeOfNote(note) : null, marker: { source: note.source },
    }).isCut).length;
    return { step, status: 'planned', result: { created: missing.length, isResolved, isUnanchored, cut } };
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
  return {
    created: done.reduce((sum, one) => sum + one.created, 0),
    existing: outcomes.reduce((sum, { step }) => sum + step.thread.notes.length - step.missing.length, 0),
    skipped,
    resolved: done.filter(({ isResolved }) => isResolved).length,
    unanchored: done.filter(({ isUnanchored }) => isUnanchored).length,
    cut: done.reduce((sum, { cut }) => sum + cut, 0),
    failed: failed.map(({ step: { thread }, error }) =>
      ({ line: thread.line, discussion_id: thread.id, error: errorReason(error!) })),
  } satisfies ImportResult;
};

interface ImportContext {
  readonly app: App;
  readonly target: Target;
  readonly isRaw: boolean;
  readonly service: ServiceAbilities;
  readonly progress: Progress;
}

export interface ServiceAbilities {
  storesTimes: boolean | null;
  readonly routes: Routes;
}

interface Progress { created: number; isUnanchored: boolean; cut: number }

export const newProgress = (): Progress => ({ created: 0, isUnanchored: false, cut: 0 });

type ImportedThread = Readonly<Progress> & { readonly isResolved: boolean };

export const importThread = async (context: ImportContext, step: ImportStep): Promise<ImportedThread> => {
  const { existing, missing, isResolved } = step;
  const { progress } = context;
  let id = existing?.id ?? null;
  for (const note of missing) {
    if (id === null) id = await start(context, step, note);
    else await reply(context, id, note);
    progress.created++;
  }
  const resolved = isResolved && id !== null
    && !await isAnsweredSince(context, id, existing) && await resolve(context, id);
  return { ...progress, isResolved: resolved };
};

/** @param existing the thread as it was planned; null for a new one */
const isAnsweredSince = async (
  { app, target: { client, kind, path }, progress }: ImportContext, discussion_id: string, existing: Discussion | null,
): Promise<boolean> => {
  if (existing === null) return false;
  const thread = await repeatStep(app, () => client.discussions[kind].get({ ...path, discussion_id }));
  return unseenNotes(existing, thread).length > progress.created;
};

const resolve = async ({ app, target }: ImportContext, discussion_id: string): Promise<boolean> => {
  try {
    await repeatStep(app, () => setResolved(target, discussion_id, true));
    return true;
  } catch (error) {
    if (target.kind !== 'merge_request' && error instanceof ApiError && (isUnknownRoute(error.status, error.body)
      || error.status === 403 && !await isResolvable(target, discussion_id))) return false;
    throw error;
  }
};

/** behavior: resolving.unresolvable */
const isResolvable = async ({ client, kind, path }: Target, discussion_id: string): Promise<boolean> => {
  const { notes } = await client.discussions[kind].get({ ...path, discussion_id });
  return notes.some(({ resolvable }) => resolvable !== false);
};

/** @returns the id of the thread; null for a plain comment, which has no replies */
const start = async (
  context: ImportContext, { thread, position }: ImportStep, note: ExportedNote,
): Promise<string | null> => {
  const { target, service, progress } = context;
  if (thread.isInternal) return startInternal(context, thread, note);
  if (thread.isComment && note.position === null) {
    const comment = await send(context, note, null, (params, options) =>
      createComment(target, params, options, service.routes));
    return comment.thread?.id ?? null;
  }
  const anchored = position && await startAnchored(context, note, position);
  if (anchored) return anchored.id;
  progress.isUnanchored = note.position !== null;
  return (await startThread(context, note, placeOfNote(note))).id;
};

/** An internal note has no position. @returns the id of its thread, if that has replies */
const startInternal = async (
  context: ImportContext, { notes }: ExportedThread, note: ExportedNote,
): Promise<string | null> => {
  const { target, progress } = context;
  progress.isUnanchored = note.position !== null;
  const created = await send(context, note, placeOfNote(note), async (params, options) => {
    const internal = await createInternalComment(target, params, options);
    await checkCreatedInternal(target, internal.note);
    return internal;
  });
  if (notes.length === 1) return null;
  const imported = await findImportedNotes(target);
  const thread = imported.get(note.source)?.kept.discussion;
  if (thread === undefined) throw new Error(`the service does not list note ${created.note.id}`);
  return thread.id;
};

const placeOfNote = ({ position }: ExportedNote): string | null => position && positionText(position);

const startAnchored = async (
  context: ImportContext, note: ExportedNote, position: PositionInput,
): Promise<Discussion | null> => {
  try {
    const thread = await startThread(context, note, null, position);
    const [first] = thread.notes;
    if (!first || first.type === 'DiffNote') return thread;
    const texts = { isRaw: context.isRaw, place: positionText(position), marker: { source: note.source } };
    await addPlace(context, thread.id, first, importedText(note, texts).text);
    context.progress.isUnanchored = true;
    return thread;
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return null;
    throw error;
  }
};

const addPlace = async (
  { app, target: { client, kind, path } }: ImportContext, discussion_id: string, { id, body }: Note, text: string,
): Promise<void> => {
  const { marker } = readMarker(body);
  const marked = marker === null ? text : withMarker(withoutMarkers(text), marker);
  await repeatStep(app, () =>
    client.discussions[kind].modifyNote({ ...path, discussion_id, note_id: id, body: marked }));
};

const startThread = async (
  context: ImportContext, note: ExportedNote, place: string | null, position?: PositionInput,
): Promise<Discussion> => (await send(context, note, place, (params, options) =>
  createThread(context.target, { ...params, position }, options))).thread;

const reply = (context: ImportContext, discussion_id: string, note: ExportedNote): Promise<unknown> =>
  send(context, note, null, (params, options) => createReply(context.target, discussion_id, params, options));

/** Learns from the first note whether the service stores times. */
const send = async <N extends { readonly note: Note }>(
  { isRaw, service, progress }: ImportContext, note: ExportedNote, place: string | null,
  create: (
    params: { readonly body: string; readonly created_at: string | undefined }, options: { readonly marker: Marker },
  ) => Promise<N>,
): Promise<N> => {
  const marker = { source: note.source };
  const { text, isCut } = importedText(note, { isRaw, place, marker });
  // A service that ignores the time does not sort the note among older ones, so that it is found quickly.
  const created_at = service.storesTimes === false ? undefined : note.created_at;
  const created = await create({ body: text, created_at }, { marker });
  if (isCut) progress.cut++;
  // It ignores them without an error, unless an owner sends them (behavior: notes.created-at-ignored).
  service.storesTimes ??= instant(created.note.created_at) === instant(note.created_at);
  return created;
};

/** @throws Problem after the note was deleted, if the service made it public */
const checkCreatedInternal = async ({ client, kind, path }: Target, note: Note): Promise<void> => {
  if (!mayBePublic(note) || kind === 'commit') return;
  await client.notes[kind].delete({ ...path, note_id: note.id });
  throw new Problem('rejected', 'the service made a public copy of an internal note; the copy was deleted');
};
