import type { Call } from '../call.js';
import { groupBy, levelOn, projectBy, type ContainerRow, type ProjectRow } from '../records/containers.js';
import { notFound } from '../refusal.js';
import { levels } from './caller.js';

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
  const level = call.caller.admin ? levels.owner : stored;
  if (!container) return null;
  const member = level >= levels.guest;
  return container.visibility === 'private' && !member ? null : { container, level, member };
};
