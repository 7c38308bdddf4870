import * as Type from '@sinclair/typebox';
import type { View } from '../../terminal/output/view.js';
import type { Suggested } from '../suggestions/suggested.js';

/** What programs get of a suggestion. */
interface SuggestionRecord {
  readonly thread: string;
  readonly note: number;
  readonly author: string;
  readonly path: string;
  readonly from_line: number;
  readonly to_line: number;
  readonly text: string;
}

export const suggestionRecord = (
  { thread, note, author, path, from_line, to_line, text }: Suggested,
): SuggestionRecord => ({ thread, note, author: author.username, path, from_line, to_line, text });

const Shape = Type.Object({
  thread: Type.String(), note: Type.Integer(), author: Type.String(), path: Type.String(), from_line: Type.Integer(),
  to_line: Type.Integer(), text: Type.String(),
});

export const suggestionView: View<SuggestionRecord> = {
  columns: [
    {
      name: 'thread', cell: ({ thread }, { isTerminal }) => isTerminal ? thread.slice(0, 8) : thread,
      tone: () => 'strong',
    },
    { name: 'author', cell: ({ author }) => author, minWidth: 8, hideOrder: 1 },
    {
      name: 'lines', cell: ({ path, from_line, to_line }) => `${path}:${from_line}-${to_line}`, minWidth: 12,
      keep: 'end',
    },
    { name: 'text', cell: ({ text }) => text, minWidth: 20 },
  ],
  id: ({ thread }) => thread,
  shape: Shape,
  emptyText: 'no suggestions',
};
