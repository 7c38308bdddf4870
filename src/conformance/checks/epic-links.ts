import { epicDepth, olderEpicDepth } from '../../contract/conventions.js';
import { readCaller } from '../caller.js';
import {
  type Check, type Checks, type Got, hasError, hasKeys, hasStatus, hasValues, holds, linkingEpics, listIn, objectHas,
  objectIn, objectPath, type Probe, put, read, recordId, rejects, same, sameIn,
} from '../check.js';
import {
  childrenAt, createdChild, epicIn, epicsIn, epicTitle, firstChild, withChildren,
  withConfidentialEpic, withLinks, type EpicSeen, type Family,
} from '../epics.js';

const idsOf = (epics: readonly EpicSeen[]): number[] => epics.map(({ id }) => id);

const onChildren = (count: number, work: (probe: Probe, family: Family) => Promise<void>): Check =>
  linkingEpics((probe) => withChildren(probe, count, (family) => work(probe, family)));

/** A check on the response to the creation of a child, which is not a child any more. */
const onCreated = (work: (probe: Probe, got: Got, child: EpicSeen) => Promise<void> | void): Check =>
  linkingEpics(async (probe) => {
    const got = await createdChild(probe);
    await work(probe, got, epicIn(got));
  });

const sendAssignment = (probe: Probe, path: string, { id }: EpicSeen): Promise<Got> =>
  probe.call('POST', `${path}/${id}`);

const assign = async (probe: Probe, path: string, child: EpicSeen): Promise<Got> =>
  hasStatus(await sendAssignment(probe, path, child), 201);

const unassign = async (probe: Probe, path: string, { id }: EpicSeen): Promise<Got> =>
  hasStatus(await probe.call('DELETE', `${path}/${id}`), 200);

/** A check on the response to the assignment of a child that was removed before. */
const onReassigned = (work: (probe: Probe, got: Got, child: EpicSeen) => Promise<void> | void): Check =>
  onChildren(1, async (probe, { path, children: [child] }) => {
    await unassign(probe, path, child!);
    await work(probe, await assign(probe, path, child!), child!);
  });

/** Puts each epic below the one before it, and the first below none. Responds with the last. */
const linkInChain = async (
  probe: Probe, path: string, below: Family['below'], epics: readonly EpicSeen[],
): Promise<EpicSeen> => {
  await unassign(probe, path, epics[0]!);
  for (const [at, child] of epics.slice(1).entries()) await assign(probe, below(epics[at]!), child);
  return epics.at(-1)!;
};

const reorder = async (
  probe: Probe, { path, children }: Family, child: EpicSeen, json: unknown,
): Promise<readonly [Got, readonly number[]]> => {
  const got = await put(probe, `${path}/${child.id}`, json);
  const known = idsOf(children);
  return [got, epicsIn(got).map(({ id }) => id).filter((id) => known.includes(id))];
};

/** A check of the order after one move, with a letter for each child. */
const reordered = (names: string, moved: string, place: Readonly<Record<string, string>>, order: string): Check =>
  onChildren(names.length, async (probe, family) => {
    const named = (name: string): EpicSeen => family.children[names.indexOf(name)]!;
    const json = Object.fromEntries(Object.entries(place).map(([key, name]) => [key, named(name).id]));
    const [got, ids] = await reorder(probe, family, named(moved), json);
    same(got, 'the order', ids, [...order].map((name) => named(name).id));
  });

/** An attempt to assign a child to a confidential epic, after which it is where it was. */
const belowConfidential = (work: (probe: Probe, parent: string, child: EpicSeen) => Promise<void>): Check =>
  onChildren(1, async (probe, { path, children: [child] }) => {
    await withConfidentialEpic(probe, async (confidential) => {
      await work(probe, confidential, child!);
      const [after, children] = await childrenAt(probe, path);
      holds(after, 'the child where it was', idsOf(children).includes(child!.id), idsOf(children));
    });
  });

const belowLowest = (levels: number, look: (got: Got) => void): Check =>
  onChildren(levels + 1, async (probe, { path, below, children }) => {
    const lowest = await linkInChain(probe, path, below, children.slice(0, -1));
    look(await sendAssignment(probe, below(lowest), children.at(-1)!));
  });

const deepest = (levels: number): Check => onChildren(levels, async (probe, { path, below, children }) => {
  const lowest = await linkInChain(probe, path, below, children);
  const got = hasStatus(await probe.call('POST', below(lowest), { json: { title: epicTitle } }), 400);
  same(got, 'the fields', Object.keys(objectIn(got)['message'] as object), ['parent']);
});

export const epicLinkChecks: Checks = {
  'epics.assign-path': onReassigned((_, got, child) => same(got, 'the id', epicIn(got).id, child.id)),
  'epics.global-id': onChildren(1, async (probe, { children: [child] }) => {
    sameIn(await read(probe, `${objectPath(probe, 'group')}/epics/${child!.iid}`), 'the id', 'id', child!.id);
  }),
  'epics.create-or-assign': onCreated((_, got, child) => same(got, 'the title', child.title, epicTitle)),
  'epics.assign-response': onReassigned(async (probe, got, child) => {
    const { id } = objectIn(await read(probe, objectPath(probe, 'parent')));
    const epic = epicIn(got);
    same(got, 'the child', { id: epic.id, parent_id: epic.parent_id }, { id: child.id, parent_id: id });
  }),
  'epics.assign-again': onChildren(1, async (probe, { path, children: [child] }) => {
    hasStatus(await sendAssignment(probe, path, child!), 409);
  }),
  'epics.assign-again-newer': onChildren(1, async (probe, { path, children: [child] }) => {
    hasError(await sendAssignment(probe, path, child!), 409, 'message', 'Epic(s) already assigned');
  }),
  'epics.assign-itself-newer': onChildren(2, async (probe, { below, children: [child, other] }) => {
    const itself = await sendAssignment(probe, below(child!), child!);
    hasError(itself, 422, 'message', /is not allowed to point to itself$/);
    await assign(probe, below(child!), other!);
    const cycle = await sendAssignment(probe, below(other!), child!);
    hasError(cycle, 422, 'message', /it's already present in this item's hierarchy$/);
  }),
  'epics.assign-itself': onChildren(2, async (probe, { path, below, children: [child, other] }) => {
    hasStatus(await sendAssignment(probe, below(child!), child!), 409);
    await unassign(probe, path, other!);
    await assign(probe, below(child!), other!);
    hasStatus(await sendAssignment(probe, below(other!), child!), 409);
  }),
  'epics.depth-older': belowLowest(olderEpicDepth, (got) => hasStatus(got, 409)),
  'epics.depth': belowLowest(epicDepth, (got) => hasStatus(got, 409)),
  'epics.depth-newer': belowLowest(epicDepth, (got) => hasError(got, 422, 'message', /reached maximum depth/)),
  'epics.create-limits-older': deepest(olderEpicDepth),
  'epics.create-limits': deepest(epicDepth),
  'epics.confidential-parent': belowConfidential(async (probe, parent, child) => {
    const got = hasStatus(await sendAssignment(probe, parent, child), 409);
    holds(got, 'the reason', /confidential/.test(got.text), got.text);
  }),
  'epics.confidential-parent-newer': belowConfidential(async (probe, parent, child) => {
    const got = hasStatus(await sendAssignment(probe, parent, child), 400);
    const { base } = objectIn(got)['message'] as { readonly base?: unknown };
    same(got, 'the texts for `base`', base, [
      'cannot assign a non-confidential epic to a confidential parent. Make the epic confidential and try again.',
    ]);
  }),
  'epics.move': onChildren(3, async (probe, { below, children: [first, second, child] }) => {
    await assign(probe, below(first!), child!);
    await assign(probe, below(second!), child!);
    const [got, left] = await childrenAt(probe, below(first!));
    same(got, 'the children of the other epic', idsOf(left), []);
    const [after, moved] = await childrenAt(probe, below(second!));
    same(after, 'the children of the new parent', idsOf(moved), [child!.id]);
  }),
  'epics.first': onChildren(2, async (probe, { path, children }) => {
    const last = children.at(-1)!;
    await unassign(probe, path, last);
    await assign(probe, path, last);
    const [got, first] = await firstChild(probe);
    same(got, 'the id of the first child', first.id, last.id);
  }),
  'epics.system-notes': onChildren(1, async (probe, { children: [child] }) => {
    const path = `${objectPath(probe, 'group')}/epics/${child!.id}/discussions`;
    const got = await read(probe, path, 'per_page=100');
    const notes = listIn(got).flatMap((thread) => thread['notes'] as readonly { readonly system: unknown }[]);
    holds(got, 'a system note', notes.some(({ system }) => system === true), notes.length);
  }),
  'epics.create-confidential': linkingEpics((probe) => withConfidentialEpic(probe, async (parent) => {
    const json = { title: epicTitle, confidential: false };
    const got = hasStatus(withLinks(await probe.call('POST', parent, { json })), 400);
    holds(got, 'the reason', /non-confidential/.test(got.text), got.text);
  })),
  'epics.create-group': onCreated(async (probe, created, { iid }) => {
    const { id: group } = objectIn(await read(probe, objectPath(probe, 'group')));
    const caller = await readCaller(probe);
    const got = await read(probe, `${objectPath(probe, 'group')}/epics/${iid}`);
    const child = epicIn(got);
    hasValues(got, child, { group_id: group });
    same(got, 'the id of the author', recordId(child['author']), caller.id);
  }),
  'epics.create-response': onCreated((_, got, child) => {
    hasKeys(got, child, ['id', 'iid', 'title', 'group_id', 'parent_id', 'has_children', 'has_issues']);
    hasKeys(got, child, ['reference', 'url', 'relation_url']);
  }),
  'epics.create-empty': onCreated((_, got, { has_children, has_issues }) =>
    same(got, 'the values', { has_children, has_issues }, { has_children: false, has_issues: false })),
  'epics.create-reference': onCreated((_, got, child) => hasValues(got, child, { reference: `&${child.iid}` })),
  'epics.create-urls': onCreated(async (probe, got, { id, iid, url, relation_url }) => {
    const { iid: above } = objectIn(await read(probe, objectPath(probe, 'parent')));
    const ends = { url: `/-/epics/${iid}`, relation_url: `/-/epics/${String(above)}/links/${id}` };
    for (const [name, end] of Object.entries(ends)) {
      const address = String(name === 'url' ? url : relation_url);
      holds(got, `${name} with ${end} at the end`, /^https?:/.test(address) && address.endsWith(end), address);
    }
  }),
  'epics.reorder-before': reordered('abc', 'a', { move_before_id: 'b' }, 'bac'),
  'epics.reorder-after': reordered('abc', 'c', { move_after_id: 'b' }, 'acb'),
  'epics.reorder-both': reordered('abc', 'c', { move_before_id: 'b', move_after_id: 'a' }, 'acb'),
  'epics.reorder-apart': onChildren(4, async (probe, family) => {
    const [a, , c, d] = family.children;
    const [got, ids] = await reorder(probe, family, d!, { move_before_id: a!.id, move_after_id: c!.id });
    const places = [a!, d!, c!].map(({ id }) => ids.indexOf(id));
    holds(got, 'the child between its siblings', places[0]! < places[1]! && places[1]! < places[2]!, ids);
  }),
  'epics.reorder-itself': reordered('ab', 'a', { move_before_id: 'a' }, 'ab'),
  'epics.reorder-same': onChildren(2, async (probe, { path, children: [a, b] }) => {
    const json = { move_before_id: b!.id, move_after_id: b!.id };
    hasStatus(await probe.call('PUT', `${path}/${a!.id}`, { json }), 400);
  }),
  'epics.reorder-neither': reordered('ab', 'a', {}, 'ab'),
  'epics.reorder-unknown': onChildren(2, async (probe, { path, below, children: [a, b] }) => {
    await assign(probe, below(a!), b!);
    await rejects(probe, 'PUT', `${path}/${a!.id}`, { json: { move_before_id: b!.id } },
      404, 'message', 'Epic not found for given params');
  }),
  'epics.reorder-keeps-time': onChildren(2, async (probe, family) => {
    const [a, b] = family.children;
    const [got] = await reorder(probe, family, a!, { move_before_id: b!.id });
    const moved = epicsIn(got).find(({ id }) => id === a!.id);
    same(got, '`updated_at`', moved?.['updated_at'], a!['updated_at']);
  }),
  'epics.reorder-response': onChildren(2, async (probe, family) => {
    const [a, b] = family.children;
    const [got] = await reorder(probe, family, a!, { move_before_id: b!.id });
    const [, all] = await childrenAt(probe, family.path);
    same(got, 'the ids of all children', idsOf(epicsIn(got)).slice(0, 100), idsOf(all));
  }),
  'epics.unassign': onChildren(1, async (probe, { path, children: [child] }) => {
    objectHas(await unassign(probe, path, child!), { parent_id: null });
  }),
  'epics.unassign-unknown': onChildren(2, async (probe, { path, below, children: [a, b] }) => {
    await assign(probe, below(a!), b!);
    hasStatus(await probe.call('DELETE', `${path}/${b!.id}`), 404);
  }),
  'epics.unassign-keeps': onChildren(2, async (probe, { path, below, children: [a, b] }) => {
    await assign(probe, below(a!), b!);
    objectHas(await unassign(probe, path, a!), { group_id: a!['group_id'] });
    const [after, children] = await childrenAt(probe, below(a!));
    same(after, 'the children', idsOf(children), [b!.id]);
  }),
};
