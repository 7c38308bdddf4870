import fc from 'fast-check';
import { type Forest, type LinkTarget, targetForest } from '../../src/cli/epics/plan.js';
import type { EpicFacts, Live } from '../../src/cli/epics/live.js';
import { epicNames } from '../../src/cli/epics/names.js';

/** The top of all random trees. */
export const top = 0;

/** A forest from lists of children; every other epic has no parent. */
export const forestOf = (epics: readonly number[], lists: Readonly<Record<number, readonly number[]>>): Forest => {
  const forest: Forest = { parents: new Map(), children: new Map() };
  for (const epic of [top, ...epics]) {
    forest.parents.set(epic, null);
    forest.children.set(epic, lists[epic] ?? []);
  }
  for (const [parent, list] of Object.entries(lists)) for (const epic of list) forest.parents.set(epic, Number(parent));
  return forest;
};

/** Random trees below `top`; an epic hangs below an earlier one of a shuffled list, or has no parent. */
export const forests = (epics: readonly number[], levels = Infinity): fc.Arbitrary<Forest> =>
  fc.tuple(fc.shuffledSubarray([...epics], { minLength: epics.length }),
    fc.array(fc.nat(), { minLength: epics.length, maxLength: epics.length }),
    fc.array(fc.nat(), { minLength: epics.length, maxLength: epics.length })).map(([order, choices, ranks]) => {
    const lists: Record<number, number[]> = {};
    const depths = new Map([[top, 1]]);
    order.forEach((epic, i) => {
      const places = [top, ...order.slice(0, i)].filter((id) => (depths.get(id) ?? levels) < levels);
      const at = choices[i]! % (places.length + 1);
      const parent = places[at];
      if (parent === undefined) return;
      depths.set(epic, depths.get(parent)! + 1);
      const list = lists[parent] ??= [];
      list.splice(ranks[i]! % (list.length + 1), 0, epic);
    });
    return forestOf(epics, lists);
  });

/** The target that makes one forest of another. Numbers below zero are epics that do not exist in the first one. */
export const targetBetween = (live: Forest, wanted: Forest): LinkTarget => ({
  children: new Map([...wanted.children].filter(([parent, list]) =>
    String(list) !== String(live.children.get(parent) ?? []) && wanted.parents.has(parent))),
  created: new Map([...wanted.parents].filter(([epic, parent]) => epic < 0 && parent !== null).map(([epic]) => [epic, `New ${-epic}`])),
  removed: [...wanted.parents].filter(([epic, parent]) => parent === null && typeof live.parents.get(epic) === 'number').map(([epic]) => epic),
});

/** A forest as text, to compare it. */
export const textOfForest = ({ children }: Forest): string =>
  [...children].filter(([, list]) => list.length > 0).toSorted(([a], [b]) => a - b).map(([parent, list]) => `${parent}:${list.join(',')}`).join(' ');

export { targetForest };

const namesOfGroup = (group: number) => {
  const names = epicNames();
  names.begin(null, String(group));
  return names;
};

/** A forest as the service reports it: the epic 4 is &5 "Epic 4" of group 10. */
export const liveOf = (forest: Forest, facts: Readonly<Record<number, Partial<EpicFacts>>> = {}): Live => ({
  root: top, forest, names: namesOfGroup(10),
  epics: new Map([...forest.parents].map(([id, parent_id]) =>
    [id, { id, iid: id + 1, group_id: 10, parent_id, title: id === top ? 'Top' : `Epic ${id}`, ...facts[id] }])),
});
