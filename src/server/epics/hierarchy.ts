import { childrenLimit, epicDepth } from '../../contract/conventions.js';
import type { EpicRow } from '../records/epics.js';
import { childrenOf, heightOf, lineOf } from '../records/epic-tree.js';
import type { Queries } from '../store/database.js';

/** Held by whoever changes links, so that no two changes make a circle or a too deep tree between them. */
export const treeLock = 'epic tree';

/** Why a child of less confidentiality is refused (wire-facts 6.4.2). */
export const lessConfidential = 'A non-confidential epic cannot be assigned to a confidential parent epic';

/** Why an epic can't hang below another, in the service's words and order (wire-facts 6.3); null if it can. */
export const assignProblem = async (queries: Queries, parent: EpicRow, child: EpicRow): Promise<string | null> => {
  if (child.id === parent.id) return cannot('An epic cannot be added to itself.');
  if (child.parent_id === parent.id) return cannot('It is already assigned to the parent epic.');
  const line = await lineOf(queries, parent.id);
  if (line.includes(child.id)) return cannot('It is already an ancestor of the parent epic.');
  if (!isWithin(child.group_path, parent.group_path)) {
    return cannot('An epic must belong to the same group or subgroup as its parent epic.');
  }
  const full = depthProblem(line.length + await heightOf(queries, child.id)) ?? await fullProblem(queries, parent);
  if (full) return full;
  return parent.confidential && !child.confidential ? lessConfidential : null;
};

/** Why an epic can't get a new child; null if it can. */
export const newChildProblem = async (queries: Queries, parent: EpicRow): Promise<string | null> =>
  depthProblem((await lineOf(queries, parent.id)).length + 1) ?? await fullProblem(queries, parent);

const cannot = (why: string): string => `This epic cannot be added. ${why}`;

/** The same group, or one below it (wire-facts 6.3.2). */
const isWithin = (path: string, above: string): boolean => path === above || path.startsWith(`${above}/`);

const depthProblem = (levels: number): string | null => levels <= epicDepth ? null
  : cannot(`One or more epics would exceed the maximum depth (${epicDepth}) from its most distant ancestor.`);

const fullProblem = async (queries: Queries, parent: EpicRow): Promise<string | null> =>
  (await childrenOf(queries, parent.id)).length < childrenLimit ? null
    : 'You cannot add any more epics. This epic already has maximum number of child issues & epics.';
