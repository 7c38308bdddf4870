import type { Position } from '../../contract/shapes/position.js';

/**
 * Where a diff note stands, for people: `src/a.ts:12`, `logo.png at 10,20`; a line that only the old side has is
 * marked.
 */
export const placeOf = (position: Position | null | undefined): string => {
  if (!position) return '';
  const path = position.new_path ?? position.old_path ?? '';
  if (position.position_type === 'image') return `${path} at ${position.x ?? '?'},${position.y ?? '?'}`;
  if (position.position_type === 'file') return path;
  return typeof position.new_line === 'number' ? `${path}:${position.new_line}`
    : typeof position.old_line === 'number' ? `${position.old_path ?? path}:${position.old_line} (old)` : path;
};
