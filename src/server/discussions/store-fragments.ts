import type { Dialect } from '../dialect.js';
import { noteableColumns, type NoteableRow } from '../records/noteables.js';
import { notesOfNoteable, updateNote } from '../records/notes.js';
import { fragmentOf, peopleOf } from '../render/note.js';
import type { Queries } from '../store/database.js';

/** Stores the JSON of every note, after a world was written. */
export const storeFragments = async (queries: Queries, dialect: Dialect): Promise<void> => {
  const noteables = await queries.all<NoteableRow>(
    `SELECT ${noteableColumns} FROM noteables WHERE id IN (SELECT noteable FROM notes)`);
  for (const noteable of noteables) {
    for (const note of await notesOfNoteable(queries, noteable.id, Number.MAX_SAFE_INTEGER, 0)) {
      const fragment = fragmentOf(noteable, note, peopleOf(note), dialect);
      await updateNote(queries, note.id, { fragment, dialect });
    }
  }
};
