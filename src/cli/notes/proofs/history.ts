import type { Pages } from '../../../client/pages.js';
import type { CommitDetails, FileDiff } from '../../../contract/lookups/shapes.js';
import { changesIn, type FileChange } from '../../../diff/patch.js';
import { sameFiles, type Trace, type TracedFile, traceThrough } from '../../../diff/trace.js';
import type { App } from '../../app.js';
import { nullIfMissing } from '../../service/connection/unsupported.js';
import { once, oncePer } from '../../service/connection/batch.js';
import type { Target } from '../../service/targets/target.js';
import { gitFiles, isLeftOut, isSha } from '../position/known-diff.js';
import { pathsOf, versionChange } from '../position/version-change.js';
import { type Shas, withDiffText } from '../position/version.js';

export interface CommitChange {
  /** The first one, with which the commit is compared. */
  readonly parent: string;
  readonly files: readonly FileChange[];
  /** Paths of files whose lines nobody knows: they are too large, or binary. */
  readonly unknown: ReadonlySet<string>;
}

/** What is known of the commits of a merge request, at one time: each is read once, from git or else the service. */
export interface History {
  /** Newest first. Null if the service does not list them, or not all of them. */
  readonly commits: () => Promise<readonly CommitDetails[] | null>;
  /** Whether the head has the commit behind it. Null if nobody knows. */
  readonly has: (sha: string) => Promise<boolean | null>;
  /** Null if the commit cannot be read. */
  readonly changeOf: (sha: string) => Promise<CommitChange | null>;
  /** Whether the list shows one commit to be another one, or behind it. */
  readonly isBehind: (sha: string, later: string) => Promise<boolean>;
  /** Where a file of a version is at a commit: null if it is gone, undefined if nobody knows. */
  readonly fileAt: (version: Shas, path: string, sha: string) => Promise<TracedFile | null | undefined>;
}

export const historyOf = (app: App, target: Target): History => {
  const commits = once(() => listCommits(target));
  const listedCommit = async (sha: string) => (await commits())?.find(({ id }) => id === sha);
  const changeOf = oncePer(async (sha: string) =>
    isSha(sha) ? readChange(app, target, sha, await listedCommit(sha)) : null);
  const ways = oncePer(async (key: string) => {
    const [base_sha, from, to] = key.split(' ') as [string, string, string];
    const version = { base_sha, start_sha: base_sha, head_sha: from };
    const inVersions = async () => {
      const change = await versionChange(app, target, version, { ...version, head_sha: to });
      return change && ((path: string) => change.unknown.has(path) ? undefined : change.head(path));
    };
    const throughCommits = () => commitWay({ commits, changeOf }, from, to);
    // The head is that of a version, while a fix often follows the commit with the comment.
    const [first, second] = to === (await commits())?.[0]?.id ? [inVersions, throughCommits]
      : [throughCommits, inVersions];
    return await gitWay(app, from, to) ?? await first() ?? await second();
  });
  return {
    commits, changeOf, isBehind: async (sha, later) => wayIn(await commits() ?? [], sha, later) !== null,
    has: async (sha) => {
      const all = await commits();
      if (all?.some(({ id }) => id === sha)) return true;
      if (!all) return null;
      const head = all[0]?.id;
      return head !== undefined && (await app.git.distance(sha, head))?.onlyFrom === 0;
    },
    fileAt: async ({ base_sha, head_sha }, path, sha) => {
      if (sha === head_sha) return sameFiles(path);
      return (await ways(`${base_sha} ${head_sha} ${sha}`))?.(path);
    },
  };
};

const listCommits = ({ client, path: { id }, ref }: Target): Promise<readonly CommitDetails[] | null> =>
  nullIfMissing(allOf(client.lookups.mergeRequestCommits({ id, iid: Number(ref.id), per_page: 100 })));

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
  const inGit = known === null ? null : await gitFiles(app, known, sha, []);
  if (inGit) return { parent: known!, files: inGit, unknown: pathsOf(inGit.filter(({ isBinary }) => isBinary)) };
  const { client: { lookups }, path: { id } } = target;
  const parent = known ?? (await nullIfMissing(lookups.commit({ id, sha })))?.parent_ids[0];
  if (parent === undefined) return null;
  const files = (await nullIfMissing(allOf(lookups.commitDiff({ id, sha, per_page: 100 })))
    ?? await comparedFiles(lookups, { id, from: parent, to: sha }))?.map(withDiffText);
  return files ? { parent, files, unknown: pathsOf(files.filter(isLeftOut)) } : null;
};

const comparedFiles = async (
  lookups: Target['client']['lookups'], commits: { readonly id: string; readonly from: string; readonly to: string },
): Promise<readonly FileDiff[] | null> => {
  const compared = await nullIfMissing(lookups.comparison(commits));
  return compared?.compare_timeout === false ? compared.diffs : null;
};

/** A longer way is not followed commit by commit. */
const mostCommits = 20;

type Way = (path: string) => TracedFile | null | undefined;

const gitWay = async (app: App, from: string, to: string): Promise<Way | null> => {
  const files = await gitFiles(app, from, to, []);
  if (!files) return null;
  const [trace, unknown] = [traceThrough(changesIn(files)), pathsOf(files.filter(({ isBinary }) => isBinary))];
  return (path) => unknown.has(path) ? undefined : trace(path);
};

/** Through the commits of the merge request from one to a later one. Null if there is no such way. */
const commitWay = async (
  { commits, changeOf }: Pick<History, 'commits' | 'changeOf'>, from: string, to: string,
): Promise<Way | null> => {
  const way = wayIn(await commits() ?? [], from, to);
  if (!way || way.length > mostCommits) return null;
  const changes = await Promise.all(way.map(changeOf));
  const steps = changes.flatMap((change) =>
    change ? [{ ...change, trace: traceThrough(changesIn(change.files)) }] : []);
  return steps.length < way.length ? null : (path) => followFile(steps, path);
};

/** The commits after one up to another, by their first parents; null if there is no such way. */
const wayIn = (commits: readonly CommitDetails[], from: string, to: string): string[] | null => {
  const parents = new Map(commits.map(({ id, parent_ids }) => [id, parent_ids[0]]));
  const way = new Set<string>();
  for (let sha: string | undefined = to; sha !== from; sha = parents.get(sha)) {
    if (sha === undefined || way.has(sha)) return null;
    way.add(sha);
  }
  return [...way].reverse();
};

const followFile = (
  steps: readonly (CommitChange & { readonly trace: Trace })[], path: string,
): TracedFile | null | undefined => {
  let file: TracedFile | null = { path, line: (line) => line };
  for (const { trace, unknown } of steps) {
    if (unknown.has(file.path)) return undefined;
    const [before, next]: [TracedFile, TracedFile | null] = [file, trace(file.path)];
    if (!next) return null;
    file = { path: next.path, line: (line) => {
      const at = before.line(line);
      return at === null ? null : next.line(at);
    } };
  }
  return file;
};
