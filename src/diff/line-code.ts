import { createHash } from 'node:crypto';
import type { DiffLine } from './lines.js';

/**
 * The line code of a diff line: SHA-1 of the file's path and the two line counters (wire-facts 4.10.5).
 * @param path the path after the change, or before it for a deleted file
 */
export const lineCode = (path: string, { oldLine, newLine }: Pick<DiffLine, 'oldLine' | 'newLine'>): string =>
  `${createHash('sha1').update(path).digest('hex')}_${oldLine}_${newLine}`;
