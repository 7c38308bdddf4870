import type { Position, PositionInput } from '../../../contract/shapes/position.js';

/** `src/a.ts:12`, `src/a.ts:12 (old)` or `logo.png at 10,20`. */
export const positionText = (position: Position | PositionInput | null | undefined): string => {
  if (!position) return '';
  const path = position.new_path ?? position.old_path ?? '';
  if (position.position_type === 'image') return `${path} at ${position.x ?? '?'},${position.y ?? '?'}`;
  if (position.position_type === 'file') return path;
  return typeof position.new_line === 'number' ? `${path}:${position.new_line}`
    : typeof position.old_line === 'number' ? `${position.old_path ?? path}:${position.old_line} (old)` : path;
};
