import type { FileDiff } from '../../../contract/lookups/shapes.js';
import { traceOnSameBase } from '../../../diff/matching.js';
import { changesIn } from '../../../diff/patch.js';
import { sameFiles, type Trace, traceThrough, unknownFiles, type VersionChange } from '../../../diff/trace.js';
import type { App } from '../../app.js';
import type { Target } from '../../service/targets/target.js';
import { gitFiles, isUnreadable } from './known-diff.js';
import { type Shas, versionAt, versionDiffs } from './version.js';

interface KnownChange extends VersionChange {
  /** Paths of files whose lines nobody knows. */
  readonly unknown: ReadonlySet<string>;
}

/** From git, else from the diffs of two versions with the same base. Null if nobody knows. */
export const versionChange = async (
  app: App, target: Target, former: Shas, next: Shas,
): Promise<KnownChange | null> => {
  const inGit = await fromGit(app, former, next);
  if (inGit || former.base_sha !== next.base_sha) return inGit;
  const versions = await versionDiffs(target).all();
  const [version, newer] = [versionAt(versions, former), versionAt(versions, next)];
  if (!version || !newer) return null;
  const { filesOf } = versionDiffs(target);
  const [before, after] = await Promise.all([filesOf(version), filesOf(newer)]);
  if (!before || !after || before.isCut || after.isCut) return null;
  const [formerDiff, diff] = [changesIn(before.files), changesIn(after.files)];
  const unknown = pathsOf([...before.files, ...after.files].filter(isUnreadable));
  const known = (trace: Trace): Trace => (path) => unknown.has(path) ? null : trace(path);
  return { base: known(sameFiles), head: known(traceOnSameBase(formerDiff, diff)), diff, unknown };
};

export const pathsOf = (files: readonly Pick<FileDiff, 'old_path' | 'new_path'>[]): ReadonlySet<string> =>
  new Set(files.flatMap((file) => [file.old_path, file.new_path]));

export const gitChange = async (app: App, from: string | null, to: string) => {
  const files = await gitFiles(app, from, to, []);
  return files && { files, unknown: pathsOf(files.filter(({ isBinary }) => isBinary)) };
};

const fromGit = async (app: App, former: Shas, next: Shas): Promise<KnownChange | null> => {
  const head = await gitChange(app, former.head_sha, next.head_sha);
  if (!head) return null;
  const base = former.base_sha === next.base_sha ? [] : await gitFiles(app, former.base_sha, next.base_sha, []);
  const diff = base && await gitFiles(app, next.base_sha, next.head_sha, []);
  return {
    base: base && diff ? traceThrough(changesIn(base)) : unknownFiles, head: traceThrough(changesIn(head.files)),
    diff: changesIn(diff ?? []), unknown: head.unknown,
  };
};
