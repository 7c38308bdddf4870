import { validateWorld } from '../../src/server/world-file/validate.js';

/** The problems of a value that should be a world, with their hints. */
export const problemsOf = (value: unknown) => {
  const outcome = validateWorld(value);
  return 'problems' in outcome ? outcome.problems.map((problem) => ({ ...problem, hint: problem.hint?.() })) : [];
};

/** The reasons of these problems. */
export const reasonsOf = (value: unknown): string[] => problemsOf(value).map(({ reason }) => reason);
