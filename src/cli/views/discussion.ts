import { Discussion } from '../../contract/shapes/discussion.js';
import { when } from '../output/age.js';
import type { View } from '../output/view.js';
import { conversation } from './conversation.js';
import { placeOf } from './place.js';

/** Whether a thread is open, resolved, or neither because it can't be resolved. */
export const stateOf = ({ notes }: Discussion): 'open' | 'resolved' | '' => {
  const resolvable = notes.filter((note) => note.resolvable && note.resolved !== undefined);
  if (resolvable.length === 0) return '';
  return resolvable.every((note) => note.resolved) ? 'resolved' : 'open';
};

/** How threads are shown. On a terminal the id is cut to what names a thread well enough. */
export const discussionView: View<Discussion> = {
  columns: [
    { name: 'thread', cell: ({ id }, { isTerminal }) => isTerminal ? id.slice(0, 8) : id },
    { name: 'state', cell: stateOf },
    { name: 'author', cell: ({ notes }) => notes[0]?.author.username ?? '' },
    { name: 'created', cell: ({ notes }, place) => notes[0] ? when(notes[0].created_at, place) : '' },
    { name: 'notes', cell: ({ notes }) => String(notes.length) },
    { name: 'place', cell: ({ notes }) => placeOf(notes[0]?.position) },
    { name: 'text', cell: ({ notes }) => notes[0]?.body ?? '' },
  ],
  id: ({ id }) => id,
  shape: Discussion,
  text: conversation,
  none: 'no threads',
};
