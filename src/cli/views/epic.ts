import { Epic, LinkedEpic } from '../../contract/shapes/epic.js';
import type { View } from '../output/view.js';

/** How child epics are shown. */
export const epicView: View<Epic> = {
  columns: [
    { name: 'epic', cell: ({ iid }) => `&${iid}`, tone: () => 'strong', link: ({ web_url }) => web_url ?? null },
    { name: 'id', cell: ({ id }) => String(id) },
    { name: 'group', cell: ({ group_id }) => String(group_id), spare: 1 },
    { name: 'start', cell: ({ start_date }) => start_date ?? '', spare: 2 },
    { name: 'due', cell: ({ due_date }) => due_date ?? '', spare: 3 },
    { name: 'title', cell: ({ title }) => title, least: 20 },
  ],
  id: ({ id }) => String(id),
  shape: Epic,
  none: 'no child epics',
};

/** How an epic that was just created is shown. */
export const linkedEpicView: View<LinkedEpic> = {
  columns: [
    { name: 'epic', cell: ({ reference }) => reference, tone: () => 'strong', link: ({ url }) => url },
    { name: 'id', cell: ({ id }) => String(id) },
    { name: 'title', cell: ({ title }) => title, least: 20 },
    { name: 'url', cell: ({ url }) => url },
  ],
  id: ({ id }) => String(id),
  shape: LinkedEpic,
  none: 'no epics',
};
