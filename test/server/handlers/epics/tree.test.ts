import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Epic, LinkedEpic } from '../../../../src/contract/epics.js';
import { runsOf } from '../../../support/extent.js';
import { testService, type TestService } from '../../../support/service.js';
import {
  childrenIn, cut, freshTrees, hang, lineIn, hangStatus, parentIn, sizeIn, treeWorld, type Trees,
} from '../../../support/tree-model.js';

type Kind = 'assign' | 'unassign' | 'create' | 'before' | 'after' | 'both';
type Step = readonly [kind: Kind, a: number, b: number, c: number];

const kinds = fc.constantFrom<Kind[]>('assign', 'assign', 'assign', 'create', 'unassign', 'before', 'after', 'both');
const steps = fc.array(fc.tuple(kinds, fc.nat({ max: 15 }), fc.nat({ max: 15 }), fc.nat({ max: 15 })), { minLength: 15, maxLength: 40 });
const as = 'root';

const path = ({ places }: Trees, parent: number): string => {
  const { group, iid } = places.get(parent)!;
  return `/groups/${group}/epics/${iid}/epics`;
};

/** Does one step on the service, and on the trees what the service should have done. */
const step = async (service: TestService, trees: Trees, [kind, a, b, c]: Step): Promise<void> => {
  const ids = [...trees.places.keys()];
  const [one, other] = [ids[a % ids.length]!, ids[b % ids.length]!];
  if (kind === 'assign') return assign(service, trees, one, other);
  if (kind === 'create') return create(service, trees, one);
  const siblings = childrenIn(trees, parentIn(trees, one) ?? 0);
  if (siblings.length === 0) return;
  if (kind === 'unassign') return unassign(service, trees, one);
  return reorder(service, trees, kind, one, siblings[b % siblings.length]!, siblings[c % siblings.length]!);
};

const assign = async (service: TestService, trees: Trees, parent: number, child: number): Promise<void> => {
  const { status } = await service.post(`${path(trees, parent)}/${child}`, { as });
  expect(status).toBe(hangStatus(trees, parent, child));
  if (status === 201) hang(trees, parent, child);
};

const create = async (service: TestService, trees: Trees, parent: number): Promise<void> => {
  const { status, body } = await service.post<LinkedEpic>(path(trees, parent), { as, json: { title: 'New' } });
  const fits = lineIn(trees, parent).length < 7;
  expect(status).toBe(fits ? 201 : 400);
  if (!fits) return;
  trees.places.set(body.id, { group: trees.places.get(parent)!.group, iid: body.iid });
  hang(trees, parent, body.id);
};

const unassign = async (service: TestService, trees: Trees, child: number): Promise<void> => {
  const { status, body } = await service.delete<Epic>(`${path(trees, parentIn(trees, child)!)}/${child}`, { as });
  expect([status, body.parent_id]).toEqual([200, null]);
  cut(trees, child);
};

const reorder = async (service: TestService, trees: Trees, kind: Kind, child: number, before: number, after: number): Promise<void> => {
  const parent = parentIn(trees, child)!;
  const json = { ...(kind !== 'after' && { move_before_id: before }), ...(kind !== 'before' && { move_after_id: after }) };
  const { status, body } = await service.put<Epic[]>(`${path(trees, parent)}/${child}`, { as, json });
  expect(status).toBe(kind === 'both' && before === after ? 400 : 200);
  if (status === 400) return;
  const order = body.map(({ id }) => id);
  const at = (id: number) => order.indexOf(id);
  const others = childrenIn(trees, parent).filter((id) => id !== child);
  expect(order.filter((id) => id !== child)).toEqual(others);
  if (Object.values(json).includes(child)) expect(order).toEqual(childrenIn(trees, parent));
  else if (kind === 'both') expect([at(before), at(child), at(after)].sort((x, y) => x - y)[1]).toBe(at(child));
  else expect(at(child)).toBe(kind === 'before' ? at(before) + 1 : at(after) - 1);
  trees.children.set(parent, order);
};

/** Compares the service's own trees, read again, with the plain ones. */
const check = async (service: TestService, trees: Trees): Promise<void> => {
  for (const [id, { group, iid }] of trees.places) {
    const { body: children } = await service.get<Epic[]>(`${path(trees, id)}?per_page=100`, { as });
    expect(children.map((child) => child.id)).toEqual(childrenIn(trees, id));
    const { body: epic } = await service.get<Epic>(`/groups/${group}/epics/${iid}`, { as });
    expect([epic.id, epic.parent_id]).toEqual([id, parentIn(trees, id) ?? null]);
    expect(lineIn(trees, id).length).toBeLessThanOrEqual(7);
  }
  const roots = [...trees.places.keys()].filter((id) => parentIn(trees, id) === undefined);
  expect(roots.reduce((sum, id) => sum + sizeIn(trees, id), 0)).toBe(trees.places.size);
};

test('after any steps every epic occurs once, in trees without cycles of at most seven levels, ordered like plain lists', async () => {
  await fc.assert(fc.asyncProperty(steps, async (sequence) => {
    const service = await testService({ world: treeWorld });
    const trees = freshTrees();
    try {
      for (const one of sequence) await step(service, trees, one);
      await check(service, trees);
    } finally {
      await service.close();
    }
  }), { numRuns: runsOf(30) });
});

test('one of two concurrent assignments that together form a cycle is rejected', async () => {
  const service = await testService({ world: treeWorld });
  const sent = [service.post('/groups/acme/epics/5/epics/6', { as }), service.post('/groups/acme/epics/6/epics/5', { as })];
  expect((await Promise.all(sent)).map(({ status }) => status).sort()).toEqual([201, 422]);
  await service.close();
});
