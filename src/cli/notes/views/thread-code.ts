import { isLine } from '../../../diff/trace.js';
import type { DiffLine } from '../../../diff/lines.js';
import type { App } from '../../app.js';
import type { Target } from '../../service/targets/target.js';
import type { PlacedThread } from '../places/placed-thread.js';
import type { DiffFile } from '../position/known-diff.js';
import { rangeStart } from '../position/position.js';
import { fileLinesAt, linesAround, linesBetween, startOfRange, type ShownLine } from './diff.js';

/** The code that a thread is about. */
export interface ThreadCode {
  /** The lines of the older version that the thread is on; empty if it is on the newest one. */
  readonly former: readonly ShownLine[];
  /** The lines of today; empty if the newest diff does not show them. */
  readonly current: readonly ShownLine[];
  /** All known lines of the file in the version that the thread is on. */
  readonly file: readonly DiffLine[];
}

/** The file with a path, before or after the change; the first one if there are several. */
export const fileFinder = (files: readonly DiffFile[]): (path: string) => DiffFile | undefined => {
  const byPath = new Map<string, DiffFile>();
  for (const file of files) {
    for (const path of [file.new_path, file.old_path]) if (!byPath.has(path)) byPath.set(path, file);
  }
  return (path) => byPath.get(path);
};

/** @param fileAt finds files of the newest version @param context lines above and below the commented ones */
export const threadCode = async (
  app: App, target: Target, thread: PlacedThread, { fileAt, context }: {
    readonly fileAt: ReturnType<typeof fileFinder>; readonly context: number;
  },
): Promise<ThreadCode> => {
  const position = thread.notes[0]?.position;
  if (position?.position_type !== 'text') return { former: [], current: [], file: [] };
  const newest = await fileAt(pathOf(thread) ?? '')?.lines() ?? [];
  const current = currentLines(thread, newest, context);
  if (!thread.outdated) return { former: [], current, file: newest };
  const file = await fileLinesAt(app, target, position);
  return { former: linesAround(file, position), current, file };
};

/** Of the newest version, or the one that the position names. */
export const pathOf = ({ notes, current_path }: PlacedThread): string | null =>
  current_path ?? notes[0]?.position?.new_path ?? notes[0]?.position?.old_path ?? null;

const currentLines = (
  { notes, current_line, outdated }: PlacedThread, lines: readonly DiffLine[], context: number,
): readonly ShownLine[] => {
  const position = notes[0]?.position;
  if (position?.position_type !== 'text' || typeof current_line !== 'number') return [];
  const isRemoved = typeof position.new_line !== 'number';
  const end = lines.findIndex((line) => isLine(line, { line: current_line, isRemoved }));
  if (end < 0) return [];
  const start = outdated ? end : startOfRange(lines, rangeStart(position), end);
  return linesBetween(lines, start, end, { above: context, below: context });
};
