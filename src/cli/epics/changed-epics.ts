import type { LinkStep } from './forest.js';

/** As many as the plan marks: an epic can have several steps. */
export const changedEpics = (steps: readonly Pick<LinkStep, 'epic'>[]): number =>
  new Set(steps.map(({ epic }) => epic)).size;
