import type { RecordedRun } from './journal.js';
import { nameIn, type Live } from './live.js';
import type { LinkTarget } from './plan.js';

export interface Rollback extends LinkTarget {
  /** In sentences, for messages. */
  readonly kept: readonly string[];
}

/**
 * The links before a run, where they are still as it left them; what other users changed stays. Created epics lose
 * their parents. @param live with all epics and parents that the run changed
 */
export const rollbackOf = (live: Live, { former, left, created, epics }: RecordedRun): Rollback => {
  const { forest } = live;
  const wanted = new Map<number, number | null>([
    ...former.parents, ...[...created.keys()].map((epic): [number, null] => [epic, null]),
  ]);
  const kept: string[] = [];
  const returning = new Map<number, number | null>();
  for (const [epic, parent] of wanted) {
    const now = forest.parents.get(epic);
    const isChanged = former.parents.has(epic) && left.some(({ parents }) => parents.get(epic) !== parent);
    if (now === undefined && isChanged) {
      kept.push(`${nameIn({ ...live, epics }, epic)} is missing, or the token cannot read it`);
    }
    if (now === undefined || now === parent) continue;
    if (left.some(({ parents }) => parents.get(epic) === now)) returning.set(epic, parent);
    else kept.push(`${nameIn(live, epic)} stays ${placeIn(live, now)}, where another user put it`);
  }
  const children = new Map<number, readonly number[]>();
  for (const [parent, order] of former.children) {
    const list = restoredChildren({ live, former, left, returning }, parent, order);
    if (list.isOtherOrder) {
      kept.push(`the order of the children of ${nameIn(live, parent)} stays: another user changed it`);
    }
    if (forest.children.has(parent)) children.set(parent, list.children);
  }
  for (const [epic, parent] of returning) {
    if (parent === null || children.get(parent)?.includes(epic)) continue;
    kept.push(`${nameIn(live, epic)} stays: its former parent ${nameIn(live, parent)} is missing`);
  }
  const removed = [...returning].filter(([, parent]) => parent === null).map(([epic]) => epic);
  return { children, removed, created: new Map(), kept };
};

const placeIn = (live: Live, parent: number | null): string =>
  parent === null ? 'without a parent' : `below ${nameIn(live, parent)}`;

interface Restoring extends Pick<RecordedRun, 'former' | 'left'> {
  readonly live: Live;
  readonly returning: ReadonlyMap<number, number | null>;
}

/** The present order stays if another user changed it. */
const restoredChildren = (
  { live: { forest }, left, returning }: Restoring, parent: number, order: readonly number[],
): { readonly children: readonly number[]; readonly isOtherOrder: boolean } => {
  const now = forest.children.get(parent) ?? [];
  const staying = now.filter((epic) => !returning.has(epic));
  const back = order.filter((epic) => returning.get(epic) === parent);
  const members = new Set([...staying, ...back]);
  const isOurs = left.some((one) => isSameOrder(one.children.get(parent) ?? [], now));
  const formerOrder = order.filter((epic) => members.has(epic));
  if (isOurs) return { children: inserted(formerOrder, staying, now), isOtherOrder: false };
  const isFormer = isSameOrder(staying, order);
  return { children: inserted(staying, back, order), isOtherOrder: !isFormer };
};

/** Compares the common members only. */
const isSameOrder = (a: readonly number[], b: readonly number[]): boolean => {
  const [inA, inB] = [new Set(a), new Set(b)];
  return String(a.filter((epic) => inB.has(epic))) === String(b.filter((epic) => inA.has(epic)));
};

/** Each added member follows the one that precedes it in `order`. */
const inserted = (list: readonly number[], members: readonly number[], order: readonly number[]): readonly number[] => {
  const [present, wanted] = [new Set(list), new Set(members)];
  const followers = new Map<number | null, number[]>([[null, []]]);
  let previous: number | null = null;
  for (const epic of order) {
    if (present.has(epic)) previous = epic;
    else if (wanted.has(epic)) followers.set(previous, [...followers.get(previous) ?? [], epic]);
  }
  return [...followers.get(null)!, ...list.flatMap((epic) => [epic, ...followers.get(epic) ?? []])];
};

