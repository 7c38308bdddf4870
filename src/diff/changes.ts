import { linesOf, type DiffLine } from './lines.js';
import type { FileChange } from './patch.js';

export interface ReadChange extends FileChange { readonly lines: readonly DiffLine[] }

/** The files of a diff by their paths; the lines of each are read once. */
export interface Changes {
  readonly all: readonly FileChange[];
  /** By the path before the change. Undefined if the diff does not have the file, or added it. */
  of(oldPath: string): ReadChange | undefined;
  /** By the path after the change. Undefined if the diff does not have the file, or deleted it. */
  to(newPath: string): ReadChange | undefined;
}

export const changesOf = (all: readonly FileChange[]): Changes => {
  const read = new Map<FileChange, ReadChange>();
  const withLines = (change: FileChange | undefined): ReadChange | undefined => {
    if (change === undefined) return undefined;
    const known = read.get(change) ?? { ...change, lines: linesOf(change.diff) };
    read.set(change, known);
    return known;
  };
  return {
    all,
    of: (oldPath) => {
      const found = all.filter(({ old_path, new_file }) => old_path === oldPath && !new_file);
      // A file that was copied too is listed twice.
      return withLines(found.find(({ new_path }) => new_path === oldPath) ?? found[0]);
    },
    to: (newPath) => withLines(all.find(({ new_path, deleted_file }) => new_path === newPath && !deleted_file)),
  };
};
