import type { Position, PositionInput, TextPosition } from '../../../contract/shapes/position.js';

/** `src/a.ts:12`, `src/a.ts:12-15`, `src/a.ts:12 (old)` or `logo.png at 10,20`. */
export const positionText = (position: Position | PositionInput | null | undefined): string => {
  if (!position) return '';
  const path = position.new_path ?? position.old_path ?? '';
  if (position.position_type === 'image') return `${path} at ${position.x ?? '?'},${position.y ?? '?'}`;
  if (position.position_type === 'file') return path;
  const start = rangeStart(position);
  return typeof position.new_line === 'number' ? `${path}:${rangeText(start?.newLine, position.new_line)}`
    : typeof position.old_line === 'number'
      ? `${position.old_path ?? path}:${rangeText(start?.oldLine, position.old_line)} (old)` : path;
};

const rangeText = (start: number | null | undefined, end: number): string =>
  start === null || start === undefined || start >= end ? `${end}` : `${start}-${end}`;

interface RangeStart { readonly oldLine: number | null; readonly newLine: number | null }

/**
 * Both counters of the first line; null for a position without a range. A line code ends in them (behavior:
 * positions.line-code).
 */
export const rangeStart = (
  { line_range }: { readonly line_range?: TextPosition['line_range'] | undefined },
): RangeStart | null => {
  const start = line_range?.start;
  if (!start) return null;
  const [, oldLine, newLine] = /_(\d+)_(\d+)$/.exec(start.line_code ?? '') ?? [];
  return oldLine === undefined ? { oldLine: start.old_line ?? null, newLine: start.new_line ?? null }
    : { oldLine: Number(oldLine), newLine: Number(newLine) };
};

type FileKey = 'base_sha' | 'start_sha' | 'head_sha' | 'old_path' | 'new_path';

/** The position of the whole file that a position is on. */
export const positionOnFile = (
  { base_sha, start_sha, head_sha, old_path = null, new_path = null }: Pick<PositionInput, FileKey>,
): PositionInput => ({ base_sha, start_sha, head_sha, position_type: 'file', old_path, new_path });
