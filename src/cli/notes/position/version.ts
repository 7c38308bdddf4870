import type { Pages } from '../../../client/pages.js';
import type { DiffVersion, FileDiff } from '../../../contract/lookups/shapes.js';
import { plainLine } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import { oncePer } from '../../service/connection/batch.js';
import { nullIf, nullIfUnsupported } from '../../service/connection/unsupported.js';
import { mergeRequestPath, shaOf, type Target } from '../../service/targets/target.js';

export interface Shas { readonly base_sha: string; readonly start_sha: string; readonly head_sha: string }

interface KnownVersion {
  readonly shas: Shas;
  readonly files: () => Promise<ListedFiles | null>;
}

/** With the empty text for a diff that the service leaves out. */
export interface ListedFile extends FileDiff { readonly diff: string }

interface ListedFiles {
  readonly files: readonly ListedFile[];
  /** The service left files out, because there are too many or too many lines, or it left out the name of one. */
  readonly isCut: boolean;
}

export interface ShaFlags { readonly baseSha?: string; readonly startSha?: string; readonly headSha?: string }

/**
 * Finds the version whose head `--head-sha` or the CI job names, else the newest. SHAs come from the flags, then the
 * service (behavior: positions.refs), then the job (behavior: positions.merged-results).
 * @param waits for the diff of a merge request that was just opened, in milliseconds
 * @throws Problem when none of these has them
 */
export const versionFor = async (
  app: App, flags: ShaFlags, target: Target, waits = patientWaits,
): Promise<KnownVersion> => {
  const job = jobCommits(app, target);
  const given = await givenShas(app, flags);
  const known = job?.base ? { base_sha: job.base, start_sha: job.base, head_sha: job.head } : null;
  const isEnough = completeShas(given, known) !== null;
  const read = () => versionOnService(target, given.headSha ?? job?.head ?? null);
  const version = await nullIf(whenPrepared(app, isEnough ? [] : waits, read),
    (error) => isEnough && error instanceof DiffNotPrepared);
  const shas = completeShas(given, version?.shas ?? known);
  if (shas === null) {
    throw usage(`cannot determine the commits of the diff of ${target.name}: the service does not report them`,
      'pass --base-sha, --start-sha and --head-sha');
  }
  if (version === null) return { shas, files: () => readFiles(target) };
  const isExact = version.shas.head_sha === shas.head_sha && version.shas.base_sha === shas.base_sha;
  return { shas, files: isExact ? version.files : async () => null };
};

/** The service has not made the diff of a new merge request yet. */
export class DiffNotPrepared extends Problem {}

const patientWaits: readonly number[] = [500, 1_000, 2_000];

const whenPrepared = async (
  app: App, [wait, ...later]: readonly number[], read: () => Promise<KnownVersion | null>,
): Promise<KnownVersion | null> => {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof DiffNotPrepared) || wait === undefined) throw error;
    await app.sleep(wait);
    return whenPrepared(app, later, read);
  }
};

const givenShas = async (app: App, flags: ShaFlags): Promise<ShaFlags> => {
  const given = (['baseSha', 'startSha', 'headSha'] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [[name, flags[name]] as const]);
  return Object.fromEntries(await Promise.all(given.map(async ([name, text]) => [name, await shaOf(app, text)])));
};

const completeShas = ({ baseSha, startSha, headSha }: ShaFlags, known: Shas | null): Shas | null => {
  const base_sha = baseSha ?? known?.base_sha;
  const start_sha = startSha ?? known?.start_sha;
  const head_sha = headSha ?? known?.head_sha;
  if (base_sha === undefined || start_sha === undefined || head_sha === undefined) return null;
  return { base_sha, start_sha, head_sha };
};

const versionOnService = async (target: Target, head: string | null): Promise<KnownVersion | null> => {
  if (target.ref.kind === 'commit') {
    const shas = await shasOfCommit(target);
    return shas && { shas, files: () => readFiles(target) };
  }
  const { client } = target;
  const mergeRequest = mergeRequestPath(target);
  const found = head === null ? await newestVersion(target)
    : await nullIfUnsupported(findVersion(client.lookups.versions({ ...mergeRequest, per_page: 100 }), head));
  if (!found) {
    const { diff_refs: refs, changes_count } =
      await nullIfUnsupported(client.lookups.mergeRequest(mergeRequest)) ?? {};
    if (refs === null) {
      throw new DiffNotPrepared('unavailable', `the diff of ${target.name} is still being prepared`,
        'run it again in a moment, comment without a position, or pass --base-sha, --start-sha and --head-sha');
    }
    return refs === undefined ? null : { shas: refs, files: () => readFiles(target, { real_size: changes_count }) };
  }
  const { version, isNewest } = found;
  return {
    shas: shasOfVersion(version),
    files: async () => {
      const files = await versionDiffs(target).filesOf(version);
      return files ?? (isNewest ? readFiles(target, version) : null);
    },
  };
};

/** Base and start are its parent (behavior: positions.commits). */
export const shasOfCommit = async ({ client, path, ref }: Target): Promise<Shas | null> => {
  const commit = await nullIfUnsupported(client.lookups.commit({ id: path.id, sha: ref.id }));
  const parent = commit?.parent_ids[0];
  return commit && parent ? { base_sha: parent, start_sha: parent, head_sha: commit.id } : null;
};

export const shasOfVersion = ({ base_commit_sha, start_commit_sha, head_commit_sha }: DiffVersion): Shas =>
  ({ base_sha: base_commit_sha, start_sha: start_commit_sha, head_sha: head_commit_sha });

interface FoundVersion { readonly version: DiffVersion; readonly isNewest: boolean }

const newestVersion = async (target: Target): Promise<FoundVersion | null> => {
  const version = await versionDiffs(target).newest();
  return version ? { version, isNewest: true } : null;
};

const findVersion = async (versions: Pages<DiffVersion>, head: string): Promise<FoundVersion | null> => {
  let newest: DiffVersion | undefined;
  for await (const version of versions) {
    newest ??= version;
    if (version.head_commit_sha === head) return { version, isNewest: version === newest };
  }
  return newest ? { version: newest, isNewest: true } : null;
};

const readFiles = async (target: Target, size: DiffSize = {}): Promise<ListedFiles | null> => {
  const files = await nullIfUnsupported(currentFiles(target)?.all() ?? Promise.resolve(null));
  return files && listedFiles([size], files);
};

export const listedFiles = (sizes: readonly DiffSize[], all: readonly FileDiff[]): ListedFiles => {
  const files = all.flatMap((file) => withPaths(file) ?? []).map(withDiffText);
  return { files, isCut: files.length < all.length || sizes.some((size) => isCut(size, files)) };
};

/** Null if it may be any file. Only a renamed one has two names. */
const withPaths = (file: FileDiff): FileDiff | null => {
  const [old_path, new_path] = [file.old_path, file.new_path]
    .map((path) => typeof path === 'string' && path !== '' ? path : null) as [string | null, string | null];
  const known = old_path ?? new_path;
  if (known === null || (file.renamed_file && (old_path === null || new_path === null))) return null;
  return { ...file, old_path: known, new_path: new_path ?? known };
};

type DiffSize = { readonly [K in 'state' | 'real_size']?: DiffVersion[K] | null | undefined };

/** The others are `overflow` and its kinds, and `timeout` (behavior: lookups.cut-diffs). */
const completeStates: readonly string[] = ['collected', 'empty', 'without_files'];

/** A count with `+` is a lower limit. */
const isCut = ({ state, real_size: size }: DiffSize, files: readonly FileDiff[]): boolean =>
  !completeStates.includes(state || 'collected')
  || ((size ?? '') !== '' && !(/^\d+$/.test(size!) && Number(size) <= files.length));

export const currentFiles = (target: Target): Pages<FileDiff> | null => {
  const { client, path: { id }, ref } = target;
  if (ref.kind === 'merge_request') return client.lookups.diffs(mergeRequestPath(target));
  return ref.kind === 'commit' ? client.lookups.commitDiff({ id, sha: ref.id }) : null;
};

type VersionDiffs = ReturnType<typeof createVersionDiffs>;

const knownDiffs = new WeakMap<Target, VersionDiffs>();

/** Each version of a merge request is read at most once. */
export const versionDiffs = (target: Target): VersionDiffs => {
  const known = knownDiffs.get(target) ?? createVersionDiffs(target);
  knownDiffs.set(target, known);
  return known;
};

const createVersionDiffs = (target: Target) => {
  const { client, kind } = target;
  const mergeRequest = mergeRequestPath(target);
  let versions: Promise<readonly DiffVersion[]> | undefined;
  const list = (per_page: number) => client.lookups.versions({ ...mergeRequest, per_page });
  const listAll = async () => kind === 'merge_request' ? await nullIfUnsupported(list(100).all()) ?? [] : [];
  const first = async () => {
    for await (const version of list(1)) return version;
    return undefined;
  };
  const detailsOf = oncePer((version_id: number) =>
    nullIfUnsupported(client.lookups.diffVersion({ ...mergeRequest, version_id })));
  return {
    all: (): Promise<readonly DiffVersion[]> => versions ??= listAll(),
    newest: async () => versions ? (await versions)[0] : await nullIfUnsupported(first()) ?? undefined,
    filesOf: async (version: DiffVersion): Promise<ListedFiles | null> => {
      const details = await detailsOf(version.id);
      return details?.diffs ? listedFiles([version, details], details.diffs) : null;
    },
  };
};

/** Some services send null for a diff that they leave out. */
export const withDiffText = (file: FileDiff): ListedFile => {
  const { diff } = file;
  return typeof diff === 'string' ? { ...file, diff } : { ...file, diff: '', collapsed: true };
};

export const versionAt = (
  versions: readonly DiffVersion[],
  { base_sha, head_sha }: { readonly base_sha?: unknown; readonly head_sha?: unknown },
): DiffVersion | undefined => versions.find(({ head_commit_sha, base_commit_sha }) =>
  head_commit_sha === head_sha && base_commit_sha === base_sha);

/** `checkedOut` is not part of the diff in a merged-results pipeline, which checks out a merge commit. */
export const jobCommits = ({ env }: App, { kind, ref, path: { id } }: Target) => {
  const checkedOut = env['CI_COMMIT_SHA'];
  if (kind !== 'merge_request' || env['CI_MERGE_REQUEST_IID'] !== ref.id || !isProjectOfJob(env, id)) return null;
  const head = env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || checkedOut;
  return head ? { base: env['CI_MERGE_REQUEST_DIFF_BASE_SHA'] || null, head, checkedOut: checkedOut || head } : null;
};

/** Says why the result of a job is out of date: it is for a commit that is no longer the head. */
export const whyOutdated = async (app: App, target: Target): Promise<string | null> => {
  const job = jobCommits(app, target);
  if (job === null) return null;
  const { client, name } = target;
  const found = await nullIfUnsupported(client.lookups.mergeRequest(mergeRequestPath(target)));
  const head = found?.sha ?? found?.diff_refs?.head_sha ?? job.head;
  if (head === job.head) return null;
  return `the head of ${name} is now ${shortSha(head)}, and this job is for ${shortSha(job.head)}`;
};

const shortSha = (sha: string): string => plainLine(sha.slice(0, 8));

/** The job may be one of the fork. Ids are compared with ids only, and paths with paths, without case. */
const isProjectOfJob = (env: App['env'], container: string): boolean => {
  const project = /^\d+$/.test(container) ? env['CI_MERGE_REQUEST_PROJECT_ID'] || env['CI_PROJECT_ID']
    : env['CI_MERGE_REQUEST_PROJECT_PATH'] || env['CI_PROJECT_PATH'];
  return !project || project.toLowerCase() === container.toLowerCase();
};
