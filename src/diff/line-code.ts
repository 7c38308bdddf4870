import { createHash } from 'node:crypto';
import type { DiffLine } from './lines.js';

/**
 * The service's name for a line of a diff: SHA-1 of the file's path and the two running counters (wire-facts 4.10.5).
 * @param path the path after the change, or before it where the file is deleted
 */
export const lineCode = (path: string, { oldLine, newLine }: Pick<DiffLine, 'oldLine' | 'newLine'>): string =>
  `${createHash('sha1').update(path).digest('hex')}_${oldLine}_${newLine}`;
