import type { Changes } from './changes.js';
import { newNumberOf, type DiffLine } from './lines.js';
import { follow, type LinePlace, type Trace, type TracedFile, type VersionChange } from './trace.js';

export interface CurrentLine {
  readonly path: string;
  readonly line: number;
  /** Whether it is a line of the base that the head does not have. */
  readonly isRemoved: boolean;
}

/** Between two commits whose diff is known. */
export const traceThrough = (changes: Changes): Trace => {
  const known = new Map<string, TracedFile | null>();
  const trace = (path: string): TracedFile | null => {
    const file = changes.of(path);
    if (!file) return { path, line: (line) => line };
    return file.deleted_file ? null : { path: file.new_path, line: (line) => newNumberOf(file.lines, line) };
  };
  return (path) => {
    if (!known.has(path)) known.set(path, trace(path));
    return known.get(path)!;
  };
};

/**
 * Where the line of a former version is in the new one, even if the new diff does not show it. Null if it is gone, or
 * nobody knows; a line that was changed counts as gone.
 */
export const currentLine = (
  { old_path, new_path, old_line, new_line }: LinePlace, { base, head, diff }: VersionChange,
): CurrentLine | null => {
  if (new_line !== null) {
    const found = follow(head, new_path, new_line);
    return found && { ...found, isRemoved: false };
  }
  const found = follow(base, old_path, old_line);
  if (!found) return null;
  const change = diff.of(found.path);
  const line = change?.deleted_file ? null : newNumberOf(change?.lines ?? [], found.line);
  const path = change?.new_path ?? found.path;
  return line === null ? { path, line: found.line, isRemoved: true } : { path, line, isRemoved: false };
};

/** Whether this is that line. */
export const isLine = (
  { kind, oldLine, newLine }: DiffLine, { line, isRemoved }: Pick<CurrentLine, 'line' | 'isRemoved'>,
): boolean => isRemoved ? kind === 'removed' && oldLine === line : kind !== 'removed' && newLine === line;
