import { Note } from '../../contract/shapes/note.js';
import { when } from '../output/age.js';
import type { View } from '../output/view.js';
import { placeOf } from './place.js';

const state = ({ resolvable, resolved }: Note): string =>
  !resolvable || resolved === undefined ? '' : resolved ? 'resolved' : 'open';

/** How single notes are shown. */
export const noteView: View<Note> = {
  columns: [
    { name: 'note', cell: ({ id }) => String(id) },
    { name: 'state', cell: state },
    { name: 'author', cell: ({ author }) => author.username },
    { name: 'created', cell: ({ created_at }, place) => when(created_at, place) },
    { name: 'place', cell: ({ position }) => placeOf(position) },
    { name: 'text', cell: ({ body }) => body },
  ],
  id: ({ id }) => String(id),
  shape: Note,
  none: 'no notes',
};
