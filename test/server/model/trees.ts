import fc from 'fast-check';
import type { Epic, LinkedEpic } from '../../../src/contract/epics.js';
import type { ServerOptions } from '../../../src/server/index.js';
import {
  childrenIn, cut, freshTrees, hang, lineIn, hangStatus, parentIn, treeWorld, type Trees,
} from '../../support/tree-model.js';
import { caller, expected, type Call } from './calls.js';
import { watched, type Statuses } from './sequence.js';

const does = ['assign', 'assign', 'assign', 'create', 'unassign', 'before', 'after', 'between'] as const;

/** One step on the trees; numbers are counted round over the epics there are. */
export interface TreeStep { readonly what: typeof does[number]; readonly one: number; readonly other: number; readonly third: number }

export const treeSteps = fc.array(fc.record<TreeStep>({
  what: fc.constantFrom(...does), one: fc.nat({ max: 15 }), other: fc.nat({ max: 15 }), third: fc.nat({ max: 15 }),
}), { minLength: 1, maxLength: 40, size: 'max' });

/**
 * Does the steps on a service and on plain lists, and compares the trees whole after each.
 * @throws Error that says where they part
 */
export const runTrees = async (options: ServerOptions, steps: readonly TreeStep[], statuses: Statuses): Promise<void> => {
  const service = await watched({ world: treeWorld, ...options });
  const call = caller(service, statuses);
  const trees = freshTrees();
  try {
    for (const step of steps) {
      await take(call, trees, step);
      await compare(call, trees);
    }
  } finally {
    await service.close();
  }
};

const path = ({ places }: Trees, parent: number): string => {
  const { group, iid } = places.get(parent)!;
  return `/groups/${group}/epics/${iid}`;
};

const take = async (call: Call, trees: Trees, step: TreeStep): Promise<void> => {
  const ids = [...trees.places.keys()];
  const one = ids[step.one % ids.length]!;
  const parent = parentIn(trees, one);
  if (step.what === 'assign') return assign(call, trees, one, ids[step.other % ids.length]!);
  if (step.what === 'create') return create(call, trees, one);
  if (parent === undefined) return;
  return step.what === 'unassign' ? unassign(call, trees, parent, one) : reorder(call, trees, parent, one, step);
};

const assign = async (call: Call, trees: Trees, parent: number, child: number): Promise<void> => {
  const wanted = hangStatus(trees, parent, child);
  expected((await call('root', 'POST', `${path(trees, parent)}/epics/${child}`)).status, wanted, ['assign', parent, child]);
  if (wanted === 201) hang(trees, parent, child);
};

const create = async (call: Call, trees: Trees, parent: number): Promise<void> => {
  const { status, body } = await call<LinkedEpic>('root', 'POST', `${path(trees, parent)}/epics`, { title: 'New' });
  const fits = lineIn(trees, parent).length < 7;
  expected(status, fits ? 201 : 400, ['create', parent]);
  if (!fits) return;
  trees.places.set(body.id, { group: trees.places.get(parent)!.group, iid: body.iid });
  hang(trees, parent, body.id);
};

const unassign = async (call: Call, trees: Trees, parent: number, child: number): Promise<void> => {
  const { status, body } = await call<Epic>('root', 'DELETE', `${path(trees, parent)}/epics/${child}`);
  expected([status, body.parent_id], [200, null], ['unassign', child]);
  cut(trees, child);
};

/** Between two that are not neighbours the service has some choice; next to one it has none. */
const reorder = async (call: Call, trees: Trees, parent: number, child: number, { what, other, third }: TreeStep): Promise<void> => {
  const siblings = childrenIn(trees, parent);
  const [before, after] = [siblings[other % siblings.length]!, siblings[third % siblings.length]!];
  const json = { ...(what !== 'after' && { move_before_id: before }), ...(what !== 'before' && { move_after_id: after }) };
  const { status, body } = await call<Epic[]>('root', 'PUT', `${path(trees, parent)}/epics/${child}`, json);
  const where = ['reorder', child, json];
  expected(status, what === 'between' && before === after ? 400 : 200, where);
  if (status !== 200) return;
  const order = body.map(({ id }) => id);
  const others = siblings.filter((id) => id !== child);
  if (Object.values(json).includes(child)) expected(order, siblings, where);
  else if (what === 'between') {
    const [from, to] = [others.indexOf(before), others.indexOf(after)].sort((a, b) => a - b) as [number, number];
    const index = order.indexOf(child);
    expected([order.filter((id) => id !== child), index > from && index <= to], [others, true], where);
  } else {
    const index = what === 'before' ? others.indexOf(before) + 1 : others.indexOf(after);
    expected(order, others.toSpliced(index, 0, child), where);
  }
  trees.children.set(parent, order);
};

/** Every epic's children in order, and every epic's parent. */
const compare = async (call: Call, trees: Trees): Promise<void> => {
  for (const id of trees.places.keys()) {
    const { body: children } = await call<Epic[]>('root', 'GET', `${path(trees, id)}/epics?per_page=100`);
    expected(children.map((child) => [child.id, child.parent_id]), childrenIn(trees, id).map((child) => [child, id]), ['children of', id]);
    const { body } = await call<Epic>('root', 'GET', path(trees, id));
    expected([body.id, body.parent_id], [id, parentIn(trees, id) ?? null], ['epic', id]);
  }
};
