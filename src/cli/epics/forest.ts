/**
 * By global ids; epics that do not exist yet have negative ones. A new child comes first (behavior: epics.move,
 * epics.first).
 */
export interface Forest {
  /** Null for an epic without a parent; missing where the parent is unknown. */
  readonly parents: Map<number, number | null>;
  /** The children in their order; missing where they were not read. */
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

export const lineOf = ({ parents }: Forest, epic: number): number[] => {
  const line: number[] = [];
  const seen = new Set<number>();
  for (let id: number | null | undefined = epic; id !== null && id !== undefined && !seen.has(id);) {
    line.push(id);
    seen.add(id);
    id = parents.get(id);
  }
  return line;
};

/** 1 without children. */
export const heightOf = (forest: Forest, epic: number): number => {
  let [height, level] = [0, [epic]];
  for (const seen = new Set(level); level.length > 0; height++) {
    level = level.flatMap((id) => forest.children.get(id) ?? []).filter((id) => !seen.has(id));
    for (const id of level) seen.add(id);
  }
  return height;
};
