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

type Sides = Pick<FileChange, 'old_path' | 'new_path' | 'new_file' | 'deleted_file'>;

/** Of a path on a side of the diff. A file that became a link, or a link that became one, is listed twice. */
export const changeOn = <File extends Sides>(
  files: readonly File[], side: 'old' | 'new', path: string | null | undefined,
): File | undefined => files.find(({ old_path, new_path, new_file, deleted_file }) =>
  side === 'old' ? old_path === path && !new_file : new_path === path && !deleted_file);

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
    to: (newPath) => withLines(changeOn(all, 'new', newPath)),
  };
};
