import type { StartedStep } from '../changes/recorded.js';
import type { LinkStep } from './forest.js';
import type { CreatedEpic, EpicFacts } from './live.js';

/** A write of unknown outcome. Times are in milliseconds since 1970. */
export interface OpenWrite {
  readonly step: LinkStep;
  /** The children that the parent had before. */
  readonly before: readonly number[];
  /** By the clock of the service: older epics were not created by the write. */
  readonly since: number;
  /** By the clock of this program: the service has stopped working on the request. */
  readonly until: number;
}

/** Services stop a request after a minute; it can wait in a queue before that. */
const longestCreate = 90_000;

/** The other writes can be repeated, so less depends on them. */
const longestChange = 8_000;

/** How inexact the difference between the two clocks is, when the service told its time and when it did not. */
const inexactness = { told: 60_000, untold: 600_000 } as const;

export const openWrite = ({ step, at, unanswered }: StartedStep<LinkStep>, before: readonly number[]): OpenWrite => {
  const { isRunning, ahead } = unanswered ?? { isRunning: true, ahead: null };
  const longest = step.action === 'create' ? longestCreate : longestChange;
  return {
    step, before,
    since: at.getTime() + (ahead ?? 0) - (ahead === null ? inexactness.untold : inexactness.told),
    until: isRunning ? at.getTime() + longest : 0,
  };
};

/** The one new child with the title; an epic of unknown age counts as new. @param others created by other writes */
export const createdBy = (
  { step, before, since }: OpenWrite, children: readonly EpicFacts[], others: ReadonlyMap<number, unknown> = new Map(),
): CreatedEpic | null => {
  if (step.action !== 'create') return null;
  const isNew = ({ id, title, created_at: at }: EpicFacts) => !before.includes(id) && !others.has(id)
    && title.trim() === step.title && (at === undefined || Date.parse(at) >= since);
  const [epic, ...more] = children.filter(isNew);
  if (!epic || more.length > 0) return null;
  return createdFrom(epic);
};

export const createdFrom = ({ id, iid, group_id, title, web_url: url }: EpicFacts): CreatedEpic =>
  ({ id, iid, group_id, title, url: url ?? null });

/** Whether the children show the write, which is not a create. */
export const isMadeIn = (step: Exclude<LinkStep, { action: 'create' }>, order: readonly number[]): boolean => {
  const at = order.indexOf(step.epic);
  if (step.action === 'unassign') return at < 0;
  if (step.action !== 'reorder' || at < 0) return at >= 0;
  return 'after' in step ? order[at - 1] === step.after : order[at + 1] === step.before;
};

export const parentIn = (step: LinkStep): number => step.action === 'unassign' ? step.from : step.parent;
