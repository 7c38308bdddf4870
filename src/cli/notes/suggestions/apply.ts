import { diffLines } from '../../../diff/lines.js';
import { changeOn } from '../../../diff/patch.js';
import { patchOfRuns, type Run } from '../../../diff/write.js';
import { groupedBy } from '../../../text/groups.js';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import { once, oncePer } from '../../service/connection/batch.js';
import { nullIfFailed } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';
import { stateKey } from '../../state/folders.js';
import { readProblem } from '../../terminal/io/streams.js';
import { versionFor } from '../position/version.js';
import { commitMessage, type Suggested, suggestionName } from './suggested.js';

interface HeadFile {
  /** Only the lines that the diff shows may be known. */
  readonly text: string | null;
  /** Every known line has its line end. */
  readonly lines: ReadonlyMap<number, string>;
}

export interface HeadFiles {
  readonly head_sha: string;
  readonly name: string;
  readonly of: (path: string) => Promise<HeadFile | null>;
}

/** A text of the service without the lines that the diff shows is of another commit, so only these lines count. */
export const headFiles = async (app: App, target: Target): Promise<HeadFiles> => {
  const version = await versionFor(app, {}, target);
  const { head_sha } = version.shas;
  const diffs = once(() => version.files());
  const of = oncePer(async (path: string): Promise<HeadFile | null> => {
    const inGit = fileText(await app.git.tracked.at(head_sha, path));
    if (inGit !== null) return wholeFile(inGit);
    const diff = changeOn((await diffs())?.files ?? [], 'new', path);
    const shown = diff === undefined ? new Map<number, string>() : shownLines(diff.diff);
    const text = await textOnService(target, path, head_sha);
    if (text !== null && hasLines(text, shown)) return wholeFile(text);
    return shown.size === 0 ? null : { text: null, lines: shown };
  });
  return { head_sha, name: target.name, of };
};

const textOnService = async ({ client, path: { id } }: Target, file_path: string, ref: string) => {
  const file = await nullIfFailed(client.lookups.file({ id, file_path, ref }));
  return fileText(file?.encoding === 'base64' ? Buffer.from(file.content, 'base64') : null);
};

const fileText = (bytes: Uint8Array | null): string | null => {
  if (bytes === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};

const wholeFile = (text: string): HeadFile =>
  ({ text, lines: new Map(linesWithEnds(text).map((line, at) => [at + 1, line])) });

const shownLines = (diff: string): Map<number, string> => {
  const lines = diffLines(diff).filter(({ kind }) => kind !== 'removed');
  const hasNoEnd = /\n[+ ][^\n]*\n\\[^\n]*\n?$/.test(diff);
  return new Map(lines.map(({ newLine, text }, at) =>
    [newLine, hasNoEnd && at === lines.length - 1 ? text : `${text}\n`]));
};

/** Ignores the kind of line ends. */
const hasLines = (text: string, wanted: ReadonlyMap<number, string>): boolean => {
  const lines = linesWithEnds(text);
  return [...wanted].every(([number, line]) => isSameLine(lines[number - 1], line));
};

const lineEnd = /\r?\n$/;

const isSameLine = (one: string | undefined, other: string): boolean =>
  one?.replace(lineEnd, '') === other.replace(lineEnd, '');

/** @param after replaces the text of a run of known lines, which starts at a line */
export const knownRuns = ({ lines }: HeadFile, after: (text: string, line: number) => string): Run[] => {
  const runs: { line: number; before: string }[] = [];
  let next: number | null = null;
  for (const [number, line] of lines) {
    if (number === next) runs.at(-1)!.before += line;
    else runs.push({ line: number, before: line });
    next = number + 1;
  }
  return runs.map((run) => ({ ...run, after: after(run.before, run.line) }));
};

/** Whether a later push changed a line that the suggestion replaces: its position follows only one of them. */
export const hasChangedLines = async (head: HeadFiles, { path, replaced }: Suggested): Promise<boolean> => {
  if (replaced === null) return false;
  const file = await head.of(path);
  return linesWithEnds(replaced.text).some((line, at) => {
    const now = file?.lines.get(replaced.line + at);
    const isKnown = now !== undefined || (file?.text ?? null) !== null;
    return isKnown && !isSameLine(now, line);
  });
};

type Edit = Pick<Suggested, 'from_line' | 'to_line' | 'text'>;

const linesWithEnds = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Keeps the kind of line ends. @param edits that do not overlap @param first number of the first line of the text */
export const withEdits = (text: string, edits: readonly Edit[], first = 1): string => {
  const lines = linesWithEnds(text);
  const within = edits.filter(({ from_line }) => from_line >= first && from_line < first + lines.length);
  for (const { from_line, to_line, text: replacement } of within.sort((a, b) => b.from_line - a.from_line)) {
    const end = lines[from_line - first]!.endsWith('\r\n') ? '\r\n' : '\n';
    const wanted = linesWithEnds(replacement).map((line) => line.replace(lineEnd, end));
    lines.splice(from_line - first, to_line - from_line + 1, ...wanted);
  }
  return lines.join('');
};

/** @throws Problem if two replace the same line */
const byFile = (suggestions: readonly Suggested[]): ReadonlyMap<string, readonly Suggested[]> => {
  const files = groupedBy(suggestions, ({ path }) => path);
  for (const ofFile of files.values()) {
    ofFile.sort((a, b) => a.from_line - b.from_line);
    ofFile.slice(1).forEach((one, i) => { checkApart(ofFile[i]!, one); });
  }
  return files;
};

const checkApart = (before: Suggested, one: Suggested): void => {
  if (before.to_line < one.from_line) return;
  throw usage(`two suggestions replace the same line: ${suggestionName(before)} and ${suggestionName(one)}`,
    before.thread === one.thread ? 'apply one of them by hand' : 'name the threads of those to use');
};

export const suggestionPatch = async (head: HeadFiles, suggestions: readonly Suggested[]): Promise<string> =>
  (await plannedFiles(head, suggestions)).map(({ path, file, edits }) =>
    patchOfRuns(path, knownRuns(file, (text, line) => withEdits(text, edits, line)))).join('');

interface ApplyOptions {
  readonly commit?: boolean;
  readonly dryRun?: boolean;
  /** Those that the files have already: the files may differ from the head by them. */
  readonly earlier?: readonly Suggested[];
}

interface Applied { readonly paths: readonly string[]; readonly commit: string | null }

/**
 * Changes regular files that git tracks, all or none of them. Of two runs in a work tree, one waits.
 * @throws Problem for other files, and for files that differ from the head
 */
export const applySuggestions = async (
  app: App, head: HeadFiles, suggestions: readonly Suggested[], options: ApplyOptions = {},
): Promise<Applied> => {
  const work = () => applyAlone(app, head, suggestions, options);
  if (options.dryRun) return work();
  return app.state.locked(`suggestions/${await stateKey(await app.git.top() ?? '')}`, work, work);
};

const applyAlone = async (
  app: App, head: HeadFiles, suggestions: readonly Suggested[],
  { commit = false, dryRun = false, earlier = [] }: ApplyOptions,
): Promise<Applied> => {
  const planned = await Promise.all((await plannedFiles(head, [...earlier, ...suggestions]))
    .filter(({ path }) => suggestions.some((one) => one.path === path))
    .map((file) => planFile(app, head, file, earlier, commit)));
  const changes = planned.filter(({ before, after }) => !after.equals(before));
  const paths = changes.map(({ path }) => path);
  if (paths.length === 0) {
    throw new Problem('failure', `${head.name} has the suggested lines already`,
      'resolve the threads of the suggestions');
  }
  if (dryRun) return { paths, commit: null };
  app.signal.throwIfAborted();
  app.activity.isCleaningUp = true;
  try {
    const made = await writeChanges(app, changes, commit ? commitMessage(suggestions) : null);
    const files = counted(paths.length, 'file');
    app.activity.effects.push(made === null ? `changed ${files}` : `committed ${files} as ${made.slice(0, 8)}`);
    return { paths, commit: made };
  } finally {
    app.activity.isCleaningUp = false;
  }
};

interface FileChange { readonly path: string; readonly before: Uint8Array; readonly after: Buffer }

/** @param message null without a commit */
const writeChanges = async (
  app: App, changes: readonly FileChange[], message: string | null,
): Promise<string | null> => {
  await replaceFiles(app, new Map(changes.map(({ path, after }) => [path, after])));
  if (message === null) return null;
  try {
    return await app.git.tracked.commit(changes.map(({ path }) => path), message, app.signal);
  } catch (error) {
    await replaceFiles(app, new Map(changes.map(({ path, before }) => [path, before])));
    app.signal.throwIfAborted();
    throw new Problem('failure', `git cannot commit: ${(error as Error).message}`,
      'fix this and run it again: no file was changed', { cause: error });
  }
};

interface PlannedFile { readonly path: string; readonly file: HeadFile; readonly edits: readonly Suggested[] }

const plannedFiles = async (head: HeadFiles, suggestions: readonly Suggested[]): Promise<PlannedFile[]> => {
  for (const one of suggestions) {
    const reason = one.head_sha !== null && one.head_sha !== head.head_sha ? `is on an older version of ${head.name}`
      : await hasChangedLines(head, one) ? 'is on lines that changed since' : null;
    if (reason !== null) {
      throw new Problem('failure', `the suggestion on ${suggestionName(one)} ${reason}`, 'apply it by hand');
    }
  }
  return Promise.all([...byFile(suggestions)].map(async ([path, edits]) => {
    const file = await head.of(path);
    if (file === null) {
      throw new Problem('failure', `cannot read ${path} at the head of ${head.name}`, 'fetch the commit with git');
    }
    return { path, file, edits: edits.map((edit) => withinFile(edit, file, head)) };
  }));
};

/** Lines after the end of the file are left out, as by the service. */
const withinFile = (edit: Suggested, { text, lines }: HeadFile, { name }: HeadFiles): Suggested => {
  const to_line = text === null ? edit.to_line : Math.min(edit.to_line, lines.size);
  for (let line = edit.from_line; line <= Math.max(edit.from_line, to_line); line++) {
    if (!lines.has(line)) {
      throw new Problem('failure', `cannot read line ${line} of ${edit.path} at the head of ${name}`,
        'fetch the commit with git');
    }
  }
  return { ...edit, to_line };
};

const planFile = async (
  app: App, head: HeadFiles, { path, file, edits }: PlannedFile, earlier: readonly Suggested[], commit: boolean,
): Promise<FileChange> => {
  const before = await readTracked(app, path);
  const text = fileText(before);
  if (text === null) throw new Problem('failure', `${path} is not UTF-8 text`, 'apply the suggestion by hand');
  const done = edits.filter((edit) => earlier.some(({ note, from_line }) =>
    note === edit.note && from_line === edit.from_line));
  const atHead = done.length === 0 ? text : file.text;
  // The suggestions may not be all that has changed.
  const isAtHead = atHead !== null && isSame(atHead, file) && sameText(withEdits(atHead, done), text);
  if (!isAtHead) {
    throw new Problem('failure', `${path} differs from the head of ${head.name}`,
      'check out the head of the merge request, and commit or stash other changes');
  }
  // `:0` is the index, which a commit would replace.
  const revisions = commit ? ['HEAD', ':0'] : file.text === null ? ['HEAD'] : [];
  const contents = await Promise.all(revisions.map((revision) => app.git.tracked.at(revision, path)));
  const isSaved = contents.every((content) => sameText(fileText(content) ?? '', text));
  if (!isSaved) throw new Problem('failure', `${path} has changes that are not committed`, 'commit or stash them');
  return { path, before, after: Buffer.from(withEdits(atHead, edits)) };
};

const isSame = (text: string, file: HeadFile): boolean =>
  file.text === null ? hasLines(text, file.lines) : sameText(text, file.text);

/** Git may write other line ends to the work tree than it stores. */
const sameText = (one: string, other: string): boolean =>
  one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');

const readTracked = async ({ git: { tracked } }: App, path: string): Promise<Uint8Array> => {
  try {
    return await tracked.read(path);
  } catch (error) {
    const reason = readReasons[(error as NodeJS.ErrnoException).code ?? ''] ?? readProblem(error);
    throw new Problem('failure', `cannot change ${path}: ${reason}`,
      'run this in the work tree of the merge request; only regular files that git tracks are changed');
  }
};

const readReasons: Readonly<Record<string, string>> = {
  ENOTREE: 'the current folder is not in a git work tree', EUNTRACKED: 'git does not track such a file',
  ELINK: 'it is behind a link',
};

const replaceFiles = async ({ git: { tracked } }: App, contents: ReadonlyMap<string, Uint8Array>): Promise<void> => {
  try {
    await tracked.replace(contents);
  } catch (error) {
    throw new Problem('failure', `cannot change ${counted(contents.size, 'file')}: ${readProblem(error)}`,
      'check the permissions of the files and their folders: no file was changed', { cause: error });
  }
};
