import { createHash } from 'node:crypto';
import type { DiffLine } from './lines.js';

/**
 * SHA-1 of the path and both line counters (behavior: positions.line-code). @param path after the change, or before a
 * deletion
 */
export const lineCode = (path: string, { oldLine, newLine }: Pick<DiffLine, 'oldLine' | 'newLine'>): string =>
  `${createHash('sha1').update(path).digest('hex')}_${oldLine}_${newLine}`;
