import { accessLevels } from '../../contract/conventions.js';
import type { Call } from '../api/context.js';
import { forbidden, notFound } from '../http/errors.js';
import { groupBy, levelOn, projectBy, type ContainerRow, type ProjectRow } from '../repositories/containers.js';
import type { NoteRow } from '../repositories/notes.js';
import type { Target } from './noteables.js';

/** Who can read may comment; a locked discussion is for members, an archived project for nobody (wire-facts 4.11.2). */
export const canComment = ({ noteable, project, member }: Target): boolean =>
  !project?.archived && (!noteable.locked || member);

/** One's own notes, or any note for maintainers; system notes for nobody (wire-facts 4.6.7, 4.7.1). */
export const canEditNote = (call: Call, target: Target, note: NoteRow): boolean =>
  !note.system && !target.project?.archived
  && (note.author_id === call.caller.id || target.level >= accessLevels.maintainer);

/** The merge request's author or a developer; when it is locked, members only (wire-facts 4.9.9). */
export const canResolveThread = (call: Call, target: Target): boolean =>
  !target.project?.archived && (!target.noteable.locked || target.member)
  && (target.level >= accessLevels.developer || target.noteable.author_id === call.caller.id);

/** Like the thread, or the note's own author (wire-facts 4.9.9). */
export const canResolveNote = (call: Call, target: Target, note: NoteRow): boolean =>
  canResolveThread(call, target)
  || (note.author_id === call.caller.id && !target.project?.archived && (!target.noteable.locked || target.member));

/** A note's time may be set by administrators and owners (wire-facts 4.11.4). */
export const canSetTime = (target: Target): boolean => target.level >= accessLevels.owner;

/** @throws Refusal 403 */
export const demand = (allowed: boolean): void => { if (!allowed) throw forbidden(); };

/** A project or group that the caller can see, and how far the caller's rights in it go. */
export interface Place<C extends ContainerRow = ContainerRow> {
  readonly container: C;
  /** The caller's access level; an administrator's is the owner's. */
  readonly level: number;
  /** Whether the caller belongs to it, or is an administrator. */
  readonly member: boolean;
}

/** @throws Refusal 404, the same for a missing project and a hidden one (wire-facts 1.5.1) */
export const visibleProject = async (call: Call, id: number | string | null): Promise<Place<ProjectRow>> =>
  await call.world.granted(keyOf(call, 'project', id), async () =>
    visible(call, id === null ? undefined : await projectBy(call.queries, id))) ?? fail('Project');

/** @throws Refusal 404, the same for a missing group and a hidden one (wire-facts 6.2.2) */
export const visibleGroup = async (call: Call, id: number | string | null): Promise<Place> =>
  await call.world.granted(keyOf(call, 'group', id), async () =>
    visible(call, id === null ? undefined : await groupBy(call.queries, id))) ?? fail('Group');

const keyOf = ({ caller }: Call, kind: string, id: number | string | null): string =>
  JSON.stringify([kind, caller.id, id]);

const fail = (thing: string): never => { throw notFound(thing); };

/** The place a container is for the caller, or null where it is missing or hidden. */
export const visible = async <C extends ContainerRow>(
  call: Call, container: C | undefined,
): Promise<Place<C> | null> => {
  const stored = await levelOn(call.queries, call.caller.id, container?.path ?? '');
  const level = call.caller.admin ? accessLevels.owner : stored;
  if (!container) return null;
  const member = level >= accessLevels.guest;
  return container.visibility === 'private' && !member ? null : { container, level, member };
};
