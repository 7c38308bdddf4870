import type { Comparison } from '../../contract/companions/change-shapes.js';
import type { Contract } from '../../contract/contract.js';
import { visibleProject } from '../access/container.js';
import type { Behaviour } from '../call.js';
import { json, jsonArray, jsonObject } from '../json.js';
import { changeBetween } from '../records/noteables.js';
import { recordNotFound } from '../refusal.js';
import { commitJson, commitsOf } from './commit.js';
import { filesOf } from './diffs.js';

/** There is no repository here: only what a merge request or one commit changes can be compared. */
export const compare: Behaviour<Contract['lookups']['comparison']> = async ({ id, from, to }, call) => {
  const { container } = await visibleProject(call, id);
  const change = await changeBetween(call.queries, container.id, String(from), String(to));
  if (!change) throw recordNotFound();
  const shown = { noteable: change, container };
  const commits = change.kind === 'commit' ? [await commitJson(call, shown)] : await commitsOf(call, shown);
  return jsonObject<Comparison>({
    commit: commits[0] ?? json(null),
    commits: jsonArray(commits),
    diffs: json(await filesOf(call, change)),
    compare_timeout: json(false),
    compare_same_ref: json(false),
  });
};
