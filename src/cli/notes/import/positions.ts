import { noteables } from '../../../contract/noteables.js';
import type { PartialPosition, Position, PositionInput } from '../../../contract/shapes/position.js';
import { nullIfUnsupported } from '../../service/connection/unsupported.js';
import { shasOfCommit, shasOfVersion, type Shas } from '../position/version.js';
import type { Target } from '../../service/targets/target.js';

/** The noteable has that version of the diff. */
export type HasVersion = (position: Position) => boolean;

/** Sends no request if there is no position to check. */
export const versionsOf = async (target: Target, positions: readonly Position[]): Promise<HasVersion> => {
  if (positions.length === 0 || !noteables[target.kind].hasDiff) return () => false;
  const known = new Set((await shasOf(target)).map(keyOf));
  return (position) => known.has(keyOf(position));
};

const keyOf = ({ base_sha, start_sha, head_sha }: Shas): string => [base_sha, start_sha, head_sha].join(' ');

/** Of all versions; of the current one if the service does not list them. */
const shasOf = async (target: Target): Promise<readonly Shas[]> => {
  if (target.kind === 'commit') return [await shasOfCommit(target)].filter((shas) => shas !== null);
  const { client, path, ref } = target;
  const mergeRequest = { id: path.id, iid: Number(ref.id) };
  const versions = await nullIfUnsupported(client.lookups.versions(mergeRequest).all()) ?? [];
  if (versions.length > 0) return versions.map(shasOfVersion);
  const current = (await nullIfUnsupported(client.lookups.mergeRequest(mergeRequest)))?.diff_refs;
  return current ? [current] : [];
};

const inputParts = ['old_path', 'new_path', 'old_line', 'new_line', 'line_range', 'x', 'y', 'width', 'height'] as const;

/** Only parts that have a value. */
export const asInput = (position: Position): PositionInput => {
  const { base_sha, start_sha, head_sha, position_type } = position;
  const parts: PartialPosition = position;
  const given = inputParts.filter((name) => (parts[name] ?? null) !== null).map((name) => [name, parts[name]]);
  return { base_sha, start_sha, head_sha, position_type, ...Object.fromEntries(given) } as PositionInput;
};
