import { counted } from '../../../text/messages.js';
import { patchOfRuns } from '../../../diff/write.js';
import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import { readProblem } from '../../terminal/io/streams.js';
import { commitMessage, type Suggested, suggestionName } from './suggested.js';
import {
  byFile, withEdits, hasLines, type HeadFile, type HeadFiles, knownRuns, linesWithEnds, fileText,
} from './head-files.js';

export const suggestionPatch = async (head: HeadFiles, suggestions: readonly Suggested[]): Promise<string> => {
  const patches: string[] = [];
  for (const { path, file, edits } of await plannedFiles(head, suggestions)) {
    patches.push(patchOfRuns(path, knownRuns(file, (text, line) => withEdits(text, shifted(edits, text, line)))));
  }
  return patches.join('');
};

const shifted = (edits: readonly Suggested[], text: string, line: number) => edits
  .filter(({ from_line }) => from_line >= line && from_line < line + linesWithEnds(text).length)
  .map((edit) => ({ ...edit, from_line: edit.from_line - line + 1, to_line: edit.to_line - line + 1 }));

interface Options {
  readonly commit?: boolean;
  /** Suggestions that the files have already: the files may differ from the head by them. */
  readonly earlier?: readonly Suggested[];
}

/**
 * Changes regular files that git tracks, all or none of them.
 * @throws Problem for other files, and for files that differ from the head
 */
export const applySuggestions = async (
  app: App, head: HeadFiles, suggestions: readonly Suggested[], { commit = false, earlier = [] }: Options = {},
): Promise<{ readonly paths: readonly string[]; readonly commit: string | null }> => {
  const changes = await Promise.all((await plannedFiles(head, [...earlier, ...suggestions]))
    .filter(({ path }) => suggestions.some((one) => one.path === path))
    .map((planned) => planFile(app, head, planned, earlier, commit)));
  const paths = changes.filter(({ before, after }) => !after.equals(before)).map(({ path }) => path);
  if (paths.length === 0) {
    throw new Problem('failure', `${head.name} has the suggested lines already`,
      'resolve the threads of the suggestions');
  }
  await replaceFiles(app, new Map(changes.map(({ path, after }) => [path, after])));
  if (!commit) return { paths, commit: null };
  try {
    return { paths, commit: await app.git.tracked.commit(paths, commitMessage(suggestions)) };
  } catch (error) {
    await replaceFiles(app, new Map(changes.map(({ path, before }) => [path, before])));
    throw new Problem('failure', `git cannot commit: ${(error as Error).message}`,
      'fix this and run it again: no file was changed', { cause: error });
  }
};

interface PlannedFile { readonly path: string; readonly file: HeadFile; readonly edits: readonly Suggested[] }

const plannedFiles = (head: HeadFiles, suggestions: readonly Suggested[]): Promise<PlannedFile[]> => {
  for (const one of suggestions) {
    if (one.head_sha !== null && one.head_sha !== head.head_sha) {
      throw new Problem('failure', `the suggestion on ${suggestionName(one)} is on an older version of ${head.name}`,
        'apply it by hand');
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
): Promise<{ readonly path: string; readonly before: Uint8Array; readonly after: Buffer }> => {
  const before = await readTracked(app, path);
  const text = fileText(before);
  const differs = `${path} differs from the head of ${head.name}`;
  const hint = 'check out the head of the merge request, and commit or stash other changes';
  if (text === null) throw new Problem('failure', `${path} is not UTF-8 text`, 'apply the suggestion by hand');
  const done = edits.filter((edit) => earlier.some(({ note, from_line }) =>
    note === edit.note && from_line === edit.from_line));
  const atHead = done.length === 0 ? text : withoutEdits(file, done, text);
  if (atHead === null || !isSame(atHead, file)) throw new Problem('failure', differs, hint);
  const isSaved = !commit && file.text !== null
    || sameText(fileText(await app.git.tracked.at('HEAD', path)) ?? '', text);
  if (!isSaved) throw new Problem('failure', `${path} has changes that are not committed`, 'commit or stash them');
  return { path, before, after: Buffer.from(withEdits(atHead, edits)) };
};

/** The suggestions may not be all that has changed. */
const withoutEdits = ({ text }: HeadFile, done: readonly Suggested[], now: string): string | null =>
  text !== null && sameText(withEdits(text, done), now) ? text : null;

const isSame = (text: string, file: HeadFile): boolean =>
  file.text === null ? hasLines(linesWithEnds(text), file.lines) : sameText(text, file.text);

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
