import type { FileDiff } from '../../../contract/lookups/shapes.js';
import { changeOn, type FileChange, hasWholeHunks, parsePatch, patchParts } from '../../../diff/patch.js';
import { type DiffLine, diffLines } from '../../../diff/lines.js';
import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import { once } from '../../service/connection/batch.js';
import { nullIf, nullIfFailed } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';
import { readText } from '../../terminal/io/streams.js';
import { type ListedFile, type ShaFlags, type Shas, versionFor } from './version.js';

export interface DiffFlags extends ShaFlags {
  readonly diff?: string;
}

export interface DiffFile extends Pick<FileDiff, 'old_path' | 'new_path' | 'new_file' | 'deleted_file'> {
  /** A tool does not read its lines: it is a link, a submodule, or a binary file, as a text with a zero byte is. */
  readonly isOpaque: boolean;
  /** The service does not show its lines, and may reject positions on them. */
  readonly isLeftOut: boolean;
  readonly lines: () => Promise<readonly DiffLine[] | null>;
}

export interface KnownDiff {
  readonly shas: Shas;
  readonly files: readonly DiffFile[] | null;
  /** The service left files out, and no other source has them. */
  readonly isCut: boolean;
}

/**
 * Reads the diff from the service, else from git, else from the patch of `--diff`, each at most once.
 * @throws Problem when the commits are not known, or the patch cannot be read
 */
export const knownDiff = async (
  app: App, flags: DiffFlags, target: Target, waits?: readonly number[],
): Promise<KnownDiff> => {
  const { shas, files: request } = await versionFor(app, flags, target, waits);
  const patch = once(async () => flags.diff === undefined ? null : parsePatch(await readText(app, flags.diff)));
  const onService = await request();
  const { files: listed = [], isCut = false } = onService ?? {};
  const shown = listed.length === 0 ? null : listed.map((file) => onServiceFile(app, target, shas, file, patch));
  if (shown && !isCut) return { shas, files: shown, isCut };
  const files = await gitFiles(app, shas.base_sha, shas.head_sha, []) ?? await patch();
  if (!files || files.length === 0) return { shas, files: shown, isCut };
  const whole = files.map((file: PatchFile) =>
    fileWith(file, async () => diffLines(file.diff), { isBinary: file.isBinary, isLeftOut: true }));
  return { shas, files: whole, isCut: false };
};

/** Does not wait for a new diff, and is empty if its commits are not known. */
export const newestFiles = async (app: App, target: Target): Promise<readonly DiffFile[]> => {
  if (target.kind !== 'merge_request' && target.kind !== 'commit') return [];
  const diff = await nullIf(knownDiff(app, {}, target, []), (error) => error instanceof Problem);
  return diff?.files ?? [];
};

/** A patch of `--diff` does not say which files are binary. */
type PatchFile = FileChange & Partial<GitFile>;

/** A diff that the service leaves out is looked up in git, in the patch, and in the two texts of the file. */
const onServiceFile = (
  app: App, target: Target, { base_sha, head_sha }: Shas, file: ListedFile,
  patch: () => Promise<readonly FileChange[] | null>,
): DiffFile => {
  if (!isLeftOut(file)) return fileWith(file, async () => diffLines(file.diff), { isBinary: isBinary(file) });
  const find = (files: readonly PatchFile[] | null) =>
    file.deleted_file ? changeOn(files ?? [], 'old', file.old_path) : changeOn(files ?? [], 'new', file.new_path);
  return fileWith(file, async () => {
    const paths = [...new Set([file.old_path, file.new_path])];
    const change = find(await gitFiles(app, base_sha, head_sha, paths)) ?? find(await patch());
    if (!change) return linesOfTexts(target, { base_sha, head_sha }, file);
    return change.isBinary ? null : diffLines(change.diff);
  }, { isLeftOut: true });
};

/** Null also if the texts are too different to tell what the diff of the service is. */
const linesOfTexts = async (
  { client, path: { id } }: Target, { base_sha, head_sha }: Pick<Shas, 'base_sha' | 'head_sha'>, file: ListedFile,
): Promise<readonly DiffLine[] | null> => {
  const textAt = async (file_path: string, ref: string) =>
    nullIfFailed(client.lookups.rawFile({ id, file_path, ref }));
  const [before, after] = await Promise.all([
    file.new_file ? '' : textAt(file.old_path, base_sha), file.deleted_file ? '' : textAt(file.new_path, head_sha),
  ]);
  // Equal texts are not those of a file that changed: some services have one text for all commits.
  if (before === null || after === null || before === after || `${before}${after}`.includes('\0')) return null;
  const { fewestHunks } = await import('../../../diff/write.js');
  const hunks = fewestHunks(before, after);
  return hunks === null ? null : diffLines(hunks);
};

/** An older service leaves out the diff of a large file without saying so. A cut one lacks lines too. */
export const isLeftOut = ({ diff, collapsed, too_large }: ListedFile): boolean =>
  collapsed === true || too_large === true || (diff === '' ? (collapsed ?? too_large ?? null) === null
    : !isBinaryNotice(diff) && !hasWholeHunks(diff));

export const isUnreadable = (file: ListedFile): boolean => isLeftOut(file) || isBinary(file);

/** A file without lines of a diff is one that was only moved or got another mode, an empty one or a binary one. */
const isBinary = ({ diff, new_file, renamed_file, deleted_file, a_mode, b_mode }: ListedFile): boolean =>
  isBinaryNotice(diff) || (diff === '' && !renamed_file && !deleted_file && (new_file || a_mode === b_mode));

const fileWith = (
  { old_path, new_path, new_file, deleted_file, b_mode }: FileChange, lines: DiffFile['lines'],
  { isBinary = false, isLeftOut: isUnseen = false },
): DiffFile => ({
  old_path, new_path, new_file, deleted_file, lines: once(lines),
  isOpaque: isBinary || /^1[26]0000$/.test(b_mode), isLeftOut: isUnseen,
});

/** Only full SHAs are passed to git, so that text from the service cannot be parsed as a flag. */
export const isSha = (text: string): boolean => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);

interface GitFile extends FileChange {
  readonly isBinary: boolean;
}

const isBinaryNotice = (text: string): boolean => /^(?:Binary files .* differ|GIT binary patch)$/m.test(text);

/** @param paths from the top of the work tree; none for all files */
export const gitFiles = async (
  { git }: App, from: string | null | undefined, to: string | null | undefined, paths: readonly string[],
): Promise<readonly GitFile[] | null> => {
  if (!from || !to || !isSha(from) || !isSha(to)) return null;
  const patch = await git.diff(from, to, paths);
  return patch === null ? null
    : patchParts(patch).map(({ change, header }) => ({ ...change, isBinary: isBinaryNotice(header) }));
};
