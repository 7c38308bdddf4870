import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEpicTree, readGroupTree, type EpicNode, type TreeOptions } from '../../../src/cli/epics/tree.js';
import { json } from '../../support/answers.js';
import { madeService, type MadeEpic } from '../../support/epic-service.js';
import { runsOf } from '../../support/extent.js';

/** A tree as nested lists: `[1, [2, 3]]`; null where it is cut. */
type Nested = readonly (readonly [number, Nested | null])[];
const nested = (nodes: readonly EpicNode[]): Nested =>
  nodes.map(({ epic, children }) => [epic.id, children && nested(children)] as const);

const below = (epics: readonly MadeEpic[], id: number | null, depth = Infinity): Nested =>
  epics.filter(({ parent = null }) => parent === id)
    .map((epic) => [epic.id, depth > 1 ? below(epics, epic.id, depth - 1) : null] as const);

const top = { id: '10', iid: 1 };
const treeOf = async (epics: readonly MadeEpic[], given: Parameters<typeof madeService>[1] = {}, options: TreeOptions = {}) => {
  const service = madeService(epics, given);
  const tree = await readEpicTree(service.client, top, options);
  return { ...tree, nested: nested(tree.children), sent: service.sent };
};

/** Each epic is a child of an earlier one, in any order of siblings. */
const epicTrees = (most: number) => fc.integer({ min: 1, max: most }).chain((count) => fc.tuple(
  fc.tuple(...Array.from({ length: count }, (_, i) => i === 0 ? fc.constant(null) : fc.integer({ min: 1, max: i }))),
  fc.array(fc.constantFrom(10, 11, 12), { minLength: count, maxLength: count }),
)).chain(([parents, groups]) => fc.shuffledSubarray(
  parents.map((parent, i): MadeEpic => ({ id: i + 1, parent, group: i === 0 ? 10 : groups[i]! })), { minLength: parents.length }));

/** 1 has 100 children, and every fourth of them has four children. */
const wide: MadeEpic[] = [{ id: 1 }, ...Array.from({ length: 100 }, (_, i) => ({ id: i + 2, parent: 1 })),
  ...Array.from({ length: 100 }, (_, i) => ({ id: i + 200, parent: 2 + 4 * Math.floor(i / 4) }))];

describe('readEpicTree', () => {
  it('reads the children of every epic in the order of the service', async () => {
    await fc.assert(fc.asyncProperty(epicTrees(60), fc.boolean(), fc.boolean(), fc.boolean(), async (epics, hasList, hasEpic, paged) => {
      const { nested: read, repeated, epic } = await treeOf(epics, { hasList, hasEpic, paged, below: [11, 12] });
      expect({ read, repeated }).toEqual({ read: below(epics, 1), repeated: [] });
      expect(epic?.id ?? null).toBe(hasEpic ? 1 : null);
    }), { numRuns: runsOf(150) });
  });

  it('stops at the depth limit, and leaves open what is below', async () => {
    await fc.assert(fc.asyncProperty(epicTrees(40), fc.integer({ min: 1, max: 4 }), async (epics, depth) => {
      expect((await treeOf(epics, { below: [11, 12] }, { depth })).nested).toEqual(below(epics, 1, depth));
    }), { numRuns: runsOf(50) });
  });

  it('asks for the children of the epics alone that have some, if the tree is large', async () => {
    const { nested: read, sent } = await treeOf(wide);
    expect(read).toEqual(below(wide, 1));
    const lists = sent.filter((line) => line === 'GET /groups/10/epics');
    expect(lists).toHaveLength(3);
    expect(sent).toHaveLength(1 + 1 + lists.length + 25);
  });

  it('asks for the children of every epic, twice if that is exact reading, and if the service has no list', async () => {
    expect((await treeOf(wide, {}, { isExact: true })).sent).toHaveLength(1 + 2 * 201);
    expect((await treeOf(wide, { hasList: false })).sent).toHaveLength(203);
  });

  it('does not request the list of a large group for a small tree', async () => {
    const others = Array.from({ length: 5000 }, (_, i) => ({ id: i + 1000 }));
    expect((await treeOf([...wide.slice(0, 20), ...others])).sent).toHaveLength(21);
    expect((await treeOf([...wide.slice(0, 40), ...others])).sent.length).toBeLessThan(50);
    expect((await treeOf(wide, {}, { depth: 1 })).sent).toHaveLength(2);
  });

  it('reads the children of epics that the list of the group lacks', async () => {
    const foreign = [{ id: 400, parent: 2, group: 12 }, { id: 401, parent: 400, group: 12 }, { id: 402, parent: 401, group: 13 }];
    expect((await treeOf([...wide, ...foreign])).nested).toEqual(below([...wide, ...foreign], 1));
  });

  it('misses the children of an epic that are all outside the group only in a large tree, and never in exact reading', async () => {
    const outside = { id: 400, parent: 201, group: 12 };
    const epics = [...wide, outside];
    expect((await treeOf(epics)).nested).toEqual(below(wide, 1));
    expect((await treeOf(epics, {}, { isExact: true })).nested).toEqual(below(epics, 1));
    expect((await treeOf([{ id: 1 }, { id: 201, parent: 1 }, outside])).nested).toEqual([[201, [[400, []]]]]);
  });

  it('cuts a cycle and reports it', async () => {
    const cycle = [{ id: 1, parent: 3 }, { id: 2, parent: 1 }, { id: 3, parent: 2 }];
    for (const options of [{}, { hasList: false }, { hasEpic: false }]) {
      const { nested: read, repeated } = await treeOf(cycle, options);
      expect(read).toEqual([[2, [[3, []]]]]);
      expect(repeated.map(({ epic, parent }) => [epic.id, parent?.id])).toEqual([[1, 3]]);
    }
    const itself = await treeOf([{ id: 1 }, { id: 2, parent: 2 }, { id: 3, parent: 1 }]);
    expect(itself.nested).toEqual([[3, []]]);
  });

  it('ends for a chain of epics without end', async () => {
    const { client } = madeService([], { answer: ({ target }) => {
      const iid = Number(/epics\/(\d+)/.exec(target)?.[1] ?? 0);
      const whole = { id: iid + 1, iid: iid + 1, group_id: 10, parent_id: iid, title: 't', description: '', labels: [], author: { id: 1 },
        start_date: null, due_date: null, created_at: '2024-01-01T00:00:00Z', updated_at: '2024-01-01T00:00:00Z' };
      return target.includes('/epics?') ? json(200, [whole]) : json(200, { ...whole, id: iid, iid });
    } });
    let [levels, nodes]: [number, readonly EpicNode[] | null] = [0, (await readEpicTree(client, top)).children];
    for (; nodes?.length; nodes = nodes[0]!.children) levels++;
    expect(levels).toBe(100);
  });

  it('fails with the error of any request, whichever it is', async () => {
    const { sent } = await treeOf(wide);
    for (let failing = 0; failing < sent.length; failing++) {
      let count = 0;
      const reading = treeOf(wide, { answer: () => count++ === failing ? json(500, { message: 'broken' }) : undefined });
      await expect(reading).rejects.toMatchObject({ status: 500 });
    }
  });

  it('sends no further requests after a failure', async () => {
    let count = 0;
    const { client, sent } = madeService(wide, { hasList: false, answer: () => count++ === 30 ? json(403, { message: '403 Forbidden' }) : undefined });
    await expect(readEpicTree(client, top)).rejects.toMatchObject({ status: 403 });
    const afterFailure = sent.length;
    await new Promise((resolve) => { setTimeout(resolve, 20); });
    expect(sent).toHaveLength(afterFailure);
    expect(afterFailure).toBeLessThan(80);
  });
});

describe('readGroupTree', () => {
  const groupTreeOf = async (epics: readonly MadeEpic[], options: TreeOptions = {}) => {
    const service = madeService(epics, { below: [11, 12] });
    const tree = await readGroupTree(service.client, '10', options);
    return { ...tree, nested: nested(tree.children), sent: service.sent };
  };

  it('reads the trees of a group, the newest root first', async () => {
    await fc.assert(fc.asyncProperty(epicTrees(30), epicTrees(30), async (one, other) => {
      const second = other.map((epic) => ({ ...epic, id: epic.id + 100, parent: epic.parent ? epic.parent + 100 : null }));
      const { nested: read, repeated } = await groupTreeOf([...one, ...second]);
      expect({ read, repeated }).toEqual({ read: [...below(second, null), ...below(one, null)], repeated: [] });
    }), { numRuns: runsOf(50) });
  });

  it('starts with an epic whose parent is outside the group', async () => {
    expect((await groupTreeOf([{ id: 5, parent: 90 }, { id: 6, parent: 5 }, { id: 90, group: 20 }])).nested).toEqual([[5, [[6, []]]]]);
  });

  it('shows a cycle from its oldest epic, with all that is below it', async () => {
    const { nested: read, repeated } = await groupTreeOf([
      { id: 7, parent: 5 }, { id: 5, parent: 6 }, { id: 6, parent: 7 }, { id: 8, parent: 6 }, { id: 9 }, { id: 4, parent: 4 }]);
    expect(read).toEqual([[9, []], [5, [[7, [[6, [[8, []]]]]]]], [4, []]]);
    expect(repeated.map(({ epic, parent }) => [epic.id, parent?.id])).toEqual([[4, 4], [5, 6]]);
  });

  it('needs one request for many epics without children', async () => {
    const epics = Array.from({ length: 30 }, (_, i) => ({ id: i + 1 }));
    expect((await groupTreeOf(epics)).sent).toEqual(['GET /groups/10/epics']);
  });

  it('fails if the service cannot list the epics of a group', async () => {
    await expect(readGroupTree(madeService([], { hasList: false }).client, '10')).rejects.toMatchObject({ status: 404 });
  });
});
