import { noteables, type NoteableKind } from '../../contract/noteables.js';
import type { Call } from '../call.js';
import type { ProjectRow } from '../records/containers.js';
import { commitByNumber, noteableIn, type NoteableRow } from '../records/noteables.js';
import { notFound, recordNotFound, type Refusal } from '../refusal.js';
import { levels } from './caller.js';
import { visibleGroup, visibleProject, type Place } from './container.js';

/** A noteable that the caller can read, with the place it stands in. */
export interface Target extends Place {
  readonly kind: NoteableKind;
  readonly noteable: NoteableRow;
  readonly project: ProjectRow | null;
}

/** What a path says of a noteable. */
export interface NoteablePath { readonly id: number | string | null; readonly noteable_id: number | string | null }

/**
 * The noteable of a path.
 * @throws Refusal 404 for a project or group, then for a noteable: missing and hidden ones alike (wire-facts 1.7.1)
 */
export const readableNoteable = async (call: Call, kind: NoteableKind, path: NoteablePath): Promise<Target> => {
  const { place, project } = await placeOf(call, kind, path.id);
  if (kind === 'epic' && !call.world.settings.epics) throw notFound('Epic');
  const noteable = path.noteable_id === null || !fitsKind(kind, path.noteable_id) ? undefined
    : await noteableIn(call.queries, kind, place.container.id, path.noteable_id)
      ?? await numberedCommit(call, kind, place.container.id, String(path.noteable_id));
  if (!noteable || !canRead(call, place, noteable)) throw missing(kind);
  call.onNoteable(noteable);
  return { ...place, kind, noteable, project };
};

/**
 * The same for a call that changes the noteable's threads. Until its unit of work ends no other changes them, in any
 * process: what is read of them after this still stands when it is written.
 */
export const heldNoteable = async (call: Call, kind: NoteableKind, path: NoteablePath): Promise<Target> => {
  const key = JSON.stringify(['noteable', call.caller.id, kind, path.id, path.noteable_id]);
  const target = (await call.world.granted(key, () => readableNoteable(call, kind, path)))!;
  await call.queries.lock(`noteable ${target.noteable.id}`);
  return target;
};

const placeOf = async (call: Call, kind: NoteableKind, id: number | string | null) => {
  if (noteables[kind].container === 'group') return { place: await visibleGroup(call, id), project: null };
  const place = await visibleProject(call, id);
  return { place, project: place.container };
};

/** Text where a number is due names nothing (wire-facts 2.3.2). */
const fitsKind = (kind: NoteableKind, id: number | string): boolean => kind === 'commit' || typeof id === 'number';

/** interface.md has a commit's id as a number; the live service knows SHAs alone (wire-facts 7.2). */
const numberedCommit = (call: Call, kind: NoteableKind, project: number, id: string) =>
  kind === 'commit' && call.dialect === 'document' && /^\d{1,15}$/.test(id)
    ? commitByNumber(call.queries, project, Number(id)) : undefined;

const missing = (kind: NoteableKind): Refusal => kind === 'commit' ? notFound('Commit') : recordNotFound();

/** A confidential issue or epic is for its author and for reporters upwards (wire-facts 4.11.1). */
export const canRead = (
  call: Call, place: Place, noteable: Pick<NoteableRow, 'confidential' | 'author_id'>,
): boolean =>
  !noteable.confidential || place.level >= levels.reporter || noteable.author_id === call.caller.id;
