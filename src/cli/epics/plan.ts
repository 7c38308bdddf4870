import { Problem } from '../command-line/failure.js';

/**
 * By global ids; epics that do not exist yet have negative ones. A new child comes first (behavior: epics.move,
 * epics.first).
 */
export interface Forest {
  readonly parents: Map<number, number | null>;
  readonly children: Map<number, readonly number[]>;
}

export type LinkStep =
  | { readonly action: 'create'; readonly epic: number; readonly title: string; readonly parent: number }
  | { readonly action: 'assign'; readonly epic: number; readonly parent: number }
  | { readonly action: 'move'; readonly epic: number; readonly parent: number; readonly from: number }
  | { readonly action: 'unassign'; readonly epic: number; readonly from: number }
  | { readonly action: 'reorder'; readonly epic: number; readonly parent: number; readonly after: number }
  | { readonly action: 'reorder'; readonly epic: number; readonly parent: number; readonly before: number };

export const copyOf = ({ parents, children }: Forest): Forest =>
  ({ parents: new Map(parents), children: new Map(children) });

export const applyStep = (forest: Forest, step: LinkStep): void => {
  const { epic } = step;
  if (step.action === 'reorder') return replaceChildren(forest, step.parent, (list) => placed(list, step));
  const former = forest.parents.get(epic);
  if (former !== null && former !== undefined) {
    replaceChildren(forest, former, (list) => list.filter((id) => id !== epic));
  }
  forest.parents.set(epic, step.action === 'unassign' ? null : step.parent);
  if (step.action === 'create') forest.children.set(epic, []);
  if (step.action !== 'unassign') replaceChildren(forest, step.parent, (list) => [epic, ...list]);
};

const replaceChildren = (
  { children }: Forest, parent: number, change: (list: readonly number[]) => readonly number[],
): void => {
  const list = children.get(parent);
  if (list) children.set(parent, change(list));
};

const placed = (list: readonly number[], step: Extract<LinkStep, { action: 'reorder' }>): readonly number[] => {
  const others = list.filter((id) => id !== step.epic);
  const at = 'after' in step ? others.indexOf(step.after) + 1 : others.indexOf(step.before);
  return others.toSpliced(at, 0, step.epic);
};

export const lineToTop = ({ parents }: Forest, epic: number): number[] => {
  const line: number[] = [];
  const seen = new Set<number>();
  for (let id: number | null | undefined = epic; id !== null && id !== undefined && !seen.has(id);) {
    line.push(id);
    seen.add(id);
    id = parents.get(id);
  }
  return line;
};

/** The epic alone, its children, and so on; each epic once. */
const levelsFrom = ({ children }: Forest, epic: number): number[][] => {
  const levels: number[][] = [];
  const seen = new Set([epic]);
  for (let level = [epic]; level.length > 0;) {
    levels.push(level);
    level = level.flatMap((id) => children.get(id) ?? []).filter((id) => !seen.has(id));
    for (const id of level) seen.add(id);
  }
  return levels;
};

export const heightOf = (forest: Forest, epic: number): number => levelsFrom(forest, epic).length;

/** As many as the plan marks: an epic can have several steps. */
export const changedEpics = (steps: readonly Pick<LinkStep, 'epic'>[]): number =>
  new Set(steps.map(({ epic }) => epic)).size;

/** A call of `epics.reorder`, which places a child directly after a sibling, or directly before one. */
export type Move =
  | { readonly child: number; readonly after: number }
  | { readonly child: number; readonly before: number };

/** The fewest moves, to be made in this order. Siblings that `wanted` does not name follow in their present order. */
export const movesTo = (current: readonly number[], wanted: readonly number[]): readonly Move[] => {
  const named = new Set(wanted);
  const target = [...wanted, ...current.filter((id) => !named.has(id))];
  const places = new Map(target.map((id, place) => [id, place]));
  const staying = new Set(longestIncreasing(current.map((id) => places.get(id)!)).map((place) => target[place]!));
  return target.flatMap((child, place): Move[] => {
    if (staying.has(child)) return [];
    // The present first child can stay in every case, so it is never the one to move to the front.
    return [place === 0 ? { child, before: current[0]! } : { child, after: target[place - 1]! }];
  });
};

/** The wire names the side of the sibling (behavior: epics.reorder-before, epics.reorder-after). */
export const reorderParams = (move: Move) => ({
  child_epic_id: move.child,
  ...('after' in move ? { move_before_id: move.after } : { move_after_id: move.before }),
});

interface Reordering {
  readonly child_epic_id: number;
  readonly move_before_id?: number | undefined;
  readonly move_after_id?: number | undefined;
}

export const isPlaced = (
  siblings: readonly { readonly id: number }[], { child_epic_id: child, ...beside }: Reordering,
): boolean => {
  const indexOf = (id: number | undefined) =>
    id === undefined || id === child ? null : siblings.findIndex((one) => one.id === id);
  const place = siblings.findIndex(({ id }) => id === child);
  const [before, after] = [indexOf(beside.move_before_id), indexOf(beside.move_after_id)];
  if (place < 0) return false;
  if (before !== null && after !== null) return (before - place) * (after - place) < 0;
  return before !== null ? place === before + 1 : after === null || place === after - 1;
};

const longestIncreasing = (values: readonly number[]): number[] => {
  /** The index of the least last value of an increasing subsequence of each length. */
  const ends: number[] = [];
  const previous = values.map((value, index) => {
    const length = firstWhere(ends.length, (at) => values[ends[at]!]! > value);
    ends[length] = index;
    return ends[length - 1];
  });
  const found: number[] = [];
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) found.push(values[index]!);
  return found.reverse();
};

/** The first number below `count` that a test accepts, or `count`; the test accepts all numbers from there on. */
const firstWhere = (count: number, accepts: (at: number) => boolean): number => {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (accepts(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

export interface LinkTarget {
  /** All children of some epics, in order. New epics without children are missing. */
  readonly children: ReadonlyMap<number, readonly number[]>;
  readonly created: ReadonlyMap<number, string>;
  readonly removed: readonly number[];
}

/** Current versions allow seven levels, older ones five (behavior: epics.depth). */
export const depthLimits = { current: 7, older: 5 } as const;

/**
 * The service accepts each write in this order: no cycle and, if it can be avoided, no more levels than before or
 * after. An epic is removed from its parent for a while where no other order is left. Siblings join a parent in the
 * reverse of their order, because the service puts each of them first: so the fewest reorders remain.
 */
export const planSteps = (
  live: Forest, target: LinkTarget, canUnassign: (epic: number) => boolean = () => true,
): readonly LinkStep[] => {
  const forest = copyOf(live);
  const steps: LinkStep[] = [];
  const make = (step: LinkStep) => {
    applyStep(forest, step);
    steps.push(step);
  };
  for (const epic of target.removed) {
    const from = forest.parents.get(epic);
    if (from !== null && from !== undefined) make({ action: 'unassign', epic, from });
  }
  attachAll({ forest, target, make, maxDepth: allowedDepth(live, target), canUnassign });
  for (const [parent, wanted] of target.children) {
    for (const move of movesTo(forest.children.get(parent) ?? [], wanted)) {
      const { child: epic, ...place } = move;
      make({ action: 'reorder', epic, parent, ...place });
    }
  }
  return steps;
};

interface Attaching {
  readonly forest: Forest;
  readonly target: LinkTarget;
  readonly make: (step: LinkStep) => void;
  readonly maxDepth: number;
  readonly canUnassign: (epic: number) => boolean;
}

/** A deep tree that exists shows that the service allows as many levels. */
const allowedDepth = (live: Forest, target: LinkTarget): number => {
  const deepest = Math.max(depthOf(live), depthOf(targetForest(live, target)));
  return deepest <= depthLimits.older ? depthLimits.older : Math.max(depthLimits.current, deepest);
};

export const depthOf = (forest: Forest): number => {
  const depths = new Map<number, number>();
  for (const epic of new Set([...forest.parents.keys(), ...forest.children.keys()])) {
    const line = lineToTop(forest, epic);
    const known = line.findIndex((id) => depths.has(id));
    const end = known < 0 ? line.length : known;
    let depth = known < 0 ? 0 : depths.get(line[known]!)!;
    for (const id of line.slice(0, end).reverse()) depths.set(id, ++depth);
  }
  return [...depths.values()].reduce((most, depth) => Math.max(most, depth), 0);
};

export const targetForest = (live: Forest, { children, removed }: LinkTarget): Forest => {
  const forest = copyOf(live);
  const moved = new Set([...removed, ...[...children.values()].flat()]);
  for (const [parent, list] of forest.children) forest.children.set(parent, list.filter((id) => !moved.has(id)));
  for (const epic of removed) forest.parents.set(epic, null);
  for (const [parent, list] of children) {
    forest.children.set(parent, list);
    for (const epic of list) forest.parents.set(epic, parent);
  }
  return forest;
};

interface Chain {
  readonly parent: number;
  readonly waiting: number[];
}

const attachAll = (run: Attaching): void => {
  const { forest, target } = run;
  const chains = [...target.children].map(([parent, wanted]): Chain =>
    ({ parent, waiting: wanted.filter((id) => forest.parents.get(id) !== parent) }));
  const pending = new Set(chains.flatMap(({ waiting }) => waiting));
  const unfinished = () => chains.filter(({ waiting }) => waiting.length > 0);
  for (let left = unfinished(); left.length > 0; left = unfinished()) {
    const before = pending.size;
    for (const chain of left) advance(run, chain, pending, fits(run));
    if (pending.size === before) makeRoom(run, left, pending);
  }
};

const advance = (
  { forest, target, make }: Attaching, { parent, waiting }: Chain, pending: Set<number>,
  fit: (epic: number, parent: number) => boolean,
): void => {
  for (let epic = waiting.at(-1); epic !== undefined && fit(epic, parent); epic = waiting.at(-1)) {
    const title = target.created.get(epic);
    const from = forest.parents.get(epic);
    if (title !== undefined) make({ action: 'create', epic, title, parent });
    else if (from === null || from === undefined) make({ action: 'assign', epic, parent });
    else make({ action: 'move', epic, parent, from });
    waiting.pop();
    pending.delete(epic);
  }
};

const exists = ({ forest, target }: Attaching, epic: number): boolean =>
  !target.created.has(epic) || forest.parents.has(epic);

const makesCycle = ({ forest }: Attaching, epic: number, parent: number): boolean =>
  lineToTop(forest, parent).includes(epic);

const fits = (run: Attaching) => (epic: number, parent: number): boolean =>
  exists(run, parent) && !makesCycle(run, epic, parent)
  && lineToTop(run.forest, parent).length + heightOf(run.forest, epic) <= run.maxDepth;

/**
 * Removes one waiting epic so that others fit: first for a cycle, then for the depth. If the depth cannot be avoided,
 * the first epic is attached all the same, and the service decides.
 */
const makeRoom = (run: Attaching, chains: readonly Chain[], pending: Set<number>): void => {
  const { forest, make, canUnassign } = run;
  const heads = chains.filter(({ parent }) => exists(run, parent))
    .map((chain) => ({ chain, epic: chain.waiting.at(-1)!, parent: chain.parent }));
  const isMovable = (id: number) => pending.has(id) && typeof forest.parents.get(id) === 'number' && canUnassign(id);
  const ways = [
    ...heads.filter(({ epic, parent }) => makesCycle(run, epic, parent)).map(({ epic, parent }) => {
      const line = lineToTop(forest, parent);
      return line.slice(0, line.indexOf(epic));
    }),
    ...heads.map(({ parent }) => lineToTop(forest, parent)),
    ...heads.map(({ epic }) => levelsFrom(forest, epic).slice(1).flat()),
  ];
  const epic = ways.flatMap((way) => way.filter(isMovable).slice(0, 1))[0];
  if (epic !== undefined) return make({ action: 'unassign', epic, from: forest.parents.get(epic)! });
  const [head] = heads.filter((one) => !makesCycle(run, one.epic, one.parent));
  if (!head) {
    throw new Problem('failure', 'every order of the changes creates a temporary cycle',
      'remove an epic of the cycle from its parent first, with `colloquy epics unassign`');
  }
  const only = head.epic;
  advance(run, head.chain, pending, (id) => id === only);
};
