import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/server/store/open.js';
import type { World, WorldDiscussion } from '../../../src/server/world-file/schema.js';
import { seedDatabase } from '../../../src/server/world-file/seed.js';
import { isEmpty } from '../../../src/server/world-file/fill.js';
import { rowsOf, seededAt } from '../../support/seeded-rows.js';
import { hexInOrder } from './hex.js';

const withThreads = (...discussions: WorldDiscussion[]): World =>
  ({ users: [{ username: 'ada' }, { username: 'bob' }], projects: [{ path: 'a/b', issues: [{ discussions }] }] });
const notes = 'SELECT id, discussion_id, type, body, created_at FROM notes ORDER BY id';

test('times that a world leaves out lie before now, in the order of the file', async () => {
  const rows = await rowsOf(withThreads({ notes: [{}, {}] }, { notes: [{}] }), notes);
  const times = rows.map((row) => String(row['created_at']));
  expect(times).toEqual([...times].sort());
  expect(new Set(times).size).toBe(3);
  expect(times.at(-1)! < seededAt.toISOString()).toBe(true);
});

test('a reply without a time to the last moment there is comes at that moment, after its note', async () => {
  const world = withThreads({ notes: [{ created_at: '9999-12-31T23:59:59.999Z' }, {}] }, { notes: [{}] });
  expect((await rowsOf(world, notes)).map((row) => row['created_at'])).toEqual(Array(3).fill('9999-12-31T23:59:59.999Z'));
});

test('the time of a webhook is stored in UTC, as all others are', async () => {
  const hooks = [{ url: 'http://127.0.0.1/', created_at: '2024-01-01T00:00:00+02:00' }];
  expect(await rowsOf({ projects: [{ path: 'a/b', hooks }] }, 'SELECT created_at FROM hooks')).toEqual([
    { created_at: '2023-12-31T22:00:00.000Z' },
  ]);
});

test('given settings are stored, others have their defaults', async () => {
  expect(await rowsOf({ settings: { epics: false, nested_epics: true } },
    `SELECT name, value FROM meta WHERE name LIKE 'setting.%' ORDER BY name`)).toEqual([
    { name: 'setting.epics', value: '0' }, { name: 'setting.nested_epics', value: '1' },
  ]);
});

test('a world is written whole or not at all', async () => {
  const database = await openDatabase();
  const failing = () => { throw new Error('no more'); };
  await expect(seedDatabase(database, withThreads({}), { now: seededAt, hex: failing, dialect: 'document' })).rejects.toThrow('no more');
  expect(await database.read(isEmpty)).toBe(true);
  await seedDatabase(database, withThreads({}), { now: seededAt, hex: hexInOrder(), dialect: 'document' });
  expect(await database.read(isEmpty)).toBe(false);
  await database.close();
});
