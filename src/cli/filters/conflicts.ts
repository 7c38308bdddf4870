import { usage } from '../failures.js';
import type { FilterFlags } from './flags.js';

/** Filters that together let nothing through, or say the same thing twice. */
const conflicts: readonly (readonly [string, string, (flags: FilterFlags) => boolean])[] = [
  ['--unresolved', '--resolved', ({ unresolved, resolved }) => Boolean(unresolved && resolved)],
  ['--mine', '--author', ({ mine, author }) => Boolean(mine && author)],
  ['--no-system', '--type system', ({ system, type }) => system === false && Boolean(type?.includes('system'))],
];

/** Refuses filters that make no sense together. @throws Problem */
export const checkConflicts = (flags: FilterFlags): void => {
  const conflict = conflicts.find(([, , isGiven]) => isGiven(flags));
  if (conflict) throw usage(`${conflict[0]} and ${conflict[1]} contradict each other`, 'leave one of them out');
};
