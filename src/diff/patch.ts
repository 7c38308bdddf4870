import { type DiffLine, type Hunk, isDone, diffLines, parseHunkHeader, passLine } from './lines.js';

/** The field names are those of the service. `diff` contains only the hunks. */
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

/** Reads git's extended headers, or only `---` and `+++` lines. */
export const parsePatch = (patch: string): FileChange[] => draftsOf(patch).map(fileChangeOf);

export const patchParts = (patch: string) => draftsOf(patch).map((draft) => ({
  change: fileChangeOf(draft), header: draft.header.map((line) => `${line}\n`).join(''), hunks: hunksText(draft),
}));

/** By position instead of line by line: a hunk is long, and only the first character of its lines counts. */
const draftsOf = (patch: string): Draft[] => {
  const files: Draft[] = [];
  const whole = patch.endsWith('\n') ? patch : `${patch}\n`;
  let file: Draft | undefined;
  let hunk: Hunk | null = null;
  for (let at = 0, end = 0; at < whole.length; at = end) {
    end = whole.indexOf('\n', at) + 1;
    const isNotice = whole[at] === '\\';
    if (hunk && !isDone(hunk)) {
      if (!isNotice) passLine(hunk, whole[at]);
      if (file) extend(file.hunks, at, end);
      continue;
    }
    const text = whole.slice(at, end - 1);
    hunk = parseHunkHeader(text);
    if (startsFile(text, file)) files.push(file = { ...draftFrom(text), patch: whole, header: [], hunks: [] });
    if (!file) continue;
    if (hunk || isNotice) extend(file.hunks, at, end);
    else readHeader(file, text);
  }
  return files;
};

export const patchProblem = (patch: string): string | null => {
  if (patch.trim() === '') return null;
  const files = parsePatch(patch);
  if (files.length === 0) return 'is not a unified diff';
  const broken = files.find(({ diff }) => !isWhole(diff));
  return broken
    ? `is not a valid diff: a hunk of ${JSON.stringify(broken.new_path)} has fewer lines than it says` : null;
};

/** The file in whose headers a patch is cut: a hunk, the other mode or the other name has to follow. */
export const cutFile = (patch: string): string | null => {
  const cut = draftsOf(patch).find(isCut);
  return cut ? fileChangeOf(cut).new_path : null;
};

/** Of an empty file, `index` is the last header. */
const isCut = ({ header, hunks, isNew, isDeleted }: Draft): boolean => {
  const last = header.findLast((line) => line.trim() !== '') ?? '';
  if (/^@{1,2}(?: -|$)/.test(last)) return true;
  if (hunks.length > 0) return false;
  return /^index /.test(last) ? !isNew && !isDeleted
    : /^(?:diff --git|---|\+\+\+|old mode|(?:dis)?similarity index|(?:rename|copy) from) /.test(last);
};

/** Whether it has hunks, and none of them has fewer lines than it says. */
export const hasWholeHunks = (diff: string): boolean => /^@@ -/m.test(diff) && isWhole(diff);

const isWhole = (hunks: string): boolean => {
  let hunk: Hunk | null = null;
  for (const text of hunks.replace(/\n$/, '').split('\n')) {
    if (!hunk || isDone(hunk)) hunk = parseHunkHeader(text);
    else if (parseHunkHeader(text)) return false;
    else if (!text.startsWith('\\')) passLine(hunk, text[0]);
  }
  return !hunk || isDone(hunk);
};

interface Draft {
  oldPath?: string;
  newPath?: string;
  oldMode?: string;
  newMode?: string;
  isNew: boolean;
  isDeleted: boolean;
  prefix: RegExp;
  readonly patch: string;
  readonly header: string[];
  readonly hunks: Range[];
}

interface Range { readonly from: number; to: number }

const extend = (ranges: Range[], from: number, to: number): void => {
  const last = ranges.at(-1);
  if (last?.to === from) last.to = to;
  else ranges.push({ from, to });
};

const hunksText = ({ patch, hunks }: Draft): string => hunks.map(({ from, to }) => patch.slice(from, to)).join('');

/** Without a `diff --git` line a file starts at its `---`; otherwise `---` belongs to the current file. */
const startsFile = (text: string, file: Draft | undefined): boolean =>
  text.startsWith('diff --git ') || (text.startsWith('--- ') && (!file || file.hunks.length > 0));

/** The paths of the `diff --git` line are preliminary: names with spaces make it ambiguous. */
const draftFrom = (text: string): Pick<Draft, 'oldPath' | 'newPath' | 'isNew' | 'isDeleted' | 'prefix'> => {
  const isMnemonic = mnemonic.test(text);
  const bare = unprefixed(text);
  const draft = { isNew: false, isDeleted: false, prefix: bare !== null ? none : isMnemonic ? /^[ciow]\// : /^[ab]\// };
  if (bare !== null) return { ...draft, oldPath: unquote(bare), newPath: unquote(bare) };
  const names = /^diff --git ("(?:[^"\\]|\\.)*"|[aciow]\/.*) ("(?:[^"\\]|\\.)*"|[bciow]\/.*)$/s.exec(text);
  if (!names) return draft;
  const [oldPath, newPath] = [names[1]!, names[2]!].map((path) => parsePath(path, draft));
  const same = samePath(text, isMnemonic);
  return { ...draft, oldPath: same ?? oldPath!, newPath: same ?? newPath! };
};

const gitLine = 'diff --git ';

/** With prefixes, the two names of a file are never the same. */
const unprefixed = (text: string): string | null => {
  const names = text.startsWith(gitLine) ? text.slice(gitLine.length) : '';
  const middle = (names.length - 1) / 2;
  const name = names.slice(0, middle);
  return names[middle] === ' ' && name === names.slice(middle + 1) ? name : null;
};

const none = /(?!)/;

/** With `diff.mnemonicPrefix`: index, commit, object and work tree. */
const mnemonic = /^diff --git "?(?:i\/.* "?[cw]|c\/.* "?[iw]|o\/.* "?w|w\/.* "?[cio])\//;

const samePath = (text: string, isMnemonic: boolean): string | undefined => {
  const start = 'diff --git a/'.length;
  const path = text.slice(start, (start + text.length - ' b/'.length) / 2);
  const [one, other] = isMnemonic ? [text[start - 2], text[start + path.length + 1]] : ['a', 'b'];
  return text === `diff --git ${one}/${path} ${other}/${path}` ? path : undefined;
};

/** The headers of a rename have both paths without a prefix. */
const isRenamed = ({ header }: Draft): boolean => header.some((line) => /^(?:rename|copy) from /.test(line));

const takeNewPath = (file: Draft, path: string): void => {
  const isSame = file.header.some((line) => untimed(line) === `--- ${untimed(path)}`);
  if (isSame) {
    file.prefix = none;
    file.oldPath = parsePath(path, file);
  }
  file.newPath = parsePath(path, file);
};

const headers: readonly [RegExp, (file: Draft, value: string) => void][] = [
  [/^--- (.*)/, (file, path) => {
    if (isDevNull(path)) file.isNew = true;
    else if (!isRenamed(file)) file.oldPath = parsePath(path, file);
  }],
  [/^\+\+\+ (.*)/, (file, path) => {
    if (isDevNull(path)) file.isDeleted = true;
    else if (!isRenamed(file)) takeNewPath(file, path);
  }],
  [/^(?:rename|copy) from (.*)/, (file, path) => { file.oldPath = unquote(path); }],
  [/^(?:rename|copy) to (.*)/, (file, path) => { file.newPath = unquote(path); }],
  [/^old mode (\d+)/, (file, mode) => { file.oldMode = mode; }],
  [/^new mode (\d+)/, (file, mode) => { file.newMode = mode; }],
  [/^new file mode (\d+)/, (file, mode) => { file.isNew = true; file.newMode = mode; }],
  [/^deleted file mode (\d+)/, (file, mode) => { file.isDeleted = true; file.oldMode = mode; }],
  [/^index \S+ (\d+)/, (file, mode) => { file.oldMode ??= mode; file.newMode ??= mode; }],
];

const readHeader = (file: Draft, text: string): void => {
  file.header.push(text);
  for (const [pattern, take] of headers) {
    const value = pattern.exec(text)?.[1];
    if (value !== undefined) take(file, value);
  }
};

const usualMode = '100644';
const absent = '0';

const fileChangeOf = (draft: Draft): FileChange => {
  const oldPath = draft.oldPath ?? draft.newPath ?? '';
  const newPath = draft.newPath ?? oldPath;
  const paths = draft.isNew ? { old_path: newPath, new_path: newPath }
    : draft.isDeleted ? { old_path: oldPath, new_path: oldPath } : { old_path: oldPath, new_path: newPath };
  return {
    ...paths,
    a_mode: draft.isNew ? absent : draft.oldMode ?? usualMode,
    b_mode: draft.isDeleted ? absent : draft.newMode ?? usualMode,
    diff: hunksText(draft),
    new_file: draft.isNew,
    renamed_file: paths.old_path !== paths.new_path,
    deleted_file: draft.isDeleted,
  };
};

const parsePath = (path: string, { prefix }: Pick<Draft, 'prefix'>): string =>
  unquote(path.startsWith('"') ? path : untimed(path)).replace(prefix, '');

/** A timestamp may follow after a tab. */
const untimed = (path: string): string => path.split('\t')[0]!;

const isDevNull = (path: string): boolean => untimed(path).trim() === '/dev/null';

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };

/** Git quotes names with special bytes as in C, each byte in octal. */
const unquote = (path: string): string => {
  const inner = /^"(.*)"\s*$/.exec(path.trimEnd())?.[1];
  if (inner === undefined) return path.replace(/\r$/, '');
  const bytes: Buffer[] = [];
  for (const [, octal, letter, plain] of inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    bytes.push(octal ? Buffer.of(parseInt(octal, 8)) : Buffer.from(letter ? escapes[letter] ?? letter : plain!));
  }
  return Buffer.concat(bytes).toString();
};

export interface ReadChange extends FileChange { readonly lines: readonly DiffLine[] }

type Sides = Pick<FileChange, 'old_path' | 'new_path' | 'new_file' | 'deleted_file'>;

/** A file that became a link, or a link that became a file, is listed twice. */
export const changeOn = <File extends Sides>(
  files: readonly File[], side: 'old' | 'new', path: string | null | undefined,
): File | undefined => files.find(({ old_path, new_path, new_file, deleted_file }) =>
  side === 'old' ? old_path === path && !new_file : new_path === path && !deleted_file);

/** The lines of each file are read once. */
export const changesIn = (all: readonly FileChange[]) => {
  const read = new Map<FileChange, ReadChange>();
  const withLines = (change: FileChange | undefined): ReadChange | undefined => {
    if (change === undefined) return undefined;
    const known = read.get(change) ?? { ...change, lines: diffLines(change.diff) };
    read.set(change, known);
    return known;
  };
  return {
    all,
    /** By the path before the change. Undefined if the diff does not have the file, or added it. */
    of: (oldPath: string): ReadChange | undefined => {
      const found = all.filter(({ old_path, new_file }) => old_path === oldPath && !new_file);
      // A file that was copied too is listed twice.
      return withLines(found.find(({ new_path }) => new_path === oldPath) ?? found[0]);
    },
    /** By the path after the change. Undefined if the diff does not have the file, or deleted it. */
    to: (newPath: string): ReadChange | undefined => withLines(changeOn(all, 'new', newPath)),
  };
};

export type DiffChanges = ReturnType<typeof changesIn>;
