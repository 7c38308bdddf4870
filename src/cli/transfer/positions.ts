import { noteables } from '../../contract/noteables.js';
import type { Position, PositionInput } from '../../contract/shapes/position.js';
import { nullIfUnsupported } from '../targets/epic.js';
import type { Target } from '../targets/target.js';

type Shas = Pick<Position, 'base_sha' | 'start_sha' | 'head_sha'>;

/** Whether a position refers to a version of the diff that a noteable has. */
export type HasVersion = (position: Position) => boolean;

/** Looks up the versions of the diff of a noteable, if there is a position to check. */
export const versionsOf = async (target: Target, positions: readonly Position[]): Promise<HasVersion> => {
  if (positions.length === 0 || !noteables[target.kind].hasDiff) return () => false;
  const known = new Set((target.kind === 'commit' ? await ofCommit(target) : await ofMergeRequest(target)).map(keyOf));
  return (position) => known.has(keyOf(position));
};

const keyOf = ({ base_sha, start_sha, head_sha }: Shas): string => [base_sha, start_sha, head_sha].join(' ');

const ofMergeRequest = async ({ client, path, ref }: Target): Promise<Shas[]> => {
  const mergeRequest = { id: path.id, iid: Number(ref.id) };
  const versions = await nullIfUnsupported(client.lookups.versions(mergeRequest).all()) ?? [];
  const refs = versions.length > 0 ? null : await nullIfUnsupported(client.lookups.mergeRequest(mergeRequest));
  return [...versions.map(({ base_commit_sha, start_commit_sha, head_commit_sha }) =>
    ({ base_sha: base_commit_sha, start_sha: start_commit_sha, head_sha: head_commit_sha })),
  ...refs?.diff_refs ? [refs.diff_refs] : []];
};

/** On a commit, base and start are its parent (wire-facts 4.10.13). */
const ofCommit = async ({ client, path, ref }: Target): Promise<Shas[]> => {
  const commit = await nullIfUnsupported(client.lookups.commit({ id: path.id, sha: ref.id }));
  const parent = commit?.parent_ids[0];
  return commit && parent ? [{ base_sha: parent, start_sha: parent, head_sha: commit.id }] : [];
};

const inputParts = ['old_path', 'new_path', 'old_line', 'new_line', 'line_range', 'x', 'y', 'width', 'height'] as const;

/** A stored position as the parameter of a request: the parts that have a value. */
export const asInput = (position: Position): PositionInput => {
  const { base_sha, start_sha, head_sha, position_type } = position;
  const parts: Partial<PositionInput> = position;
  const given = inputParts.filter((name) => (parts[name] ?? null) !== null).map((name) => [name, parts[name]]);
  return { base_sha, start_sha, head_sha, position_type, ...Object.fromEntries(given) as Partial<PositionInput> };
};
