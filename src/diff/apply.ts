import { diffLines } from './lines.js';
import type { FileChange } from './patch.js';
import { splitLines, type FileTexts } from './matching.js';

/** Null if the lines of the diff are not exactly those of the texts. */
export const textsAfter = (texts: FileTexts, changes: readonly FileChange[]): FileTexts | null => {
  const after = new Map(texts);
  for (const { old_path, renamed_file, new_file, deleted_file } of changes) {
    if (!new_file && (renamed_file || deleted_file)) after.delete(old_path);
  }
  for (const change of changes) {
    const text = change.new_file ? texts.has(change.new_path) ? undefined : '' : texts.get(change.old_path);
    if (text === undefined && !isBinary(change)) return null;
    const changed = text === undefined ? undefined : appliedTo(text, change.diff);
    if (changed === null) return null;
    if (changed !== undefined && !change.deleted_file) after.set(change.new_path, changed);
  }
  return after;
};

/** The mode of a file may have changed alone. */
const isBinary = ({ diff }: FileChange): boolean => diff === '';

const appliedTo = (text: string, diff: string): string | null => {
  const before = splitLines(text);
  const after: string[] = [];
  let next = 0;
  for (const { kind, oldLine, text: line } of diffLines(diff)) {
    while (next < Math.min(oldLine - 1, before.length)) after.push(before[next++]!);
    if (kind !== 'removed') after.push(line);
    if (kind !== 'added' && before[next++] !== line) return null;
  }
  const rest = before.slice(next);
  const keepsEnd = rest.length > 0 || diff === '';
  return joined([...after, ...rest], keepsEnd ? text === '' || text.endsWith('\n') : endsLine(diff));
};

const joined = (lines: readonly string[], endsWithLineFeed: boolean): string =>
  lines.length === 0 ? '' : lines.join('\n') + (endsWithLineFeed ? '\n' : '');

/** A notice says that the last line of the new text has no line feed. */
const endsLine = (diff: string): boolean => {
  const lines = diff.split('\n');
  const last = lines.findLastIndex((line) => /^[+ ]/.test(line));
  return !lines[last + 1]?.startsWith('\\');
};
