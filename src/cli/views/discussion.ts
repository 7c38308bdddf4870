import { Discussion } from '../../contract/shapes/discussion.js';
import { when } from '../output/age.js';
import type { View } from '../output/view.js';
import { conversation } from './conversation.js';
import { notePage } from './links.js';
import { placeOf } from './place.js';
import { stateOf, stateTone } from './state.js';

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
