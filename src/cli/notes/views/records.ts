import { Epic, LinkedEpic } from '../../../contract/epics.js';
import { Note } from '../../../contract/shapes/note.js';
import type { EpicNames } from '../../epics/names.js';
import type { View } from '../../terminal/output/view.js';
import { positionText } from '../position/position.js';
import { agentNote } from './agent.js';
import { firstLine, notePage, noteState, noteText, stateTone, timeText, shownText } from './cells.js';

export const noteView: View<Note> = {
  columns: [
    {
      name: 'note', cell: ({ id }) => String(id),
      tone: () => 'strong', link: ({ id }, display) => notePage(id, display),
    },
    { name: 'state', cell: noteState, tone: (note) => stateTone(noteState(note)) },
    {
      name: 'author', cell: ({ author }) => author.username, link: ({ author }) => author.web_url,
      minWidth: 8, hideOrder: 3,
    },
    {
      name: 'created', cell: ({ created_at }, display) => timeText(created_at, display),
      tone: () => 'faint', hideOrder: 1,
    },
    { name: 'place', cell: ({ position }) => positionText(position), minWidth: 12, keep: 'end', hideOrder: 2 },
    { name: 'text', cell: noteText, minWidth: 20 },
  ],
  moreColumns: [{ name: 'first_line', cell: ({ body }) => firstLine(shownText(body)) }],
  id: ({ id }) => String(id),
  shape: Note,
  emptyText: 'no notes',
};

/** With the address of each note. */
export const listedNoteView: View<Note> = {
  ...noteView, ownFormats: { agent: agentNote },
  moreColumns: [...noteView.moreColumns!, { name: 'url', cell: ({ id }, display) => notePage(id, display) ?? '' }],
};

/** @param names that know the epics before they are printed */
export const epicView = ({ refOf, pathOf }: EpicNames): View<Epic> => ({
  columns: [
    { name: 'epic', cell: refOf, tone: () => 'strong', link: ({ web_url }) => web_url ?? null },
    { name: 'id', cell: ({ id }) => String(id) },
    { name: 'group', cell: (epic) => pathOf(epic) ?? String(epic.group_id), hideOrder: 1 },
    { name: 'start', cell: ({ start_date }) => start_date ?? '', hideOrder: 2 },
    { name: 'due', cell: ({ due_date }) => due_date ?? '', hideOrder: 3 },
    { name: 'title', cell: ({ title }) => title, minWidth: 20 },
  ],
  id: ({ id }) => String(id),
  shape: Epic,
  emptyText: 'no child epics',
});

export const linkedEpicView: View<LinkedEpic> = {
  columns: [
    { name: 'epic', cell: ({ reference }) => reference, tone: () => 'strong', link: ({ url }) => url },
    { name: 'id', cell: ({ id }) => String(id) },
    { name: 'title', cell: ({ title }) => title, minWidth: 20 },
    { name: 'url', cell: ({ url }) => url },
  ],
  id: ({ id }) => String(id),
  shape: LinkedEpic,
  emptyText: 'no epics',
};
