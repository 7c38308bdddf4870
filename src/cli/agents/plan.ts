import { createHash } from 'node:crypto';
import { usage } from '../command-line/failure.js';
import type { Command } from './call.js';

/** What `plan` and `admin` are given. */
interface Wanted {
  readonly action: 'appearance' | 'epics';
  readonly document: string;
  readonly ref?: string | undefined;
}

/** Prints the changes as JSON, and makes none. @throws Problem for epics without an epic */
export const planCommand = (wanted: Wanted): Command => wanted.action === 'appearance'
  ? { options: ['appearance', 'diff', '--json'], positionals: ['-'], text: wanted.document }
  : { options: ['epics', 'apply', '--dry-run', '--json'], positionals: [epicOf(wanted), '-'], text: wanted.document };

/** Makes the changes. @throws Problem for epics without an epic */
export const applyCommand = (wanted: Wanted): Command => wanted.action === 'appearance'
  ? { options: ['appearance', 'apply', '--yes', '--json'], positionals: ['-'], text: wanted.document }
  : { options: ['epics', 'apply', '--yes', '--json'], positionals: [epicOf(wanted), '-'], text: wanted.document };

const epicOf = ({ ref }: Wanted): string => {
  if (ref !== undefined) return ref;
  throw usage('epics requires ref', 'pass the epic that the document is about, such as epic/1');
};

/** The same for the same changes of the same document: another state of the service gives another one. */
export const hashOf = ({ action, document, ref = '' }: Wanted, changes: readonly object[]): string =>
  createHash('sha256').update(JSON.stringify([action, document, ref, changes])).digest('hex').slice(0, 32);
