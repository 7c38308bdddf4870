import { isDone, parseHunkHeader, takeLine, type Hunk } from './lines.js';
import { partsOf } from './patch.js';
import { hunksOf } from './write.js';
import { splitLines } from './texts.js';

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
