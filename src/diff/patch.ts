import { parseHunkHeader, isDone, takeLine, type Hunk } from './lines.js';

/** One file of a patch, in the words of the service's own list of changed files. `diff` holds the hunks alone. */
export interface FileChange {
  readonly old_path: string;
  readonly new_path: string;
  readonly a_mode: string;
  readonly b_mode: string;
  readonly diff: string;
  readonly new_file: boolean;
  readonly renamed_file: boolean;
  readonly deleted_file: boolean;
}

/** The files of a unified diff, with git's extended headers or with `---` and `+++` lines alone. */
export const parsePatch = (patch: string): FileChange[] => {
  const files: Draft[] = [];
  let file: Draft | undefined;
  let hunk: Hunk | null = null;
  for (const text of patch.replace(/\n$/, '').split('\n')) {
    if (hunk && !isDone(hunk)) {
      if (!text.startsWith('\\')) takeLine(hunk, text);
      file?.hunks.push(text);
      continue;
    }
    hunk = parseHunkHeader(text);
    if (startsFile(text, file)) files.push(file = draftFrom(text));
    if (hunk || text.startsWith('\\')) file?.hunks.push(text);
    else if (file) readHeader(file, text);
  }
  return files.map(finished);
};

interface Draft {
  oldPath?: string;
  newPath?: string;
  oldMode?: string;
  newMode?: string;
  isNew: boolean;
  isDeleted: boolean;
  readonly hunks: string[];
}

/** Without git's line, a file starts at its `---`; with it, that line belongs to the file already begun. */
const startsFile = (text: string, file: Draft | undefined): boolean =>
  text.startsWith('diff --git ') || (text.startsWith('--- ') && (!file || file.hunks.length > 0));

/** Paths from git's own line count until a header names them better: a name with spaces can't be split surely. */
const draftFrom = (text: string): Draft => {
  const draft: Draft = { isNew: false, isDeleted: false, hunks: [] };
  const names = /^diff --git ("(?:[^"\\]|\\.)*"|a\/.*) ("(?:[^"\\]|\\.)*"|b\/.*)$/.exec(text);
  if (!names) return draft;
  const same = /^diff --git a\/(.*) b\/\1$/.exec(text)?.[1];
  return { ...draft, oldPath: same ?? bare(names[1]!), newPath: same ?? bare(names[2]!) };
};

const headers: readonly [RegExp, (file: Draft, value: string) => void][] = [
  [/^--- (.*)/, (file, path) => { if (isNothing(path)) file.isNew = true; else file.oldPath = bare(path); }],
  [/^\+\+\+ (.*)/, (file, path) => { if (isNothing(path)) file.isDeleted = true; else file.newPath = bare(path); }],
  [/^(?:rename|copy) from (.*)/, (file, path) => { file.oldPath = unquoted(path); }],
  [/^(?:rename|copy) to (.*)/, (file, path) => { file.newPath = unquoted(path); }],
  [/^old mode (\d+)/, (file, mode) => { file.oldMode = mode; }],
  [/^new mode (\d+)/, (file, mode) => { file.newMode = mode; }],
  [/^new file mode (\d+)/, (file, mode) => { file.isNew = true; file.newMode = mode; }],
  [/^deleted file mode (\d+)/, (file, mode) => { file.isDeleted = true; file.oldMode = mode; }],
  [/^index \S+ (\d+)/, (file, mode) => { file.oldMode ??= mode; file.newMode ??= mode; }],
];

const readHeader = (file: Draft, text: string): void => {
  for (const [pattern, take] of headers) {
    const value = pattern.exec(text)?.[1];
    if (value !== undefined) take(file, value);
  }
};

const usualMode = '100644';
const absent = '0';

const finished = (draft: Draft): FileChange => {
  const oldPath = draft.oldPath ?? draft.newPath ?? '';
  const newPath = draft.newPath ?? oldPath;
  const paths = draft.isNew ? { old_path: newPath, new_path: newPath }
    : draft.isDeleted ? { old_path: oldPath, new_path: oldPath } : { old_path: oldPath, new_path: newPath };
  return {
    ...paths,
    a_mode: draft.isNew ? absent : draft.oldMode ?? usualMode,
    b_mode: draft.isDeleted ? absent : draft.newMode ?? usualMode,
    diff: draft.hunks.map((line) => `${line}\n`).join(''),
    new_file: draft.isNew,
    renamed_file: paths.old_path !== paths.new_path,
    deleted_file: draft.isDeleted,
  };
};

/** A path as `---` and `+++` lines carry it: quoted or not, a timestamp behind a tab, git's `a/` or `b/` before it. */
const bare = (path: string): string =>
  unquoted(path.startsWith('"') ? path : path.split('\t')[0]!).replace(/^[ab]\//, '');

const isNothing = (path: string): boolean => path.split('\t')[0]!.trim() === '/dev/null';

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };

/** Git quotes names with unusual bytes as C does, byte by byte in octal. */
const unquoted = (path: string): string => {
  const inner = /^"(.*)"\s*$/.exec(path.trimEnd())?.[1];
  if (inner === undefined) return path.replace(/\r$/, '');
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal) bytes.push(parseInt(octal, 8));
    else bytes.push(...Buffer.from(letter ? escapes[letter] ?? letter : plain!));
  }
  return Buffer.from(bytes).toString();
};
