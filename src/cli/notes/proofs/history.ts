import type { Pages } from '../../../client/pages.js';
import type { CommitDetails, FileDiff } from '../../../contract/lookups/shapes.js';
import { changesIn, type FileChange } from '../../../diff/patch.js';
import { type Trace, traceThrough } from '../../../diff/trace.js';
import type { App } from '../../app.js';
import { nullIfMissing } from '../../service/connection/unsupported.js';
import { once, oncePer } from '../../service/connection/batch.js';
import { mergeRequestPath, type Target } from '../../service/targets/target.js';
import { isSha, isUnreadable } from '../position/known-diff.js';
import { gitChange, pathsOf, versionChange } from '../position/version-change.js';
import { listedFiles, type Shas } from '../position/version.js';

export interface CommitChange {
  /** The first one, with which the commit is compared. */
  readonly parent: string;
  readonly files: readonly FileChange[];
  /** Paths of files whose lines nobody knows: they are too large, or binary. */
  readonly unknown: ReadonlySet<string>;
}

/** Where its lines are: null if a line is gone, undefined if a commit may have added it again. */
interface FollowedFile { readonly path: string; readonly line: (line: number) => number | null | undefined }

export type History = ReturnType<typeof historyOf>;

/** What is known of the commits of a merge request, at one time: each is read once, from git or else the service. */
export const historyOf = (app: App, target: Target) => {
  /** Newest first. Null if the service does not list them, or not all of them. */
  const commits = once((): Promise<readonly CommitDetails[] | null> => nullIfMissing(allOf(
    target.client.lookups.mergeRequestCommits({ ...mergeRequestPath(target), per_page: 100 }))));
  const changeOf = oncePer(async (sha: string) => isSha(sha)
    ? readChange(app, target, sha, (await commits())?.find((one) => one.id === sha)) : null);
  const stepsBetween = oncePer(async (key: string): Promise<readonly Step[] | null> => {
    const [base_sha, from, to] = key.split(' ') as [string, string, string];
    const inGit = await gitChange(app, from, to);
    if (inGit) return [stepThrough(inGit)];
    const throughVersions = async () => {
      const version = { base_sha, start_sha: base_sha, head_sha: from };
      const change = await versionChange(app, target, version, { ...version, head_sha: to });
      return change && [{ trace: change.head, unknown: change.unknown, changedPaths: change.unknown }];
    };
    const throughCommits = async () => {
      const shas = shasBetween(await commits() ?? [], from, to);
      if (!shas || shas.length > mostSteps) return null;
      const changes = await Promise.all(shas.map(changeOf));
      return changes.every((change) => change !== null) ? changes.map(stepThrough) : null;
    };
    // The head is that of a version, while a fix often follows the commit with the comment.
    const [first, second] = to === (await commits())?.[0]?.id ? [throughVersions, throughCommits]
      : [throughCommits, throughVersions];
    return await first() ?? await second();
  });
  return {
    commits, changeOf,
    /** Whether the list shows one commit to be another one, or behind it. */
    isBehind: async (sha: string, later: string) => shasBetween(await commits() ?? [], sha, later) !== null,
    /** Whether the head has the commit behind it. Null if nobody knows. */
    has: async (sha: string): Promise<boolean | null> => {
      const all = await commits();
      if (all?.some((one) => one.id === sha)) return true;
      if (!all) return null;
      const head = all[0]?.id;
      return head !== undefined && (await app.git.distance(sha, head))?.onlyFrom === 0;
    },
    /** Where a file of a version is at a commit. Undefined if nobody knows. */
    fileAt: async ({ base_sha, head_sha }: Shas, path: string, sha: string): Promise<FollowedFile | undefined> => {
      if (sha === head_sha) return followFile([], path);
      const steps = await stepsBetween(`${base_sha} ${head_sha} ${sha}`);
      return steps ? followFile(steps, path) : undefined;
    },
  };
};

/** Null if fewer came than the service says there are: commits would seem to be gone. */
const allOf = async <T>(list: Pages<T>): Promise<readonly T[] | null> => {
  const all: T[] = [];
  let most = 0;
  for await (const { items, total } of list.pages()) {
    all.push(...items);
    most = Math.max(most, total ?? 0);
  }
  return all.length < most ? null : all;
};

const readChange = async (
  app: App, target: Target, sha: string, listed: CommitDetails | undefined,
): Promise<CommitChange | null> => {
  const known = listed?.parent_ids[0] ?? await app.git.sha(`${sha}^1`);
  const inGit = await gitChange(app, known, sha);
  if (inGit) return { parent: known!, ...inGit };
  const { client: { lookups }, path: { id } } = target;
  const parent = known ?? (await nullIfMissing(lookups.commit({ id, sha })))?.parent_ids[0];
  if (parent === undefined) return null;
  const all = await nullIfMissing(allOf(lookups.commitDiff({ id, sha, per_page: 100 })))
    ?? await comparedFiles(lookups, { id, from: parent, to: sha });
  const { files, isCut } = listedFiles([], all ?? []);
  return all && !isCut ? { parent, files, unknown: pathsOf(files.filter(isUnreadable)) } : null;
};

const comparedFiles = async (
  lookups: Target['client']['lookups'], commits: { readonly id: string; readonly from: string; readonly to: string },
): Promise<readonly FileDiff[] | null> => {
  const compared = await nullIfMissing(lookups.comparison(commits));
  return compared?.compare_timeout === false ? compared.diffs : null;
};

/** More commits are not followed one by one. */
const mostSteps = 20;

/** The commits after one up to another, by their first parents; null if there is no such way. */
const shasBetween = (commits: readonly CommitDetails[], from: string, to: string): string[] | null => {
  const parents = new Map(commits.map(({ id, parent_ids }) => [id, parent_ids[0]]));
  const way = new Set<string>();
  for (let sha: string | undefined = to; sha !== from; sha = parents.get(sha)) {
    if (sha === undefined || way.has(sha)) return null;
    way.add(sha);
  }
  return [...way].reverse();
};

interface Step {
  readonly trace: Trace;
  readonly unknown: ReadonlySet<string>;
  readonly changedPaths: ReadonlySet<string>;
}

const stepThrough = ({ files, unknown }: Pick<CommitChange, 'files' | 'unknown'>): Step =>
  ({ trace: traceThrough(changesIn(files)), unknown, changedPaths: pathsOf(files) });

const followFile = (steps: readonly Step[], path: string): FollowedFile | undefined => {
  let file: FollowedFile = { path, line: (line) => line };
  for (const [i, { trace, unknown }] of steps.entries()) {
    if (unknown.has(file.path)) return undefined;
    const [before, next] = [file, trace(file.path)];
    const now = next?.path ?? before.path;
    const gone = steps.slice(i + 1).some(({ changedPaths }) => changedPaths.has(now)) ? undefined : null;
    file = { path: now, line: (line) => {
      const at = before.line(line);
      return typeof at === 'number' ? next?.line(at) ?? gone : at;
    } };
  }
  return file;
};
