import { structuredPatch, type StructuredPatchHunk } from 'diff';
import { type Hunk, isDone, parseHunkHeader, takeLine } from './lines.js';
import { mostEdits, renamedTo, splitLines, type FileTexts } from './matching.js';
import { patchParts } from './patch.js';

export const patchBetween = (from: FileTexts, to: FileTexts): string => {
  const added = new Map([...to].filter(([path]) => !from.has(path)));
  const patches: { readonly path: string; readonly patch: string }[] = [];
  for (const [path, text] of from) {
    const target = to.has(path) ? path : renamedTo(text, added);
    if (target !== null) added.delete(target);
    const after = target === null ? '' : to.get(target)!;
    if (path === target && text === after) continue;
    patches.push({ path: target ?? path, patch: filePatch(path, target, hunksBetween(text, after)) });
  }
  for (const [path, text] of added) patches.push({ path, patch: filePatch(null, path, hunksBetween('', text)) });
  return patches.sort((one, other) => one.path < other.path ? -1 : 1).map(({ patch }) => patch).join('');
};

/** A path is null on the side that does not have the file. */
const filePatch = (from: string | null, to: string | null, hunks: string): string => {
  const [a, b] = [quoted(`a/${from ?? to}`), quoted(`b/${to ?? from}`)];
  const changes = from === null ? ['new file mode 100644'] : to === null ? ['deleted file mode 100644']
    : from === to ? [] : [`rename from ${quoted(from)}`, `rename to ${quoted(to)}`];
  const sides = [`--- ${from === null ? '/dev/null' : a}`, `+++ ${to === null ? '/dev/null' : b}`];
  return [`diff --git ${a} ${b}`, ...changes, ...hunks === '' ? [] : sides].map((line) => `${line}\n`).join('') + hunks;
};

export interface Run { readonly line: number; readonly before: string; readonly after: string }

/** Of the file only these runs are known. @param runs in the order of their lines */
export const patchOfRuns = (path: string, runs: readonly Run[]): string => {
  const hunks = runHunks(runs);
  return hunks === '' ? '' : filePatch(path, path, hunks);
};

const runHunks = (runs: readonly Run[]): string => {
  let growth = 0;
  return runs.map(({ line, before, after }) => {
    const hunks = hunksBetween(before, after, line - 1, growth);
    growth += splitLines(after).length - splitLines(before).length;
    return hunks;
  }).join('');
};

/** Null for texts that are too different to compare. */
export const fewestHunks = (from: string, to: string): string | null => {
  const patch = compare(from, to);
  return patch ? printHunks(patch.hunks, 0, 0) : null;
};

const compare = (from: string, to: string) =>
  structuredPatch('', '', from, to, undefined, undefined, { context: 3, maxEditLength: mostEdits });

/** @param skipped lines before the texts @param growth how many more there are before the second text */
const hunksBetween = (from: string, to: string, skipped = 0, growth = 0): string => {
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

const quoted = (path: string): string => {
  if (/^[\x21\x23-\x5b\x5d-\x7e]*$/.test(path)) return path;
  const bytes = [...Buffer.from(path)].map((byte) => {
    const letter = String.fromCharCode(byte);
    if (letter === '"' || letter === '\\') return `\\${letter}`;
    return byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, '0')}` : letter;
  });
  return `"${bytes.join('')}"`;
};

/** New lines of a diff, both ends included, and the text that replaces them. */
interface Amendment {
  readonly from_line: number;
  readonly to_line: number;
  readonly text: string;
}

/**
 * Replaces new lines in one file of a diff. A file that then equals the old one is left out.
 * @param amendments that do not overlap; the diff must show all their lines
 */
export const amendedDiff = (diff: string, path: string, amendments: readonly Amendment[]): string =>
  patchParts(diff).map(({ change: { new_path, deleted_file }, header, hunks }) => header
    + (new_path === path && !deleted_file ? amendedHunks(hunks, amendments) : hunks)).filter(saysSomething).join('');

const amendedHunks = (hunks: string, amendments: readonly Amendment[]): string =>
  runHunks(hunkSides(hunks).map(({ oldLine, newLine, before, after }) =>
    ({ line: oldLine, before, after: amended(after, newLine, amendments) })));

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

const hunkSides = (hunks: string): Sides[] => {
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
