import type { Call } from '../call.js';
import { groupBy } from '../records/containers.js';
import { epicById, epicByIid, type EpicRow } from '../records/epics.js';
import { childrenOf, type ChildRow } from '../records/epic-tree.js';
import { forbidden } from '../refusal.js';
import { levels } from './caller.js';
import { visible, visibleGroup, type Place } from './container.js';
import { canRead } from './noteable.js';

/** What a call does with links: `change` needs the multi-level feature, `part` only epics (wire-facts 6.2.3). */
export type LinkUse = 'read' | 'change' | 'part';

/** What a path says of a parent epic. */
export interface ParentPath { readonly id: number | string | null; readonly epic_iid: number | null }

/** A parent epic and the group it was asked for in. */
export interface Parent { readonly epic: EpicRow; readonly place: Place }

/**
 * The epic whose links a call is about.
 * @throws Refusal 404 for the group; 403 for a missing feature, an unknown epic, a missing right (wire-facts 6.2)
 */
export const parentEpic = async (call: Call, { id, epic_iid }: ParentPath, use: LinkUse): Promise<Parent> => {
  const place = await visibleGroup(call, id);
  const { epics, nested_epics } = call.world.settings;
  if (!epics || (use === 'change' && !nested_epics)) throw forbidden();
  const epic = epic_iid === null ? undefined : await epicByIid(call.queries, place.container.id, epic_iid);
  if (!epic || !canRead(call, place, epic)) throw forbidden();
  if (use !== 'read' && place.level < levels.reporter) throw forbidden();
  return { epic, place };
};

/** An epic by its global id, where the caller can read it; else undefined, after as many questions. */
export const readableEpic = async (call: Call, id: number | null): Promise<EpicRow | undefined> => {
  const epic = id === null ? undefined : await epicById(call.queries, id);
  const place = await visible(call, await groupBy(call.queries, epic?.group_id ?? 0));
  return epic && place && canRead(call, place, epic) ? epic : undefined;
};

/** The children of an epic that the caller can read, in their order (wire-facts 6.7.6). */
export const readableChildren = async (call: Call, parent: EpicRow): Promise<ChildRow[]> => {
  const children = await childrenOf(call.queries, parent.id);
  const places = new Map<number, Place | null>();
  for (const group of new Set(children.map((child) => child.group_id))) {
    places.set(group, await visible(call, await groupBy(call.queries, group)));
  }
  return children.filter((child) => {
    const place = places.get(child.group_id);
    return place && canRead(call, place, child);
  });
};
