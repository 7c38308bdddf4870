import type { Discussion } from '../../contract/shapes/discussion.js';
import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import type { Target } from '../refs/target.js';
import { showText } from '../terminal/pager.js';
import { conversation } from './conversation.js';
import { diffOf } from './diff-of.js';
import { discussionView } from './discussion.js';
import { linesAround } from './hunk.js';
import { formatOf } from '../output/format.js';
import { recordPrinter } from '../output/record-printer.js';
import { placeFor, type WebPages } from '../output/view.js';

/** Prints a thread; `web` leads to the pages behind its links. */
export type PrintThread = (thread: Discussion, target: Target, web: WebPages | null) => Promise<void>;

/**
 * Prints a thread to be read: as a conversation with the lines of the diff it is about, in a pipe too unless a format
 * is asked for by name.
 * @throws Problem for a format or field that can't be had, before anything is asked for
 */
export const threadPrinter = (app: App, flags: GlobalFlags): PrintThread => {
  const printRecord = recordPrinter(app, flags, discussionView);
  const isRead = formatOf(flags) === 'table' && (app.out.isTerminal || flags.output === undefined);
  return async (thread, target, web) => {
    if (!isRead) return printRecord(thread);
    const position = thread.notes[0]?.position;
    const diff = position ? await diffOf(app, target, position) : null;
    const lines = position && diff !== null ? linesAround(diff, position) : [];
    await showText(app, await conversation(thread, placeFor(app, web), lines));
  };
};
