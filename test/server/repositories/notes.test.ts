import { beforeEach, expect, test } from 'vitest';
import {
  countNotes, countThreads, deleteNote, firstNoteOf, fragmentsOfThreads, insertNote, isThreadResolved, markFirstNote, noteOf, type NoteOrder,
  notesOfNoteable,
  notesOfThreads, threadIds, updateNote, type NewNote,
} from '../../../src/server/repositories/notes.js';
import type { Database } from '../../../src/server/store/database.js';
import { storeWith } from '../../support/own-store.js';

const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string];
const at = (day: number) => `2024-04-0${day}T08:00:00.000Z`;
const world = {
  users: [{ id: 1, username: 'ada', name: 'Ada' }, { id: 2, username: 'bob', name: 'Bob' }],
  projects: [{ path: 'a/b', issues: [
    { discussions: [
      { id: one, notes: [{ id: 11, author: 'bob', created_at: at(2) }, { id: 12, created_at: at(5) }] },
      { id: two, notes: [{ id: 21, created_at: at(1), resolved_by: 'bob' }, { id: 22, created_at: at(3), resolved_by: 'ada' }] },
      { id: three, individual_note: true, notes: [{ id: 31, created_at: at(4) }] },
    ] },
    { discussions: [{ id: one, notes: [{ id: 41, created_at: at(1) }] }] },
  ] }],
};

let database: Database;
beforeEach(async () => { database = await storeWith(world); });

const all = { seesInternal: true };
const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);

test('threads are listed by their first notes, page by page, and counted', async () => {
  expect(await database.read((queries) => threadIds(queries, 1, all, 2, 0))).toEqual([two, one]);
  expect(await database.read((queries) => threadIds(queries, 1, all, 2, 2))).toEqual([three]);
  const counts = [1, 2, 3].map((noteable) => database.read((queries) => countThreads(queries, noteable, all)));
  expect(await Promise.all(counts)).toEqual([3, 1, 0]);
});

test('the notes of threads are oldest first, and those of a thread with the same id elsewhere are not among them', async () => {
  const rows = await database.read((queries) => notesOfThreads(queries, 1, [one, two]));
  expect(idsOf(rows)).toEqual([21, 11, 22, 12]);
  expect(rows[1]).toMatchObject({ author_username: 'bob', author_name: 'Bob', resolver_username: null });
  expect(rows[2]).toMatchObject({ author_username: 'ada', resolver_username: 'ada', resolver_state: 'active' });
  expect(await database.read((queries) => notesOfThreads(queries, 1, []))).toEqual([]);
});

test('their stored JSON comes in the same order', async () => {
  const rows = await database.read((queries) => fragmentsOfThreads(queries, 1, [one, two]));
  expect(idsOf(rows)).toEqual([21, 11, 22, 12]);
  for (const { fragment, dialect } of rows) expect([fragment, dialect]).toEqual([expect.stringContaining('"body":'), expect.stringContaining('document')]);
  expect(await database.read((queries) => fragmentsOfThreads(queries, 1, []))).toEqual([]);
});

const newestFirst: NoteOrder = { by: 'created_at', direction: 'DESC' };

test('a note is found in its own noteable', async () => {
  const [own, other] = await database.read(async (queries) => [await noteOf(queries, 1, 12), await noteOf(queries, 2, 12)]);
  expect([own?.discussion_id, other]).toEqual([one, undefined]);
});

test('all notes of a noteable are listed in any order', async () => {
  const listed = (order: NoteOrder) =>
    database.read(async (queries) => idsOf(await notesOfNoteable(queries, 1, all, 3, 0, order)));
  expect(await listed(newestFirst)).toEqual([12, 31, 22]);
  expect(await listed({ by: 'created_at', direction: 'ASC' })).toEqual([21, 11, 22]);
  await database.write((queries) => updateNote(queries, 21, { updated_at: at(9) }));
  expect(await listed({ by: 'updated_at', direction: 'DESC' })).toEqual([21, 12, 31]);
  expect(await database.read((queries) => countNotes(queries, 1, all))).toBe(5);
});

test('internal notes are left out for those who do not see them', async () => {
  await database.write((queries) => updateNote(queries, 31, { internal: 1 }));
  const counted = (reader: { seesInternal: boolean }) => database.read(async (queries) => [
    idsOf(await notesOfNoteable(queries, 1, reader, 2, 0, newestFirst)), await countNotes(queries, 1, reader),
    await threadIds(queries, 1, reader, 9, 0), await countThreads(queries, 1, reader),
  ]);
  expect(await counted({ seesInternal: false })).toEqual([[12, 22], 4, [two, one], 2]);
  expect(await counted(all)).toEqual([[12, 31], 5, [two, one, three], 3]);
});

test('the first note of a thread is the earliest that remains', async () => {
  const first = () => database.read(async (queries) => (await firstNoteOf(queries, 1, one))?.id);
  expect(await first()).toBe(11);
  await database.write(async (queries) => {
    await deleteNote(queries, 11);
    await markFirstNote(queries, 1, one);
  });
  expect(await first()).toBe(12);
  expect(await database.read((queries) => firstNoteOf(queries, 2, two))).toBeUndefined();
  expect(await database.read((queries) => noteOf(queries, 1, 11))).toBeUndefined();
});

test('a new note has all its columns, and the next id', async () => {
  const note: NewNote = {
    noteable: 2, discussion_id: two, type: 'DiffNote', body: 'text', attachment: null, author_id: 2, created_at: at(6), updated_at: at(7),
    system: 0, internal: 1, commit_id: 'c', position: '{}', resolved_by: 1, resolved_at: at(8),
    suggestions: '[]', fragment: '"body":1', dialect: 'live', starts: 1,
  };
  const id = await database.write((queries) => insertNote(queries, note));
  expect(id).toBeGreaterThan(41);
  expect(await database.read((queries) => noteOf(queries, 2, id))).toEqual({
    ...note, id, system_text: null,
    author_username: 'bob', author_name: 'Bob', author_state: 'active', resolver_username: 'ada', resolver_name: 'Ada', resolver_state: 'active',
  });
});

test('a thread is resolved if all its notes that can be resolved are, and it has some', async () => {
  const isResolved = (thread: string) => database.read((queries) => isThreadResolved(queries, 1, thread));
  expect([await isResolved(one), await isResolved(two), await isResolved(three), await isResolved('0'.repeat(40))]).toEqual([false, true, false, false]);
  await database.write((queries) => updateNote(queries, 22, { resolved_at: null, resolved_by: null }));
  expect(await isResolved(two)).toBe(false);
  await database.write((queries) => updateNote(queries, 22, { system: 1 }));
  expect(await isResolved(two)).toBe(true);
});
