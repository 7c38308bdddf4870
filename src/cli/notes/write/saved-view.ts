import * as Type from '@sinclair/typebox';
import type { View } from '../../terminal/output/view.js';
import type { SavedText } from './drafts.js';
import { timeText } from '../views/note.js';

const SavedRecord = Type.Object({
  id: Type.String(), command: Type.String(), ref: Type.String(), at: Type.String(), text: Type.String(),
});
type SavedRecord = Type.Static<typeof SavedRecord>;

export const savedRecord = ({ id, command, ref, at, text }: SavedText): SavedRecord =>
  ({ id, command, ref, at: new Date(at).toISOString(), text });

export const savedTextView: View<SavedRecord> = {
  columns: [
    { name: 'id', cell: ({ id }) => id, tone: () => 'strong' },
    { name: 'command', cell: ({ command }) => command },
    { name: 'ref', cell: ({ ref }) => ref },
    { name: 'at', cell: ({ at }, display) => timeText(at, display), tone: () => 'faint', hideOrder: 1 },
    { name: 'text', cell: ({ text }) => text, minWidth: 20 },
  ],
  id: ({ id }) => id,
  shape: SavedRecord,
  emptyText: 'no saved comments',
};
