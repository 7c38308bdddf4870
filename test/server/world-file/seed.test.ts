import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Row } from '../../../src/server/store/database.js';
import { openDatabase } from '../../../src/server/store/open.js';
import type { World, WorldDiscussion } from '../../../src/server/world-file/schema.js';
import { seedDatabase } from '../../../src/server/world-file/seed.js';
import { isEmpty } from '../../../src/server/world-file/served.js';
import { hexInOrder } from './hex.js';

const now = new Date('2024-06-01T12:00:00Z');

/** The rows that a query gives of a store with a world in it. */
const rowsOf = async (world: World, sql: string): Promise<Row[]> => {
  const database = await openDatabase();
  await seedDatabase(database, world, { now, hex: hexInOrder(), dialect: 'document' });
  const rows = await database.read((queries) => queries.all(sql));
  await database.close();
  return rows;
};

const sha = (digit: string) => digit.repeat(40);
const withThreads = (...discussions: WorldDiscussion[]): World =>
  ({ users: [{ username: 'ada' }, { username: 'bob' }], projects: [{ path: 'a/b', issues: [{ discussions }] }] });
const notes = 'SELECT id, discussion_id, type, body, created_at FROM notes ORDER BY id';

test('missing values are generated in file order', async () => {
  const issues = [{}, { iid: 5, title: 'Named' }, {}];
  const rows = await rowsOf({ projects: [{ issues }, { issues: [{}] }] },
    'SELECT project_id, iid, global_id, title, state FROM noteables ORDER BY id');
  expect(rows).toEqual([
    { project_id: 1, iid: 1, global_id: 1, title: 'Issue 1', state: 'opened' },
    { project_id: 1, iid: 5, global_id: 2, title: 'Named', state: 'opened' },
    { project_id: 1, iid: 6, global_id: 3, title: 'Issue 6', state: 'opened' },
    { project_id: 2, iid: 1, global_id: 4, title: 'Issue 1', state: 'opened' },
  ]);
});

test('a world without users gets an administrator with a token', async () => {
  const digest = createHash('sha256').update('root-token').digest('hex');
  expect(await rowsOf({}, 'SELECT username, admin, state, digest, scopes FROM users JOIN tokens ON user_id = id')).toEqual([
    { username: 'root', admin: 1, state: 'active', digest, scopes: 'api' },
  ]);
});

test('tokens are stored as digests with scopes, expiry and revocation', async () => {
  const tokens = [
    { token: 'b', scopes: ['read_api' as const, 'sudo' as const], expires_at: '2024-07-01', revoked: true },
    { digest: 'f'.repeat(64) },
  ];
  const rows = await rowsOf({ users: [{ username: 'ada', token: 'a', tokens }] }, 'SELECT * FROM tokens ORDER BY rowid');
  const digestOf = (token: string) => createHash('sha256').update(token).digest('hex');
  expect(rows).toEqual([
    { digest: digestOf('a'), user_id: 1, scopes: 'api', expires_at: null, revoked: 0 },
    { digest: digestOf('b'), user_id: 1, scopes: 'read_api sudo', expires_at: '2024-07-01T00:00:00.000Z', revoked: 1 },
    { digest: 'f'.repeat(64), user_id: 1, scopes: 'api', expires_at: null, revoked: 0 },
  ]);
});

test('members are stored by path with the level of their role', async () => {
  const users = [{ username: 'ada' }, { username: 'bob' }];
  const rows = await rowsOf({
    users, groups: [{ path: 'a', members: { ada: 'owner', bob: 'guest' } }],
    projects: [{ path: 'a/b', members: { bob: 'maintainer' } }],
  }, 'SELECT * FROM members ORDER BY path, user_id');
  expect(rows).toEqual([
    { path: 'a', user_id: 1, level: 50 }, { path: 'a', user_id: 2, level: 10 }, { path: 'a/b', user_id: 2, level: 40 },
  ]);
});

test('times that a world leaves out lie before now, in the order of the file', async () => {
  const rows = await rowsOf(withThreads({ notes: [{}, {}] }, { notes: [{}] }), notes);
  const times = rows.map((row) => String(row['created_at']));
  expect(times).toEqual([...times].sort());
  expect(new Set(times).size).toBe(3);
  expect(times.at(-1)! < now.toISOString()).toBe(true);
});

test('a reply without a time comes after the note it follows, and a thread after the one before it', async () => {
  const world = withThreads({ notes: [{ created_at: '2030-01-01T00:00:00+01:00' }, {}] }, { notes: [{}] });
  expect((await rowsOf(world, notes)).map((row) => row['created_at'])).toEqual([
    '2029-12-31T23:00:00.000Z', '2029-12-31T23:00:01.000Z', '2029-12-31T23:00:01.000Z',
  ]);
});

test('a reply without a time to the last moment there is comes at that moment, after its note', async () => {
  const world = withThreads({ notes: [{ created_at: '9999-12-31T23:59:59.999Z' }, {}] }, { notes: [{}] });
  expect((await rowsOf(world, notes)).map((row) => row['created_at'])).toEqual(Array(3).fill('9999-12-31T23:59:59.999Z'));
});

test('threads stand by their earliest note, whatever the order in the file', async () => {
  const world = withThreads(
    { id: sha('b'), notes: [{ created_at: '2024-03-03' }, { created_at: '2024-01-01' }] },
    { id: sha('a'), notes: [{ created_at: '2024-02-02' }] },
  );
  expect(await rowsOf(world, 'SELECT discussion_id, id FROM notes WHERE starts = 1 ORDER BY created_at')).toEqual([
    { discussion_id: sha('b'), id: 2 },
    { discussion_id: sha('a'), id: 3 },
  ]);
});

test('individual notes and system notes without replies have no type, notes of threads have one', async () => {
  const world = withThreads(
    { individual_note: true, notes: [{}] }, { notes: [{ system: true }] }, { notes: [{ system: true }, {}] }, {},
    { individual_note: false, notes: [{ system: true }] },
  );
  expect((await rowsOf(world, notes)).map((row) => row['type'])).toEqual(
    [null, null, 'DiscussionNote', 'DiscussionNote', 'DiscussionNote', 'DiscussionNote']);
});

test('a position is completed and copied to every note of its thread', async () => {
  const refs = { base_sha: sha('a'), start_sha: sha('b'), head_sha: sha('c') };
  const [first, reply] = await rowsOf({
    projects: [{ merge_requests: [{ ...refs, discussions: [{ notes: [{ position: { new_path: 'a.ts', new_line: 3 } }, {}] }] }] }],
  }, 'SELECT type, position FROM notes');
  expect(first!['type']).toBe('DiffNote');
  expect(JSON.parse(String(first!['position']))).toEqual({
    ...refs, old_path: 'a.ts', new_path: 'a.ts', position_type: 'text', old_line: null, new_line: 3, line_range: null,
  });
  expect(reply).toEqual(first);
});

test('a position on a commit is relative to its parent, and an image position has no lines', async () => {
  const position = { new_path: 'a.png', position_type: 'image' as const, x: 1, y: 2, width: 3, height: 4 };
  const [row] = await rowsOf({
    projects: [{ commits: [{ sha: sha('c'), parent_sha: sha('a'), discussions: [{ notes: [{ position }] }] }] }],
  }, 'SELECT position FROM notes');
  expect(JSON.parse(String(row!['position']))).toEqual({
    ...position, base_sha: sha('a'), start_sha: sha('a'), head_sha: sha('c'), old_path: 'a.png',
  });
});

test('the resolver and the time of resolving are stored; the default time is that of the last change', async () => {
  const world = withThreads({
    notes: [
      { resolved_by: 'bob', created_at: '2024-01-01', updated_at: '2024-01-02' },
      { resolved_by: 'ada', resolved_at: '2024-01-03' }, {},
    ],
  });
  expect(await rowsOf(world, 'SELECT resolved_by, resolved_at FROM notes ORDER BY id')).toEqual([
    { resolved_by: 2, resolved_at: '2024-01-02T00:00:00.000Z' }, { resolved_by: 1, resolved_at: '2024-01-03T00:00:00.000Z' },
    { resolved_by: null, resolved_at: null },
  ]);
});

test('epics stand in the order of the file with room between them, or where they say', async () => {
  const rows = await rowsOf({ groups: [{ epics: [{ id: 9 }, { id: 8, parent: 9, position: -5 }, { id: 7, labels: ['b', 'a'] }] }] },
    'SELECT global_id, parent, position, labels FROM epics JOIN noteables ON noteables.id = noteable ORDER BY noteable');
  expect(rows).toEqual([
    { global_id: 9, parent: null, position: 2 ** 20, labels: '[]' },
    { global_id: 8, parent: 9, position: -5, labels: '[]' },
    { global_id: 7, parent: null, position: 3 * 2 ** 20, labels: '["b","a"]' },
  ]);
});

test('a fixed date is the one shown, unless another is', async () => {
  const epics = [
    { start_date_fixed: '2024-01-01' }, { start_date: '2024-01-02' },
    { start_date: '2024-01-03', start_date_fixed: '2024-01-04', start_date_is_fixed: false },
  ];
  expect(await rowsOf({ groups: [{ epics }] }, 'SELECT start_date, start_date_fixed, start_date_is_fixed FROM epics')).toEqual([
    { start_date: '2024-01-01', start_date_fixed: '2024-01-01', start_date_is_fixed: 1 },
    { start_date: '2024-01-02', start_date_fixed: null, start_date_is_fixed: 0 },
    { start_date: '2024-01-03', start_date_fixed: '2024-01-04', start_date_is_fixed: 0 },
  ]);
});

test('images are stored as bytes under a safe name, and the appearance has their paths', async () => {
  const appearance = {
    title: 'T', email_header_and_footer_enabled: true, logo: { file_name: 'my logo(1).PNG', content: 'AAEC' },
  };
  expect(await rowsOf({ appearance }, 'SELECT * FROM appearance ORDER BY name')).toEqual([
    { name: 'email_header_and_footer_enabled', value: '1' },
    { name: 'logo', value: '/uploads/-/system/appearance/logo/1/my_logo_1_.PNG' },
    { name: 'title', value: 'T' },
  ]);
  expect(await rowsOf({ appearance }, 'SELECT * FROM uploads')).toEqual([
    { mount: 'logo', file_name: 'my_logo_1_.PNG', media_type: 'image/png', content: Uint8Array.of(0, 1, 2) },
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
  await expect(seedDatabase(database, withThreads({}), { now, hex: failing, dialect: 'document' })).rejects.toThrow('no more');
  expect(await database.read(isEmpty)).toBe(true);
  await seedDatabase(database, withThreads({}), { now, hex: hexInOrder(), dialect: 'document' });
  expect(await database.read(isEmpty)).toBe(false);
  await database.close();
});
