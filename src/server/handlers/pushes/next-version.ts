import { patchBetween } from '../../../diff/write.js';
import { textsAfter } from '../../../diff/apply.js';
import { diffLines } from '../../../diff/lines.js';
import { type FileChange, parsePatch } from '../../../diff/patch.js';
import type { FileTexts } from '../../../diff/matching.js';
import { OperationError } from '../../http/response.js';
import { headTexts, type VersionContent } from '../discussions/position.js';

/** What a push brings. It needs `diff` or `files`. */
export interface PushedContent {
  /** Default: that of the last version; a random one with `base_files`. */
  readonly base_sha?: string;
  /** Default: that of the last version if the base stays, else the base. */
  readonly start_sha?: string;
  /** It is random if it is missing. */
  readonly head_sha?: string;
  /** From the base to the head, as `git diff` prints it. */
  readonly diff?: string;
  /**
   * The texts of the changed files in the new head, by path, from which the diff is computed; null deletes a file. The
   * world must contain the files of the project.
   */
  readonly files?: Readonly<Record<string, string | null>>;
  /** Like `files`, for a base that changed. */
  readonly base_files?: Readonly<Record<string, string | null>>;
  /** The title of its commit. */
  readonly title?: string;
  /** Replaces the commits of the merge request, as `git push --force` does, instead of adding one to them. */
  readonly force?: boolean;
}

export interface NextVersion extends VersionContent {
  readonly base_sha: string;
  readonly start_sha: string;
  readonly head_sha: string;
  readonly diff: string;
  readonly commitDiff: string | null;
}

/**
 * @param knownFiles the files of a base that an earlier push or the world gave; none for others
 * @throws OperationError if the push does not fit to what is known
 */
export const nextVersion = async (
  former: VersionContent, change: PushedContent, newSha: () => Promise<string>,
  knownFiles: (base_sha: string) => Promise<FileTexts>,
): Promise<NextVersion> => {
  const base_sha = change.base_sha ?? (change.base_files ? await newSha() : former.base_sha);
  if (base_sha === null) throw refused('the merge request has no base_sha', 'pass base_sha');
  const isSameBase = base_sha === former.base_sha;
  if (isSameBase && change.base_files) throw refused('base_files changes the base', 'pass another base_sha, or none');
  const start_sha = change.start_sha ?? (isSameBase ? former.start_sha ?? base_sha : base_sha);
  const head_sha = change.head_sha ?? await newSha();
  if (head_sha === former.head_sha) {
    throw refused(`${head_sha} is already the head of the merge request`, 'pass another head_sha, or none');
  }
  const base = isSameBase ? former.base : nextBase(former.base, await knownFiles(base_sha), change);
  const diff = change.diff ?? patchBetween(base, newHead(former, base, change.files!));
  const files = parsePatch(diff);
  const next = { base_sha, start_sha, head_sha, diff, files, base };
  return { ...next, commitDiff: commitDiff(former, next, change.force) };
};

const refused = (problem: string, remedy: string) => new OperationError(422, `${problem}; ${remedy}`);

type GivenTexts = Readonly<Record<string, string | null>>;

const overlaid = (texts: FileTexts, given: GivenTexts = {}): FileTexts => {
  const result = new Map(texts);
  for (const [path, text] of Object.entries(given)) {
    if (text === null) result.delete(path);
    else result.set(path, text);
  }
  return result;
};

const nextBase = (former: FileTexts, known: FileTexts, { base_files }: PushedContent): FileTexts => {
  if (base_files && former.size === 0) {
    throw refused('the world does not contain the files of the project',
      'add files to the project, or leave out base_files');
  }
  if (base_files && known.size > 0) throw refused('the files of this base are known', 'leave out base_files');
  return known.size > 0 ? known : overlaid(former, base_files);
};

/** A file that the merge request did not change is that of the base. */
const newHead = (former: VersionContent, base: FileTexts, files: GivenTexts): FileTexts => {
  const head = knownHead(former);
  const changed = new Set([...head.keys(), ...former.base.keys()].filter((path) =>
    head.get(path) !== former.base.get(path)));
  const conflict = [...changed].find((path) => !Object.hasOwn(files, path) && former.base.get(path) !== base.get(path));
  if (conflict !== undefined) {
    throw refused(`${conflict} changed in the base and in the merge request`, 'give its new text in files');
  }
  const kept = Object.fromEntries([...changed].map((path) => [path, head.get(path) ?? null]));
  return overlaid(overlaid(base, kept), files);
};

const knownHead = (former: VersionContent): FileTexts => {
  const missing = former.files.find(({ old_path, new_file }) => !new_file && !former.base.has(old_path));
  if (former.base.size === 0) {
    throw refused('the world does not contain the files of the project', 'add files to the project, or pass diff');
  }
  if (missing) {
    throw refused(`the files of the project lack ${missing.old_path}, which the merge request changes`,
      'add it to the project, or pass diff');
  }
  const head = headTexts(former);
  if (head) return head;
  throw refused(`the diff of the merge request ${former.diff === null ? 'is not known'
    : 'does not fit to the files of the project'}`, 'correct it in the world, or pass diff');
};

/** The parent is the former head, or the base if that changed or if the push is forced. @throws OperationError */
const commitDiff = (
  former: VersionContent, next: Omit<NextVersion, 'commitDiff'>, isForced = false,
): string | null => {
  const [before, after] = [headTexts(former), headTexts(next)];
  if (before !== null && after === null) {
    throw refused('the diff does not fit to the files of the base', 'make it from the base to the head');
  }
  if (isForced || next.base_sha !== former.base_sha) return next.diff;
  if (former.diff === null) return null;
  const base = shownBase(next.base, [...former.files, ...next.files]);
  const [one, other] = [former, next].map((version) => textsAfter(base, version.files));
  return one && other ? patchBetween(one, other) : null;
};

/** The base as far as its files or the diffs show it. Lines that no diff shows are empty: both heads have them. */
const shownBase = (known: FileTexts, files: readonly FileChange[]): FileTexts => {
  const shown = new Map<string, string[]>();
  for (const { old_path, new_file, diff } of files) {
    if (new_file || known.has(old_path)) continue;
    const lines = shown.get(old_path) ?? [];
    for (const { kind, oldLine, text } of diffLines(diff)) if (kind !== 'added') lines[oldLine - 1] = text;
    shown.set(old_path, lines);
  }
  const textOf = (lines: readonly string[]): string => Array.from(lines, (text = '') => `${text}\n`).join('');
  return new Map([...known, ...[...shown].map(([path, lines]) => [path, textOf(lines)] as const)]);
};
