import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Epic, LinkedEpic } from '../../../src/contract/shapes/epic.js';
import type { World } from '../../../src/server/world/shape.js';
import { testService, type TestService } from '../../support/service.js';

/** Epics that stand alone at first: those of `acme` from id 1, those of its subgroup after them. */
const count = 9;
const world: World = {
  users: [{ id: 1, username: 'root', admin: true, token: 'root-token' }],
  groups: [
    { id: 10, path: 'acme', epics: Array.from({ length: count }, (_, i) => ({ id: i + 1, iid: i + 1 })) },
    { id: 11, path: 'acme/sub', epics: Array.from({ length: 3 }, (_, i) => ({ id: count + i + 1, iid: i + 1 })) },
  ],
};

/** What the tests believe: the lists of children by parent, and where every epic stands. */
interface Model { readonly children: Map<number, number[]>; readonly places: Map<number, { group: string; iid: number }> }

const freshModel = (): Model => ({
  children: new Map(),
  places: new Map(Array.from({ length: count + 3 }, (_, i) =>
    [i + 1, i < count ? { group: 'acme', iid: i + 1 } : { group: 'acme%2Fsub', iid: i + 1 - count }])),
});

const childrenIn = ({ children }: Model, parent: number): number[] => children.get(parent) ?? [];
const parentIn = ({ children }: Model, id: number): number | undefined => [...children].find(([, list]) => list.includes(id))?.[0];
const lineIn = (model: Model, id: number): number[] => {
  const parent = parentIn(model, id);
  return parent === undefined ? [id] : [id, ...lineIn(model, parent)];
};
const heightIn = (model: Model, id: number): number => 1 + Math.max(0, ...childrenIn(model, id).map((child) => heightIn(model, child)));
const path = ({ places }: Model, parent: number): string => {
  const { group, iid } = places.get(parent)!;
  return `/groups/${group}/epics/${iid}/epics`;
};

type Step = readonly [kind: 'assign' | 'unassign' | 'create' | 'before' | 'after' | 'both', a: number, b: number, c: number];
const place = fc.nat({ max: count + 4 });
const steps = fc.array(fc.tuple(
  fc.constantFrom<Step[0][]>('assign', 'assign', 'assign', 'assign', 'create', 'unassign', 'before', 'after', 'both'), place, place, place,
), { maxLength: 40, minLength: 10 });

/** Does one step on the service, and on the model what the service should have done. */
const step = async (service: TestService, model: Model, [kind, a, b, c]: Step): Promise<void> => {
  const ids = [...model.places.keys()];
  const parent = ids[a % ids.length]!;
  const child = ids[b % ids.length]!;
  if (kind === 'assign') return assign(service, model, parent, child);
  if (kind === 'create') return create(service, model, parent);
  const siblings = childrenIn(model, parentIn(model, child) ?? parent);
  if (!siblings.includes(child)) return;
  if (kind === 'unassign') return unassign(service, model, child);
  return reorder(service, model, kind, child, siblings[b % siblings.length]!, siblings[c % siblings.length]!);
};

const assign = async (service: TestService, model: Model, parent: number, child: number): Promise<void> => {
  const groupOf = (id: number) => model.places.get(id)!.group;
  const fits = !lineIn(model, parent).includes(child) && parentIn(model, child) !== parent
    && groupOf(child).startsWith(groupOf(parent)) && lineIn(model, parent).length + heightIn(model, child) <= 7;
  const { status } = await service.post(`${path(model, parent)}/${child}`, { as: 'root' });
  expect(status).toBe(fits ? 201 : 409);
  if (!fits) return;
  const former = parentIn(model, child);
  if (former !== undefined) model.children.set(former, childrenIn(model, former).filter((id) => id !== child));
  model.children.set(parent, [child, ...childrenIn(model, parent)]);
};

const create = async (service: TestService, model: Model, parent: number): Promise<void> => {
  const { status, body } = await service.post<LinkedEpic>(path(model, parent), { as: 'root', json: { title: 'New' } });
  expect(status).toBe(lineIn(model, parent).length < 7 ? 201 : 400);
  if (status !== 201) return;
  model.places.set(body.id, { group: model.places.get(parent)!.group, iid: body.iid });
  model.children.set(parent, [body.id, ...childrenIn(model, parent)]);
};

const unassign = async (service: TestService, model: Model, child: number): Promise<void> => {
  const parent = parentIn(model, child)!;
  const { status, body } = await service.delete<Epic>(`${path(model, parent)}/${child}`, { as: 'root' });
  expect([status, body.parent_id]).toEqual([200, null]);
  model.children.set(parent, childrenIn(model, parent).filter((id) => id !== child));
};

const reorder = async (
  service: TestService, model: Model, kind: Step[0], child: number, before: number, after: number,
): Promise<void> => {
  const parent = parentIn(model, child)!;
  const json = { ...(kind !== 'after' && { move_before_id: before }), ...(kind !== 'before' && { move_after_id: after }) };
  const { status, body } = await service.put<Epic[]>(`${path(model, parent)}/${child}`, { as: 'root', json });
  if (kind === 'both' && before === after) { expect(status).toBe(400); return; }
  expect(status).toBe(200);
  const answered = body.map(({ id }) => id);
  const others = childrenIn(model, parent).filter((id) => id !== child);
  if (kind === 'both') {
    const at = (id: number) => answered.indexOf(id);
    expect(answered.filter((id) => id !== child)).toEqual(others);
    if (before !== child && after !== child) {
      expect([at(before), at(child), at(after)].sort((x, y) => x - y)[1]).toBe(at(child));
    } else expect(answered).toEqual(childrenIn(model, parent));
  } else if (before !== child || kind === 'after') {
    const next = kind === 'before' ? others.indexOf(before) + 1 : others.indexOf(after);
    expect(answered).toEqual(after === child && kind === 'after' ? childrenIn(model, parent) : others.toSpliced(next, 0, child));
  } else expect(answered).toEqual(childrenIn(model, parent));
  model.children.set(parent, answered);
};

/** The service's own tree, read anew: children by parent as its lists and lookups tell. */
const check = async (service: TestService, model: Model): Promise<void> => {
  let listed = 0;
  for (const [id, { group, iid }] of model.places) {
    const { body: children } = await service.get<Epic[]>(`${path(model, id)}?per_page=100`, { as: 'root' });
    expect(children.map((child) => child.id)).toEqual(childrenIn(model, id));
    const { body: epic } = await service.get<Epic>(`/groups/${group}/epics/${iid}`, { as: 'root' });
    expect([epic.id, epic.parent_id]).toEqual([id, parentIn(model, id) ?? null]);
    expect(lineIn(model, id).length).toBeLessThanOrEqual(7);
    listed += children.length;
  }
  const roots = [...model.places.keys()].filter((id) => parentIn(model, id) === undefined);
  expect(roots.length + listed).toBe(model.places.size);
  expect(roots.reduce((sum, id) => sum + sizeIn(model, id), 0)).toBe(model.places.size);
};

const sizeIn = (model: Model, id: number): number => childrenIn(model, id).reduce((sum, child) => sum + sizeIn(model, child), 1);

test('after any steps every epic stands once in a tree without circles, at most seven levels deep, in the order of a plain list', async () => {
  await fc.assert(fc.asyncProperty(steps, async (sequence) => {
    const service = await testService({ world });
    const model = freshModel();
    try {
      for (const one of sequence) await step(service, model, one);
      await check(service, model);
    } finally {
      await service.close();
    }
  }), { numRuns: 40 });
});

test('of two assignments at once that would make a circle together, one is refused', async () => {
  const service = await testService({ world });
  const sent = [service.post('/groups/acme/epics/1/epics/2', { as: 'root' }), service.post('/groups/acme/epics/2/epics/1', { as: 'root' })];
  expect((await Promise.all(sent)).map(({ status }) => status).sort()).toEqual([201, 409]);
  await service.close();
});
