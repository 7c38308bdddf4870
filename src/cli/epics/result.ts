import * as Type from '@sinclair/typebox';
import type { View } from '../terminal/output/view.js';
import type { Conflict } from './conflicts.js';
import type { LinkStep } from './forest.js';
import type { EpicFacts, Live } from './live.js';
import type { StepResult } from './run.js';

const nullable = () => Type.Union([Type.Integer(), Type.Null()]);

const StepRecord = Type.Object({
  action: Type.String(), status: Type.String(), id: nullable(), iid: nullable(),
  reference: Type.Union([Type.String(), Type.Null()]),
  title: Type.Union([Type.String(), Type.Null()]), parent_id: nullable(), former_parent_id: nullable(),
  after_id: nullable(), before_id: nullable(), url: Type.Union([Type.String(), Type.Null()]),
  conflict: Type.Union([Type.String(), Type.Null()]),
});

/** Ids of epics that do not exist are null. */
interface StepRecord {
  readonly action: 'create' | 'assign' | 'move' | 'unassign' | 'reorder';
  readonly status: StepResult['status'];
  readonly id: number | null;
  readonly iid: number | null;
  /** As commands accept it: `&2`, `acme/sub&2` or `id:501`. */
  readonly reference: string | null;
  readonly title: string | null;
  readonly parent_id: number | null;
  readonly former_parent_id: number | null;
  readonly after_id: number | null;
  /** Only for a reorder to the front. */
  readonly before_id: number | null;
  readonly url: string | null;
  /** Why the service may reject it. */
  readonly conflict: string | null;
}

export const recordsOf = (
  { epics, names }: Pick<Live, 'epics' | 'names'>, results: readonly StepResult[], conflicts: readonly Conflict[],
): StepRecord[] => results.map(({ step, status, result: created }, at) => {
  const known = created ?? epics.get(step.epic);
  const facts: Partial<EpicFacts> = known ?? {};
  return {
    action: step.action, status, id: idOf(created?.id ?? step.epic), iid: facts.iid ?? null,
    reference: known ? names.refOf(known) : null,
    title: step.action === 'create' ? step.title : facts.title ?? null,
    ...placesIn(step),
    url: created?.url ?? facts.web_url ?? null,
    conflict: conflictAt(conflicts, at),
  };
});

const placesIn = (step: LinkStep) => ({
  parent_id: 'parent' in step ? idOf(step.parent) : null,
  former_parent_id: 'from' in step ? idOf(step.from) : null,
  after_id: 'after' in step ? idOf(step.after) : null, before_id: 'before' in step ? idOf(step.before) : null,
});

const conflictAt = (conflicts: readonly Conflict[], at: number): string | null => {
  const reasons = conflicts.filter(({ step }) => step === at).map(({ message }) => message);
  return reasons.length === 0 ? null : reasons.join('; ');
};

/** New epics that do not exist have negative numbers. */
const idOf = (epic: number): number | null => epic > 0 ? epic : null;

const number = (value: number | null): string => value === null ? '' : String(value);

export const stepView: View<StepRecord> = {
  columns: [
    { name: 'action', cell: ({ action }) => action, tone: () => 'strong' },
    { name: 'status', cell: ({ status }) => status, tone: ({ status }) => status === 'failed' ? 'removed' : null },
    { name: 'epic', cell: ({ reference }) => reference ?? '' },
    { name: 'id', cell: ({ id }) => number(id) },
    { name: 'parent', cell: ({ parent_id }) => number(parent_id), hideOrder: 2 },
    { name: 'former', cell: ({ former_parent_id }) => number(former_parent_id), hideOrder: 1 },
    { name: 'title', cell: ({ title }) => title ?? '', minWidth: 20 },
  ],
  id: ({ id }) => number(id),
  shape: StepRecord,
  emptyText: 'no changes',
};
