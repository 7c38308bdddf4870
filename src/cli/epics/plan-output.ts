import * as Type from '@sinclair/typebox';
import type { PlanLine } from '../terminal/io/messages.js';
import type { View } from '../terminal/output/view.js';
import type { Conflict } from './conflicts.js';
import { type EpicFacts, type Live, nameIn } from './live.js';
import { type Forest, type LinkStep, type LinkTarget, targetForest } from './plan.js';
import type { StepResult } from './run.js';
import { nullable } from '../../contract/shapes/scalars.js';

interface Mark {
  readonly sign: keyof typeof tones;
  readonly remark: string;
}

interface Drawing {
  readonly nameOf: (epic: number) => string;
  readonly marks: ReadonlyMap<number, Mark>;
  readonly shown: ReadonlySet<number>;
  readonly children: (epic: number) => readonly number[];
  readonly removedFrom: (epic: number) => readonly number[];
}

const tones = { '+': 'added', '~': 'changed', '-': 'removed', ' ': null } as const;

const planLine = (indent: string, sign: keyof typeof tones, text: string): PlanLine =>
  ({ text: `${indent}${sign} ${text}`, tone: tones[sign] });

/** `+` for a new child, `-` for a removed one, `~` for one that is moved or reordered. Names are escaped. */
export const planLines = (live: Live, target: LinkTarget, steps: readonly LinkStep[], topName: string): PlanLine[] => {
  const after = targetForest(live.forest, target);
  const epicName = (epic: number) => {
    const title = target.created.get(epic);
    return title === undefined ? nameIn(live, epic) : JSON.stringify(title);
  };
  const marks = new Map(steps.map((step) =>
    [step.epic, markOf(step, live, target, epicName, after)]));
  const removedFrom = (parent: number) => target.removed.filter((epic) => live.forest.parents.get(epic) === parent);
  const shown = new Set<number>();
  for (const epic of marks.keys()) {
    let above: number | null | undefined = target.removed.includes(epic) ? live.forest.parents.get(epic) : epic;
    while (above !== null && above !== undefined && above !== live.root && !shown.has(above)) {
      shown.add(above);
      above = after.parents.get(above);
    }
  }
  const drawing: Drawing = {
    nameOf: epicName, marks, shown, children: (epic) => after.children.get(epic) ?? [], removedFrom,
  };
  const elsewhere = [...shown].filter((epic) =>
    !isBelow(after.parents, epic, live.root) && !shown.has(after.parents.get(epic) ?? NaN));
  const headed = (text: string, epic: number) => [{ text, tone: null }, ...draw(drawing, epic, '  ')];
  return [...headed(topName, live.root), ...elsewhere.flatMap((epic) => headed(epicName(epic), epic))];
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
    return { sign: '-', remark: ` (has no parent any more${keptChildren(after.children.get(epic)?.length ?? 0)})` };
  }
  const [now, parent] = [forest.parents.get(epic) ?? null, after.parents.get(epic) ?? null];
  if (now === null) return { sign: '+', remark: ' (assigned)' };
  return { sign: '~', remark: now === parent ? ' (reordered)' : ` (from ${nameOf(now)})` };
};

const keptChildren = (count: number): string =>
  count === 0 ? '' : count === 1 ? ', and keeps its child' : `, and keeps its ${count} children`;

const draw = (drawing: Drawing, parent: number, indent: string): PlanLine[] => {
  const { nameOf, marks, shown, children, removedFrom } = drawing;
  const lines: PlanLine[] = [];
  let unchanged = 0;
  const flush = () => {
    if (unchanged > 0) lines.push(planLine(indent, ' ', `(${unchanged} unchanged)`));
    unchanged = 0;
  };
  for (const epic of children(parent)) {
    if (!shown.has(epic)) {
      unchanged++;
      continue;
    }
    flush();
    const { sign, remark } = marks.get(epic) ?? { sign: ' ', remark: '' };
    lines.push(planLine(indent, sign, `${nameOf(epic)}${remark}`), ...draw(drawing, epic, `${indent}    `));
  }
  flush();
  return [...lines, ...removedFrom(parent).map((epic) =>
    planLine(indent, '-', `${nameOf(epic)}${marks.get(epic)?.remark ?? ''}`))];
};

const StepRecord = Type.Object({
  action: Type.String(), status: Type.String(), id: nullable(Type.Integer()), iid: nullable(Type.Integer()),
  /** As commands accept it: `&2`, `acme/sub&2` or `id:501`. */
  reference: nullable(Type.String()),
  title: nullable(Type.String()), parent_id: nullable(Type.Integer()), former_parent_id: nullable(Type.Integer()),
  after_id: nullable(Type.Integer()),
  /** Only a reorder to the front has it. */
  before_id: nullable(Type.Integer()),
  url: nullable(Type.String()), conflict: nullable(Type.String()),
});
export type StepRecord = Type.Static<typeof StepRecord>;

export const stepRecords = (
  { epics, names }: Pick<Live, 'epics' | 'names'>, results: readonly StepResult[], conflicts: readonly Conflict[],
): StepRecord[] => {
  // A new epic has a step of its own for its place, with its id if it exists by then.
  const creations = new Map(results.flatMap(({ step, result }) => step.action === 'create'
    ? [step.epic, result?.id ?? step.epic].map((id) => [id, { title: step.title, created: result }] as const) : []));
  return results.map(({ step, status }, at) => {
    const { title, created } = creations.get(step.epic) ?? {};
    const known = created ?? epics.get(step.epic);
    const facts: Partial<EpicFacts> = known ?? {};
    return {
      action: step.action, status, id: knownId(created?.id ?? step.epic), iid: facts.iid ?? null,
      reference: known ? names.refOf(known) : null,
      title: title ?? facts.title ?? null,
      ...placesIn(step),
      url: created?.url ?? facts.web_url ?? null,
      conflict: conflictAt(conflicts, at),
    };
  });
};

const placesIn = (step: LinkStep) => ({
  parent_id: 'parent' in step ? knownId(step.parent) : null,
  former_parent_id: 'from' in step ? knownId(step.from) : null,
  after_id: 'after' in step ? knownId(step.after) : null, before_id: 'before' in step ? knownId(step.before) : null,
});

const conflictAt = (conflicts: readonly Conflict[], at: number): string | null =>
  conflicts.filter(({ step }) => step === at).map(({ message }) => message).join('; ') || null;

const knownId = (epic: number): number | null => epic > 0 ? epic : null;

export const stepView: View<StepRecord> = {
  columns: [
    { name: 'action', cell: ({ action }) => action, tone: () => 'strong' },
    { name: 'status', cell: ({ status }) => status, tone: ({ status }) => status === 'failed' ? 'removed' : null },
    { name: 'epic', cell: ({ reference }) => reference ?? '' },
    { name: 'id', cell: ({ id }) => String(id ?? '') },
    { name: 'parent', cell: ({ parent_id }) => String(parent_id ?? ''), hideOrder: 2 },
    { name: 'former', cell: ({ former_parent_id }) => String(former_parent_id ?? ''), hideOrder: 1 },
    { name: 'title', cell: ({ title }) => title ?? '', minWidth: 20 },
  ],
  id: ({ id }) => String(id ?? ''),
  shape: StepRecord,
  emptyText: 'no changes',
};
