import { basename } from 'node:path';
import type { DraftFolder } from './drafts.js';

/** A request that changes something, with what is known of it. */
export interface Change {
  /** `METHOD /path`. */
  readonly request: string;
  /** `open` until it is known whether the service carried it out; refusals leave the journal. */
  outcome: 'open' | 'done';
}

/** What one run of the program has written down and sent. Filled as it goes, so that an interruption can be told. */
export interface Journal {
  /** Where the text lies that is not delivered yet. */
  draft: string | null;
  /** Whether a text is being sent that lies nowhere else. */
  isTextUnsaved: boolean;
  /** In the order in which they were sent. */
  readonly changes: Change[];
}

export const newJournal = (): Journal => ({ draft: null, isTextUnsaved: false, changes: [] });

/** What a run that was cut short has done to the service: one line. */
export const whatWasDone = ({ changes }: Journal): string => {
  const open = changes.filter(({ outcome }) => outcome === 'open').map(({ request }) => request);
  const done = changes.length - open.length;
  if (changes.length === 0) return 'nothing was changed';
  const before = done === 0 ? '' : done === 1 ? 'one change was made' : `${done} changes were made`;
  if (open.length === 0) return before;
  const after = `${open.join(', ')} was sent and not answered, it may have been stored: look before sending it again`;
  return before === '' ? after : `${before}; ${after}`;
};

/**
 * Where a text lies that was not delivered, and how it comes back: one line. --recover looks into the folder of drafts
 * alone, and a text may lie elsewhere where that takes nothing.
 */
export const keptAt = ({ pathOf }: Pick<DraftFolder, 'pathOf'>, path: string): string => pathOf(basename(path)) === path
  ? `the text is kept; --recover in its place brings it back (${path})` : `the text is kept; -F sends it (${path})`;
