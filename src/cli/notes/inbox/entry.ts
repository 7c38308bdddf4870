import * as Type from '@sinclair/typebox';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import { mentionsIn } from '../../../markdown/prose.js';
import { visibleText } from '../../../wire/note-text.js';
import type { View } from '../../terminal/output/view.js';
import { type Owner, waitsFor } from '../filters/people.js';
import { threadState } from '../views/note.js';

export const InboxEntry = Type.Object({
  ref: Type.String(), url: Type.String(), title: Type.String(),
  open: Type.Integer({ description: 'unresolved threads' }),
  waiting: Type.Integer({ description: 'threads that you wrote in and where somebody else has the last word' }),
  mentions: Type.Integer({ description: 'notes of others that mention you' }),
  new: Type.Integer({ description: 'notes of others since you last looked' }),
});
export type InboxEntry = Type.Static<typeof InboxEntry>;

export interface Waiting extends Pick<InboxEntry, 'open' | 'waiting' | 'mentions' | 'new'> {
  /** When the first of the threads began to wait, in milliseconds since 1970. */
  readonly since: number | null;
}

export const waitingFor = (owner: Owner, threads: readonly Discussion[], isNew: (note: Note) => boolean): Waiting => {
  const isTheirs = ({ author }: Note) => author.id === owner.id;
  const waiting = threads.filter(waitsFor(({ id }) => id === owner.id));
  const others = threads.flatMap(({ notes }) => notes.filter((note) => !note.system && !isTheirs(note)));
  const name = owner.username.toLowerCase();
  const starts = waiting.map(({ notes }) => waitsSince(notes.filter(({ system }) => !system), isTheirs));
  return {
    open: threads.filter((thread) => threadState(thread) === 'open').length,
    waiting: waiting.length,
    mentions: others.filter(({ body }) => mentionsIn(visibleText(body)).has(name)).length,
    new: others.filter(isNew).length,
    since: starts.length === 0 ? null : Math.min(...starts),
  };
};

const waitsSince = (notes: readonly Note[], isTheirs: (note: Note) => boolean): number =>
  Date.parse(notes[notes.findLastIndex(isTheirs) + 1]!.created_at);

const count = (name: 'open' | 'waiting' | 'mentions' | 'new', hideOrder?: number) => ({
  name, cell: (entry: InboxEntry, { isTerminal }: { readonly isTerminal: boolean }) =>
    isTerminal && entry[name] === 0 ? '' : String(entry[name]),
  ...hideOrder !== undefined && { hideOrder },
});

export const inboxView: View<InboxEntry> = {
  columns: [
    { name: 'ref', cell: ({ ref }) => ref, tone: () => 'strong', link: ({ url }) => url, minWidth: 12, keep: 'end' },
    count('open', 2), count('waiting'), count('mentions', 1), count('new'),
    { name: 'title', cell: ({ title }) => title, minWidth: 16 },
  ],
  id: ({ ref }) => ref,
  shape: InboxEntry,
  emptyText: 'no open merge requests',
};
