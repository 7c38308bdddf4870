import { structuredPatch, type StructuredPatchHunk } from 'diff';
import { type Hunk, isDone, parseHunkHeader, takeLine } from './lines.js';
import { mostEdits, renamedTo, splitLines, type Texts } from './matching.js';
import { partsOf } from './patch.js';

/** As git prints it, with renames. */
export const patchBetween = (from: Texts, to: Texts): string => {
  const added = new Map([...to].filter(([path]) => !from.has(path)));
  const parts: Part[] = [];
  for (const [path, text] of from) {
    const target = to.has(path) ? path : renamedTo(text, added);
    if (target !== null) added.delete(target);
    parts.push(target === null ? deletion(path, text) : change([path, text], [target, to.get(target)!]));
  }
  for (const [path, text] of added) parts.push(addition(path, text));
  return parts.sort((one, other) => one.path < other.path ? -1 : 1).map(({ patch }) => patch).join('');
};

/** The diff of one file; empty if the file did not change. */
interface Part { readonly path: string; readonly patch: string }

type PathAndText = readonly [path: string, text: string];

const change = ([oldPath, before]: PathAndText, [path, after]: PathAndText): Part => {
  if (oldPath === path && before === after) return { path, patch: '' };
  const renames = oldPath === path ? [] : [`rename from ${quoted(oldPath)}`, `rename to ${quoted(path)}`];
  const [a, b] = [quoted(`a/${oldPath}`), quoted(`b/${path}`)];
  return { path, patch: withHeaders([`diff --git ${a} ${b}`, ...renames], [a, b], hunksOf(before, after)) };
};

const addition = (path: string, text: string): Part => {
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  return {
    path, patch: withHeaders([`diff --git ${a} ${b}`, 'new file mode 100644'], ['/dev/null', b], hunksOf('', text)),
  };
};

const deletion = (path: string, text: string): Part => {
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  return {
    path, patch: withHeaders([`diff --git ${a} ${b}`, 'deleted file mode 100644'], [a, '/dev/null'], hunksOf(text, '')),
  };
};

const withHeaders = (headers: readonly string[], [a, b]: readonly [string, string], hunks: string): string =>
  [...headers, ...hunks === '' ? [] : [`--- ${a}`, `+++ ${b}`]].map((line) => `${line}\n`).join('') + hunks;

/** Consecutive lines of a file, from a number on, and what replaces them. */
export interface Run { readonly line: number; readonly before: string; readonly after: string }

/** As git prints the change of a file of which only these runs are known. @param runs in the order of their lines */
export const patchOfRuns = (path: string, runs: readonly Run[]): string => {
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  let growth = 0;
  const hunks = runs.map(({ line, before, after }) => {
    const text = hunksOf(before, after, line - 1, growth);
    growth += splitLines(after).length - splitLines(before).length;
    return text;
  });
  const all = hunks.join('');
  return all === '' ? '' : withHeaders([`diff --git ${a} ${b}`], [a, b], all);
};

/** Null for texts that are too different to compare. */
export const fewestHunks = (from: string, to: string): string | null => {
  const patch = compare(from, to);
  return patch ? printHunks(patch.hunks, 0, 0) : null;
};

const compare = (from: string, to: string) =>
  structuredPatch('', '', from, to, undefined, undefined, { context: 3, maxEditLength: mostEdits });

/** @param skipped lines before the texts @param growth how many more there are before the second text */
const hunksOf = (from: string, to: string, skipped = 0, growth = 0): string => {
  const patch = compare(from, to)
    // A comparison with nothing replaces the whole text.
    ?? [structuredPatch('', '', from, '', undefined, undefined), structuredPatch('', '', '', to, undefined, undefined)]
      .reduce((removal, addition) => ({ ...removal, hunks: [merged(removal.hunks[0]!, addition.hunks[0]!)] }));
  return printHunks(patch.hunks, skipped, growth);
};

const printHunks = (hunks: readonly StructuredPatchHunk[], skipped: number, growth: number): string =>
  hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${side(oldStart + skipped, oldLines)} +${side(newStart + skipped + growth, newLines)} @@`, ...lines,
  ].map((line) => `${line}\n`).join('')).join('');

const merged = (removal: StructuredPatchHunk, addition: StructuredPatchHunk): StructuredPatchHunk =>
  ({ ...removal, newLines: addition.newLines, lines: [...removal.lines, ...addition.lines] });

/** A side without lines has the number of the line before the hunk. */
const side = (start: number, count: number): string => `${count === 0 ? start - 1 : start},${count}`;

/** As git writes names with special bytes. */
const quoted = (path: string): string => {
  if (/^[\x21\x23-\x5b\x5d-\x7e]*$/.test(path)) return path;
  const bytes = [...Buffer.from(path)].map((byte) => {
    const letter = String.fromCharCode(byte);
    if (letter === '"' || letter === '\\') return `\\${letter}`;
    return byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, '0')}` : letter;
  });
  return `"${bytes.join('')}"`;
};

/** Lines of the new side of a diff, both ends included, and the text that replaces them. */
interface Amendment {
  readonly from_line: number;
  readonly to_line: number;
  readonly text: string;
}

/**
 * The diff with other new lines in one file. A file that then equals the old one is left out.
 * @param path of the new side
 * @param amendments that do not overlap; the diff must show all their lines
 */
export const amendedDiff = (diff: string, path: string, amendments: readonly Amendment[]): string =>
  partsOf(diff).map(({ change: { new_path, deleted_file }, header, hunks }) => header
    + (new_path === path && !deleted_file ? amendedHunks(hunks, amendments) : hunks)).filter(saysSomething).join('');

const amendedHunks = (hunks: string, amendments: readonly Amendment[]): string => {
  let growth = 0;
  return sidesOf(hunks).map(({ oldLine, newLine, before, after }) => {
    const text = amended(after, newLine, amendments);
    const hunk = hunksOf(before, text, oldLine - 1, growth);
    growth += splitLines(text).length - splitLines(before).length;
    return hunk;
  }).join('');
};

/** More than which file it is about. */
const saysSomething = (part: string): boolean =>
  /^(?:@@|rename|old mode|new file|deleted file|Binary|GIT binary) /m.test(part);

const amended = (text: string, first: number, amendments: readonly Amendment[]): string => {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const inside = amendments.filter(({ from_line }) => from_line >= first && from_line < first + lines.length);
  for (const { from_line, to_line, text: wanted } of inside.sort((one, other) => other.from_line - one.from_line)) {
    lines.splice(from_line - first, to_line - from_line + 1, wanted);
  }
  return lines.join('');
};

interface Sides {
  readonly oldLine: number;
  readonly newLine: number;
  before: string;
  after: string;
}

/** Both texts of each hunk. */
const sidesOf = (hunks: string): Sides[] => {
  const all: Sides[] = [];
  let hunk: Hunk | null = null;
  let last: 'added' | 'removed' | 'context' = 'context';
  for (const text of hunks.replace(/\n$/, '').split('\n')) {
    const sides = all.at(-1);
    if (text.startsWith('\\') && sides) {
      if (last !== 'added') sides.before = sides.before.slice(0, -1);
      if (last !== 'removed') sides.after = sides.after.slice(0, -1);
    } else if (!hunk || isDone(hunk)) {
      hunk = parseHunkHeader(text);
      if (hunk) all.push({ oldLine: hunk.oldLine, newLine: hunk.newLine, before: '', after: '' });
    } else {
      const line = takeLine(hunk, text);
      last = line.kind;
      if (last !== 'added') sides!.before += `${line.text}\n`;
      if (last !== 'removed') sides!.after += `${line.text}\n`;
    }
  }
  return all;
};
