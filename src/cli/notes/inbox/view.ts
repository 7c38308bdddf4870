import type { View } from '../../terminal/output/view.js';
import { InboxEntry } from './entry.js';

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
