import { epicProblems } from './check-epics.js';
import { brokenTokens, unknownNames } from './check-names.js';
import { repeats } from './check-repeats.js';
import { shapeProblems } from './check-shape.js';
import { threadProblems } from './check-threads.js';
import { WorldError, type Problem } from './problem.js';
import type { World } from './shape.js';

/**
 * A value as the world that it is, or what is wrong with it. A key whose value is null counts as absent, except in a
 * range of lines, where it is what a client gave.
 */
export const checkWorld = (value: unknown): { readonly world: World } | { readonly problems: readonly Problem[] } => {
  const given = withoutNulls(value ?? {});
  const wrong = shapeProblems(given);
  if (wrong.length > 0) return { problems: wrong };
  const world = given as World;
  const problems = [
    ...brokenTokens(world), ...unknownNames(world), ...repeats(world), ...epicProblems(world), ...threadProblems(world),
  ];
  return problems.length > 0 ? { problems } : { world };
};

/**
 * A value that is a world.
 * @throws WorldError with the first thing that doesn't fit
 */
export const checkedWorld = (value: unknown): World => {
  const outcome = checkWorld(value);
  if ('world' in outcome) return outcome.world;
  const { reason, hint } = outcome.problems[0]!;
  throw new WorldError(reason, hint?.() ?? null);
};

/** Deeper than any world; what goes on there (an alias that holds itself) is cut off and then fits nowhere. */
const deepest = 20;

const withoutNulls = (value: unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return null;
  if (Array.isArray(value)) return value.map((part) => withoutNulls(part, depth + 1));
  const present = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(present.map(([key, part]) =>
    [key, key === 'line_range' ? part : withoutNulls(part, depth + 1)]));
};
