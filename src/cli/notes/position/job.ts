import type { App } from '../../app.js';
import { nullIfUnsupported } from '../../service/connection/unsupported.js';
import { plainLine } from '../../../text/plain.js';
import type { Target } from '../../service/targets/target.js';

export interface JobCommits {
  readonly base: string | null;
  /** Of the source branch. */
  readonly head: string;
  /** In a merged-results pipeline a merge commit, which is not part of the diff. */
  readonly checkedOut: string;
}

/** Null unless the pipeline belongs to this merge request. */
export const jobCommits = ({ env }: App, { kind, ref, path: { id } }: Target): JobCommits | null => {
  const checkedOut = env['CI_COMMIT_SHA'];
  if (kind !== 'merge_request' || env['CI_MERGE_REQUEST_IID'] !== ref.id || !isProjectOfJob(env, id)) return null;
  const head = env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'] || checkedOut;
  return head ? { base: env['CI_MERGE_REQUEST_DIFF_BASE_SHA'] || null, head, checkedOut: checkedOut || head } : null;
};

/**
 * Why the job is for a commit that is no longer the head of its merge request; null if it is the head, or if the
 * service does not report one.
 */
export const supersededCommit = async (app: App, target: Target): Promise<string | null> => {
  const job = jobCommits(app, target);
  if (job === null) return null;
  const { client, name, path: { id }, ref } = target;
  const found = await nullIfUnsupported(client.lookups.mergeRequest({ id, iid: Number(ref.id) }));
  const head = found?.sha ?? found?.diff_refs?.head_sha ?? job.head;
  if (head === job.head) return null;
  return `the head of ${name} is now ${shortSha(head)}, and this job is for ${shortSha(job.head)}`;
};

const shortSha = (sha: string): string => plainLine(sha.slice(0, 8));

/** Ids are compared with ids only, and paths with paths. */
const isProjectOfJob = (env: App['env'], container: string): boolean => {
  const variables = /^\d+$/.test(container) ? ['CI_MERGE_REQUEST_PROJECT_ID', 'CI_PROJECT_ID']
    : ['CI_MERGE_REQUEST_PROJECT_PATH', 'CI_PROJECT_PATH'];
  const projects = variables.map((name) => env[name]).filter(Boolean);
  return projects.length === 0 || projects.includes(container);
};
