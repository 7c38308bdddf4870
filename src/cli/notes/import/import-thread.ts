import { ApiError } from '../../../client/errors.js';
import type { Routes } from '../../../client/options.js';
import { isUnknownRoute } from '../../../wire/error-response.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { PositionInput } from '../../../contract/shapes/position.js';
import { readInstant } from '../../../wire/time-text.js';
import { type Marker, readMarker, withMarker, withoutMarkers } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { repeatStep } from '../../service/connection/batch.js';
import { positionText } from '../position/position.js';
import type { Target } from '../../service/targets/target.js';
import { setResolved } from '../../service/targets/threads.js';
import { Problem } from '../../command-line/failure.js';
import { mayBePublic } from '../views/note.js';
import { createComment, createInternalComment, createReply, createThread } from '../write/new-notes.js';
import { importedText, type ExportedNote, type ExportedThread } from './exported-threads.js';
import { findImportedNotes, type ImportStep } from './plan.js';

interface ImportContext {
  readonly app: App;
  readonly target: Target;
  readonly isRaw: boolean;
  readonly service: ServiceAbilities;
}

export interface ServiceAbilities {
  storesTimes: boolean | null;
  readonly routes: Routes;
}

export interface ImportedThread {
  readonly created: number;
  readonly isResolved: boolean;
  readonly isUnanchored: boolean;
  readonly cut: number;
}

interface Progress { created: number; isUnanchored: boolean; cut: number }

export const importThread = async (context: ImportContext, step: ImportStep): Promise<ImportedThread> => {
  const { existing, missing, isResolved } = step;
  const progress: Progress = { created: 0, isUnanchored: false, cut: 0 };
  let id = existing?.id ?? null;
  for (const note of missing) {
    if (id === null) id = await start(context, step, note, progress);
    else await reply(context, id, note, progress);
    progress.created++;
  }
  const resolved = isResolved && id !== null && await resolve(context, id);
  return { ...progress, isResolved: resolved };
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

/** @returns the id of the thread; null for a createPlainComment, which has no replies */
const start = async (
  context: ImportContext, { thread, position }: ImportStep, note: ExportedNote, progress: Progress,
): Promise<string | null> => {
  if (thread.isInternal) return startInternal(context, thread, note, progress);
  if (thread.isComment && note.position === null) return createPlainComment(context, note, progress);
  const anchored = position && await startAnchored(context, note, position, progress);
  if (anchored) return anchored.id;
  progress.isUnanchored = note.position !== null;
  return (await startThread(context, note, placeOfNote(note), undefined, progress)).id;
};

/** An internal note has no position. @returns the id of its thread, if that has replies */
const startInternal = async (
  context: ImportContext, { notes }: ExportedThread, note: ExportedNote, progress: Progress,
): Promise<string | null> => {
  const { target } = context;
  progress.isUnanchored = note.position !== null;
  const created = await send(context, note, placeOfNote(note), progress, async (params, options) => {
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
  context: ImportContext, note: ExportedNote, position: PositionInput, progress: Progress,
): Promise<Discussion | null> => {
  try {
    const thread = await startThread(context, note, null, position, progress);
    const [first] = thread.notes;
    if (!first || first.type === 'DiffNote') return thread;
    const texts = { isRaw: context.isRaw, place: positionText(position), marker: { source: note.source } };
    await addPlace(context, thread.id, first, importedText(note, texts).text);
    progress.isUnanchored = true;
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
  context: ImportContext, note: ExportedNote, place: string | null, position: PositionInput | undefined,
  progress: Progress,
): Promise<Discussion> => (await send(context, note, place, progress, (params, options) =>
  createThread(context.target, { ...params, position }, options))).thread;

const createPlainComment = async (
  context: ImportContext, note: ExportedNote, progress: Progress,
): Promise<string | null> => (await send(context, note, null, progress, (params, options) =>
  createComment(context.target, params, options, context.service.routes))).thread?.id ?? null;

const reply = async (
  context: ImportContext, discussion_id: string, note: ExportedNote, progress: Progress,
): Promise<unknown> => send(context, note, null, progress, (params, options) =>
  createReply(context.target, discussion_id, params, options));

/** Learns from the first note whether the service stores times. */
const send = async <N extends { readonly note: Note }>(
  { isRaw, service }: ImportContext, note: ExportedNote, place: string | null, progress: Progress,
  create: (
    params: { readonly body: string; readonly created_at: string | undefined }, options: { readonly marker: Marker },
  ) => Promise<N>,
): Promise<N> => {
  const marker = { source: note.source };
  const { text, isCut } = importedText(note, { isRaw, place, marker });
  if (isCut) progress.cut++;
  // A service that ignores the time does not sort the note among older ones, so that it is found quickly.
  const created_at = service.storesTimes === false ? undefined : note.created_at;
  const created = await create({ body: text, created_at }, { marker });
  // It ignores them without an error, unless an owner sends them (behavior: notes.created-at-ignored).
  service.storesTimes ??= instant(created.note.created_at) === instant(note.created_at);
  return created;
};

/** Services differ in how many digits of seconds they store. */
const instant = (time: string): string | undefined => readInstant(time)?.iso.slice(0, 19);

/** @throws Problem after the note was deleted, if the service made it public */
const checkCreatedInternal = async ({ client, kind, path }: Target, note: Note): Promise<void> => {
  if (!mayBePublic(note) || kind === 'commit') return;
  await client.notes[kind].delete({ ...path, note_id: note.id });
  throw new Problem('rejected', 'the service made a public copy of an internal note; the copy was deleted');
};
