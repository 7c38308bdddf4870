import { type DiffLine, lineAt, newLineNumber, oldLineNumber } from './lines.js';
import type { DiffChanges } from './patch.js';

/** A file at another commit, and where its lines are there: null if a line is gone. */
export interface TracedFile { readonly path: string; readonly line: (line: number) => number | null }

/** From the files of one commit to those of another. Null if the file is gone, or nobody knows where it is. */
export type Trace = (path: string) => TracedFile | null;

export const sameFiles: Trace = (path) => ({ path, line: (line) => line });

export const unknownFiles: Trace = () => null;

export const cachedTrace = (trace: Trace): Trace => {
  const known = new Map<string, TracedFile | null>();
  return (path) => {
    if (!known.has(path)) known.set(path, trace(path));
    return known.get(path)!;
  };
};

/** Added lines have a new number, removed ones an old one, unchanged ones both. */
export interface LinePlace {
  readonly old_path: string;
  readonly new_path: string;
  readonly old_line: number | null;
  readonly new_line: number | null;
}

export interface VersionChange {
  /** Leads from the former base to the new one. */
  readonly base: Trace;
  readonly head: Trace;
  readonly diff: DiffChanges;
}

/** Null if the comment is outdated (behavior: pushes.added-line, pushes.removed-line, pushes.unchanged-line). */
export const traceLine = (place: LinePlace, change: VersionChange): LinePlace | null => {
  const traced = place.old_line === null ? ofAddedLine(place, change)
    : place.new_line === null ? ofRemovedLine(place, change) : ofUnchangedLine(place, change);
  return traced && isShown(traced, change.diff) ? traced : null;
};

const followLine = (trace: Trace, path: string, line: number | null) => {
  const file = trace(path);
  const traced = file && line !== null ? file.line(line) : null;
  return traced === null ? null : { path: file!.path, line: traced };
};

const ofAddedLine = ({ new_path, new_line }: LinePlace, { head, diff }: VersionChange): LinePlace | null => {
  const found = followLine(head, new_path, new_line);
  if (!found) return null;
  const file = diff.to(found.path);
  return {
    old_path: file?.old_path ?? found.path, new_path: found.path,
    old_line: file ? oldLineNumber(file.lines, found.line) : found.line, new_line: found.line,
  };
};

const ofRemovedLine = ({ old_path, old_line }: LinePlace, { base, diff }: VersionChange): LinePlace | null => {
  const found = followLine(base, old_path, old_line);
  const file = found && diff.of(found.path);
  if (!file || newLineNumber(file.lines, found.line) !== null) return null;
  return { old_path: found.path, new_path: file.new_path, old_line: found.line, new_line: null };
};

const ofUnchangedLine = (place: LinePlace, { base, head, diff }: VersionChange): LinePlace | null => {
  const found = followLine(head, place.new_path, place.new_line);
  if (!found) return null;
  const before = followLine(base, place.old_path, place.old_line);
  const old_path = before?.path ?? diff.to(found.path)?.old_path ?? found.path;
  return { old_path, new_path: found.path, old_line: before?.line ?? null, new_line: found.line };
};

const isShown = (place: LinePlace, diff: DiffChanges): boolean => {
  const file = place.new_line === null ? diff.of(place.old_path) : diff.to(place.new_path);
  return file !== undefined && file.old_path === place.old_path && file.new_path === place.new_path
    && lineAt(file.lines, place) !== undefined;
};

export interface CurrentLine {
  readonly path: string;
  readonly line: number;
  /** The base has the line, and the head does not. */
  readonly isRemoved: boolean;
}

/** Leads from the old side of a diff to the new one. */
export const traceThrough = (changes: DiffChanges): Trace => cachedTrace((path) => {
  const file = changes.of(path);
  if (!file) return sameFiles(path);
  return file.deleted_file ? null : { path: file.new_path, line: (line) => newLineNumber(file.lines, line) };
});

/** Where the line is, even if the new diff does not show it. Null if it is gone, changed or unknown. */
export const currentLine = (
  { old_path, new_path, old_line, new_line }: LinePlace, { base, head, diff }: VersionChange,
): CurrentLine | null => {
  if (new_line !== null) {
    const found = followLine(head, new_path, new_line);
    return found && { ...found, isRemoved: false };
  }
  const found = followLine(base, old_path, old_line);
  if (!found) return null;
  const change = diff.of(found.path);
  const line = change?.deleted_file ? null : newLineNumber(change?.lines ?? [], found.line);
  const path = change?.new_path ?? found.path;
  return line === null ? { path, line: found.line, isRemoved: true } : { path, line, isRemoved: false };
};

export const isSameLine = (
  { kind, oldLine, newLine }: DiffLine, { line, isRemoved }: Pick<CurrentLine, 'line' | 'isRemoved'>,
): boolean => isRemoved ? kind === 'removed' && oldLine === line : kind !== 'removed' && newLine === line;
