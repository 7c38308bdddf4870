import type { DiffVersion, FileDiff } from '../../../contract/lookups/shapes.js';
import { nullIfUnsupported } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';

interface VersionDiffs {
  /** Newest first; empty if the service does not list them. */
  readonly all: () => Promise<readonly DiffVersion[]>;
  /** Requests no other version. Undefined if the service does not list them. */
  readonly newest: () => Promise<DiffVersion | undefined>;
  /** Null if the service does not have them. */
  readonly filesOf: (version: DiffVersion) => Promise<readonly FileDiff[] | null>;
}

const ofTarget = new WeakMap<Target, VersionDiffs>();

/** The versions of the diff of a merge request; each is read at most once. */
export const versionDiffs = (target: Target): VersionDiffs => {
  const known = ofTarget.get(target) ?? readerOf(target);
  ofTarget.set(target, known);
  return known;
};

const readerOf = ({ client, kind, path, ref }: Target): VersionDiffs => {
  const mergeRequest = { id: path.id, iid: Number(ref.id) };
  let versions: Promise<readonly DiffVersion[]> | undefined;
  const files = new Map<number, Promise<readonly FileDiff[] | null>>();
  const list = (per_page: number) => client.lookups.versions({ ...mergeRequest, per_page });
  const listAll = async () => kind === 'merge_request' ? await nullIfUnsupported(list(100).all()) ?? [] : [];
  const first = async () => {
    for await (const version of list(1)) return version;
    return undefined;
  };
  const read = async (version_id: number) => {
    const version = await nullIfUnsupported(client.lookups.diffVersion({ ...mergeRequest, version_id }));
    return version?.diffs.map(withDiffText) ?? null;
  };
  return {
    all: () => versions ??= listAll(),
    newest: async () => versions ? (await versions)[0] : await nullIfUnsupported(first()) ?? undefined,
    filesOf: ({ id }) => {
      if (!files.has(id)) files.set(id, read(id));
      return files.get(id)!;
    },
  };
};

/** A service that has null in place of a diff leaves it out. */
export const withDiffText = (file: FileDiff): FileDiff =>
  typeof file.diff === 'string' ? file : { ...file, diff: '', collapsed: true };

/** Undefined if the service does not list it. */
export const versionAt = (
  versions: readonly DiffVersion[],
  { base_sha, head_sha }: { readonly base_sha?: unknown; readonly head_sha?: unknown },
): DiffVersion | undefined => versions.find(({ head_commit_sha, base_commit_sha }) =>
  head_commit_sha === head_sha && base_commit_sha === base_sha);
