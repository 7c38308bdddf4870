import { Note } from '../../contract/shapes/note.js';
import type { View } from '../output/view.js';
import { notePage, noteState, placeOf, stateTone, when } from './parts.js';

/** How single notes are shown. */
export const noteView: View<Note> = {
  columns: [
    { name: 'note', cell: ({ id }) => String(id), tone: () => 'strong', link: ({ id }, place) => notePage(id, place) },
    { name: 'state', cell: noteState, tone: (note) => stateTone(noteState(note)) },
    {
      name: 'author', cell: ({ author }) => author.username, link: ({ author }) => author.web_url,
      least: 8, spare: 3,
    },
    {
      name: 'created', cell: ({ created_at }, place) => when(created_at, place),
      tone: () => 'faint', spare: 1,
    },
    { name: 'place', cell: ({ position }) => placeOf(position), least: 12, keeps: 'end', spare: 2 },
    { name: 'text', cell: ({ body }) => body, least: 20 },
  ],
  id: ({ id }) => String(id),
  shape: Note,
  none: 'no notes',
};
