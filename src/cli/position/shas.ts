import type { Pages } from '../../client/pagination/pages.js';
import type { App } from '../app.js';
import { usage } from '../errors/failure.js';
import { nullIfUnsupported } from '../targets/epic.js';
import type { Target } from '../targets/target.js';

/** The three commits that a position is relative to. */
export interface Shas { readonly base_sha: string; readonly start_sha: string; readonly head_sha: string }

/** The SHAs to send, and whether they are those of the current diff. */
export interface KnownShas { readonly shas: Shas; readonly isCurrent: boolean }

interface ShaFlags { readonly baseSha?: string; readonly startSha?: string; readonly headSha?: string }

/**
 * The SHAs of a diff: from the flags, then the service, then the variables of the CI job (wire-facts 9.2).
 * @throws Problem when none of these has them
 */
export const shasOf = async (app: App, flags: ShaFlags, target: Target): Promise<KnownShas> => {
  const current = await currentShas(target);
  const known = current ?? jobShas(app, target);
  const base_sha = flags.baseSha ?? known?.base_sha;
  const start_sha = flags.startSha ?? known?.start_sha;
  const head_sha = flags.headSha ?? known?.head_sha;
  if (base_sha === undefined || start_sha === undefined || head_sha === undefined) {
    throw usage(`cannot determine the commits of the diff of ${target.name}: the service does not report them`,
      'pass --base-sha, --start-sha and --head-sha');
  }
  const isCurrent = current === null || (current.head_sha === head_sha && current.base_sha === base_sha);
  return { shas: { base_sha, start_sha, head_sha }, isCurrent };
};

const currentShas = async ({ client, kind, path, ref }: Target): Promise<Shas | null> => {
  if (kind === 'commit') {
    const commit = await nullIfUnsupported(client.lookups.commit({ id: path.id, sha: ref.id }));
    const parent = commit?.parent_ids[0];
    return commit && parent ? { base_sha: parent, start_sha: parent, head_sha: commit.id } : null;
  }
  const mergeRequest = { id: path.id, iid: Number(ref.id) };
  const [version] = await nullIfUnsupported(firstPage(client.lookups.versions({ ...mergeRequest, per_page: 1 }))) ?? [];
  if (version) {
    const { base_commit_sha: base_sha, start_commit_sha: start_sha, head_commit_sha: head_sha } = version;
    return { base_sha, start_sha, head_sha };
  }
  return (await nullIfUnsupported(client.lookups.mergeRequest(mergeRequest)))?.diff_refs ?? null;
};

const firstPage = async <T>(list: Pages<T>): Promise<readonly T[]> => {
  for await (const { items } of list.pages()) return items;
  return [];
};

/** A merged-results pipeline runs on a commit outside the diff, so the head of the source branch takes precedence. */
const jobShas = ({ env }: App, { kind, ref }: Target): Shas | null => {
  const base = env['CI_MERGE_REQUEST_DIFF_BASE_SHA'];
  const head = env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || env['CI_COMMIT_SHA'];
  const isOfJob = kind === 'merge_request' && env['CI_MERGE_REQUEST_IID'] === ref.id;
  return isOfJob && base && head ? { base_sha: base, start_sha: base, head_sha: head } : null;
};
