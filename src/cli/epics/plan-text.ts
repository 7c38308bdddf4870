import type { Forest, LinkStep } from './forest.js';
import { nameIn, type Live } from './live.js';
import { targetForest, type LinkTarget } from './plan.js';

interface Mark {
  readonly sign: string;
  readonly remark: string;
}

interface Drawing {
  readonly nameOf: (epic: number) => string;
  readonly marks: ReadonlyMap<number, Mark>;
  readonly shown: ReadonlySet<number>;
  readonly children: (epic: number) => readonly number[];
  readonly removedFrom: (epic: number) => readonly number[];
}

/** `+` for a new child, `-` for a removed one, `~` for one that is moved or reordered. Names are escaped. */
export const planLines = (live: Live, target: LinkTarget, steps: readonly LinkStep[], topName: string): string[] => {
  const after = targetForest(live.forest, target);
  const nameOf = (epic: number) => {
    const title = target.created.get(epic);
    return title === undefined ? nameIn(live, epic) : JSON.stringify(title);
  };
  const marks = new Map(steps.map((step) =>
    [step.epic, markOf(step, live, target, nameOf, after)]));
  const removedFrom = (parent: number) => target.removed.filter((epic) => live.forest.parents.get(epic) === parent);
  const shown = new Set<number>();
  for (const epic of marks.keys()) {
    let above: number | null | undefined = target.removed.includes(epic) ? live.forest.parents.get(epic) : epic;
    while (above !== null && above !== undefined && !shown.has(above)) {
      shown.add(above);
      above = after.parents.get(above);
    }
  }
  const drawing: Drawing = {
    nameOf, marks, shown, children: (epic) => after.children.get(epic) ?? [], removedFrom,
  };
  const elsewhere = [...shown].filter((epic) => epic !== live.root && !isBelow(after.parents, epic, live.root)
    && !shown.has(after.parents.get(epic) ?? NaN));
  return [topName, ...draw(drawing, live.root, '  '),
    ...elsewhere.flatMap((epic) => [nameOf(epic), ...draw(drawing, epic, '  ')])];
};

const isBelow = (parents: ReadonlyMap<number, number | null>, epic: number, top: number): boolean => {
  const seen = new Set<number>();
  for (let id = parents.get(epic); id !== null && id !== undefined && !seen.has(id); id = parents.get(id)) {
    if (id === top) return true;
    seen.add(id);
  }
  return false;
};

/** By its place now and then: an epic can have several steps. */
const markOf = (
  { epic }: LinkStep, { forest }: Live, { created, removed }: LinkTarget, nameOf: (epic: number) => string,
  after: Forest,
): Mark => {
  if (created.has(epic)) return { sign: '+', remark: ' (new)' };
  if (removed.includes(epic)) {
    return { sign: '-', remark: ` (becomes a root${keptChildren(after.children.get(epic)?.length ?? 0)})` };
  }
  const [now, parent] = [forest.parents.get(epic) ?? null, after.parents.get(epic) ?? null];
  if (now === null) return { sign: '+', remark: '' };
  return { sign: '~', remark: now === parent ? ' (reordered)' : ` (from ${nameOf(now)})` };
};

const keptChildren = (count: number): string =>
  count === 0 ? '' : count === 1 ? ', and keeps its child' : `, and keeps its ${count} children`;

const draw = (drawing: Drawing, parent: number, indent: string): string[] => {
  const { nameOf, marks, shown, children, removedFrom } = drawing;
  const lines: string[] = [];
  let unchanged = 0;
  const flush = () => {
    if (unchanged > 0) lines.push(`${indent}  (${unchanged} unchanged)`);
    unchanged = 0;
  };
  for (const epic of children(parent)) {
    if (!shown.has(epic)) {
      unchanged++;
      continue;
    }
    flush();
    const { sign, remark } = marks.get(epic) ?? { sign: ' ', remark: '' };
    lines.push(`${indent}${sign} ${nameOf(epic)}${remark}`, ...draw(drawing, epic, `${indent}    `));
  }
  flush();
  return [...lines, ...removedFrom(parent).map((epic) =>
    `${indent}- ${nameOf(epic)}${marks.get(epic)?.remark ?? ''}`)];
};
