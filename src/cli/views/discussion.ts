import { Discussion } from '../../contract/shapes/note.js';
import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import { showText } from '../io/pager.js';
import { formatOf } from '../output/format.js';
import { recordPrinter } from '../output/record-printer.js';
import { placeFor, type View, type WebPages } from '../output/view.js';
import type { Target } from '../targets/target.js';
import { conversation } from './conversation.js';
import { diffOf, linesAround } from './diff.js';
import { notePage, placeOf, stateOf, stateTone, when } from './parts.js';

/** How threads are shown. On a terminal the id is cut to what names a thread well enough. */
export const discussionView: View<Discussion> = {
  columns: [
    {
      name: 'thread', cell: ({ id }, { isTerminal }) => isTerminal ? id.slice(0, 8) : id,
      tone: () => 'strong', link: ({ notes }, place) => notePage(notes[0]?.id, place),
    },
    { name: 'state', cell: stateOf, tone: (thread) => stateTone(stateOf(thread)) },
    {
      name: 'author', cell: ({ notes }) => notes[0]?.author.username ?? '', least: 8, spare: 4,
      link: ({ notes }) => notes[0]?.author.web_url ?? null,
    },
    {
      name: 'created', cell: ({ notes }, place) => notes[0] ? when(notes[0].created_at, place) : '',
      tone: () => 'faint', spare: 2,
    },
    { name: 'notes', cell: ({ notes }) => String(notes.length), spare: 1 },
    { name: 'place', cell: ({ notes }) => placeOf(notes[0]?.position), least: 12, keeps: 'end', spare: 3 },
    { name: 'text', cell: ({ notes }) => notes[0]?.body ?? '', least: 20 },
  ],
  id: ({ id }) => id,
  shape: Discussion,
  text: conversation,
  none: 'no threads',
};

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
