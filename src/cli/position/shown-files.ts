import type { Pages } from '../../client/pages.js';
import type { FileDiff } from '../../contract/companions/change-shapes.js';
import type { Target } from '../refs/target.js';

/** The changed files of a noteable as the service shows them at present; null for one without a diff. */
export const shownFiles = ({ client, kind, path: { id }, ref }: Target): Pages<FileDiff> | null => {
  if (kind === 'merge_request') return client.lookups.diffs({ id, iid: Number(ref.id) });
  return kind === 'commit' ? client.lookups.commitDiff({ id, sha: ref.id }) : null;
};
