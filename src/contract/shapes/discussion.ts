import { Type, type Static } from '@sinclair/typebox';
import { Note } from './note.js';

/** interface.md, Discussion: a thread of notes, oldest first. `id` is 40 hexadecimal characters (wire-facts 4.3.2). */
export const Discussion = Type.Object({
  id: Type.String(),
  individual_note: Type.Boolean(),
  notes: Type.Array(Note),
}, { $id: 'Discussion' });
export type Discussion = Static<typeof Discussion>;
