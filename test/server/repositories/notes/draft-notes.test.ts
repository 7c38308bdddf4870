import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  removeDraftNote, draftNoteOf, draftNotesOf, hasDraftReply, insertDraftNote, updateDraftNote,
} from '../../../../src/server/repositories/notes.js';
import type { Database } from '../../../../src/server/store/database.js';
import { openDatabase } from '../../../../src/server/store/open.js';

let database: Database;
beforeEach(async () => { database = await openDatabase(); });
afterEach(() => database.close());

const draft = {
  noteable: 1, author_id: 2, discussion_id: 'a', note: 'text', commit_id: null, line_code: null, position: null, resolve_discussion: 0,
};

it('draft notes are those of one author on one noteable, in order', () => database.write(async (queries) => {
  const first = await insertDraftNote(queries, draft);
  const second = await insertDraftNote(queries, { ...draft, discussion_id: null });
  for (const other of [{ author_id: 3 }, { noteable: 4 }]) await insertDraftNote(queries, { ...draft, ...other });
  expect((await draftNotesOf(queries, 1, 2)).map(({ id }) => id)).toEqual([first, second]);
  expect(await draftNoteOf(queries, 1, 2, first)).toEqual({ ...draft, id: first });
  expect(await draftNoteOf(queries, 1, 3, first)).toBeUndefined();
  expect([await hasDraftReply(queries, 1, 2, 'a'), await hasDraftReply(queries, 1, 2, 'b')]).toEqual([true, false]);
  await updateDraftNote(queries, { ...draft, id: first, note: 'other', position: '{}' });
  expect(await draftNoteOf(queries, 1, 2, first)).toMatchObject({ note: 'other', position: '{}' });
  await removeDraftNote(queries, first);
  expect((await draftNotesOf(queries, 1, 2)).map(({ id }) => id)).toEqual([second]);
}));
