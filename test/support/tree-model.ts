import type { World } from '../../src/server/world-file/schema.js';

/** The number of epics of the group `acme` that form a tree at first, from id 1 on, and of those that follow without a parent. */
const chained = 4;
const alone = 5;
const inSubgroup = 3;

const epics = Array.from({ length: chained + alone }, (_, i) => ({
  id: i + 1, iid: i + 1, ...(i > 0 && i < chained && { parent: i }),
}));

/** Epics of a group, followed by some of its subgroup. */
export const treeWorld: World = {
  users: [{ id: 1, username: 'root', admin: true, token: 'root-token' }],
  groups: [
    { id: 10, path: 'acme', epics },
    { id: 11, path: 'acme/sub', epics: Array.from({ length: inSubgroup }, (_, i) => ({ id: epics.length + i + 1, iid: i + 1 })) },
  ],
};

/** Trees as plain lists: the children of every epic in order. */
export interface Trees {
  readonly children: Map<number, number[]>;
  readonly places: Map<number, { readonly group: string; readonly iid: number }>;
}

export const freshTrees = (): Trees => ({
  children: new Map(epics.flatMap(({ id, parent }): [number, number[]][] => parent ? [[parent, [id]]] : [])),
  places: new Map(Array.from({ length: epics.length + inSubgroup }, (_, i) =>
    [i + 1, i < epics.length ? { group: 'acme', iid: i + 1 } : { group: 'acme%2Fsub', iid: i + 1 - epics.length }])),
});

export const childrenIn = ({ children }: Trees, parent: number): number[] => children.get(parent) ?? [];

export const parentIn = ({ children }: Trees, id: number): number | undefined =>
  [...children].find(([, list]) => list.includes(id))?.[0];

/** An epic and its ancestors. */
export const lineIn = (trees: Trees, id: number): number[] => {
  const parent = parentIn(trees, id);
  return parent === undefined ? [id] : [id, ...lineIn(trees, parent)];
};

export const heightIn = (trees: Trees, id: number): number =>
  1 + Math.max(0, ...childrenIn(trees, id).map((child) => heightIn(trees, child)));

export const sizeIn = (trees: Trees, id: number): number =>
  childrenIn(trees, id).reduce((sum, child) => sum + sizeIn(trees, child), 1);

/** How the service responds to a parent that gets this child: without a cycle, and in at most seven levels. */
export const hangStatus = (trees: Trees, parent: number, child: number): 201 | 409 | 422 => {
  if (parentIn(trees, child) === parent) return 409;
  return lineIn(trees, parent).includes(child) || lineIn(trees, parent).length + heightIn(trees, child) > 7 ? 422 : 201;
};

export const cut = (trees: Trees, child: number): void => {
  for (const [parent, list] of trees.children) trees.children.set(parent, list.filter((id) => id !== child));
};

export const hang = (trees: Trees, parent: number, child: number): void => {
  cut(trees, child);
  trees.children.set(parent, [child, ...childrenIn(trees, parent)]);
};
