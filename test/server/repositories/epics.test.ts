import { expect, test } from 'vitest';
import { epicDepth } from '../../../src/contract/conventions.js';
import {
  ancestorsOf, childrenOf, clearParent, epicById, epicByIid, epicsByKey, heightOf, insertEpic, setParent, setPosition,
} from '../../../src/server/repositories/epics.js';
import type { Database } from '../../../src/server/store/database.js';
import type { World, WorldEpic } from '../../../src/server/world-file/schema.js';
import { storeWith } from '../../support/own-store.js';

const now = '2030-01-01T00:00:00.000Z';
const worldOf = (epics: WorldEpic[]): World => ({ groups: [{ id: 10, path: 'a', epics }, { id: 11, path: 'a/b', epics: [{ id: 90, iid: 1 }] }] });

/** An epic for each id, each the parent of the next one. */
const line = (count: number): WorldEpic[] => Array.from({ length: count }, (_, i) => ({ id: i + 1, iid: i + 1, ...(i > 0 && { parent: i }) }));

const keyOf = async (database: Database, id: number) => (await database.read((queries) => epicById(queries, id)))!.noteable;

test('an epic is found by its global id, or by its number in its group', async () => {
  const database = await storeWith(worldOf([{ id: 5, iid: 1, title: 'One' }, { id: 6, iid: 2, parent: 5 }]));
  const [byId, byIid, elsewhere, missing] = await database.read(async (queries) => [
    await epicById(queries, 6), await epicByIid(queries, 10, 2), await epicByIid(queries, 11, 1), await epicByIid(queries, 11, 2)]);
  expect(byId).toMatchObject({ id: 6, iid: 2, group_id: 10, group_path: 'a', parent_id: 5, parent_iid: 1, parent_group_id: 10, labels: '[]' });
  expect(byIid).toEqual(byId);
  expect(elsewhere).toMatchObject({ id: 90, group_path: 'a/b', parent_id: null, parent_iid: null });
  expect(missing).toBeUndefined();
});

test('children are in the order of their positions, and at one position the newer one is first', async () => {
  const children = [{ id: 2, position: 7 }, { id: 3, position: -1 }, { id: 4, position: 7 }];
  const database = await storeWith(worldOf([{ id: 1 }, ...children.map((child) => ({ ...child, parent: 1 })), { id: 5 }]));
  const listed = await database.read((queries) => childrenOf(queries, 1));
  expect(listed.map(({ id, position }) => [id, position])).toEqual([[3, -1], [4, 7], [2, 7]]);
  expect(await database.read((queries) => childrenOf(queries, 5))).toEqual([]);
});

test('any number of epics is read by their keys, in the order of siblings', async () => {
  const database = await storeWith(worldOf(line(5)));
  const keys = await Promise.all([4, 2, 5].map((id) => keyOf(database, id)));
  const read = async (wanted: readonly number[]) => (await database.read((queries) => epicsByKey(queries, wanted))).map(({ id }) => id);
  expect(await read(keys)).toEqual([2, 4, 5]);
  expect(await read(keys.slice(0, 1))).toEqual([4]);
  expect(await read([])).toEqual([]);
});

test('the line of an epic is the epic itself with all those above it, even where they form a cycle', async () => {
  const database = await storeWith(worldOf(line(4)));
  const above = async (id: number) => (await database.read((queries) => ancestorsOf(queries, id))).sort();
  expect([await above(1), await above(3), await above(90), await above(999)]).toEqual([[1], [1, 2, 3], [90], []]);
  const first = await keyOf(database, 1);
  await database.write((queries) => setParent(queries, first, 4, 0, now));
  expect(await above(2)).toEqual([1, 2, 3, 4]);
});

test('the height counts the levels below an epic, up to one more than allowed', async () => {
  const database = await storeWith(worldOf([...line(epicDepth + 3), { id: 50 }, { id: 51, parent: 50 }, { id: 52, parent: 50 }]));
  const heights = await database.read(async (queries) => [
    await heightOf(queries, 1), await heightOf(queries, epicDepth), await heightOf(queries, epicDepth + 3), await heightOf(queries, 50)]);
  expect(heights).toEqual([epicDepth + 1, 4, 1, 2]);
});

test('a new epic has the next id of all and the next number of its group, and hangs nowhere', async () => {
  const database = await storeWith(worldOf(line(2)));
  const given = { title: 'New', confidential: 1, author_id: 1 };
  const ids = await database.write(async (queries) => [
    await insertEpic(queries, 10, given, now), await insertEpic(queries, 11, given, now)]);
  expect(ids).toEqual([91, 92]);
  const [one, other] = await database.read(async (queries) => [await epicById(queries, 91), await epicById(queries, 92)]);
  expect(one).toMatchObject({ iid: 3, group_id: 10, title: 'New', state: 'opened', confidential: 1, parent_id: null, created_at: now, updated_at: now });
  expect(other).toMatchObject({ iid: 2, group_id: 11 });
  expect(await database.all('SELECT version, comments FROM activity WHERE noteable = ?', one!.noteable)).toEqual([{ version: 1, comments: 0 }]);
});

test('a new parent and none change the time of an epic, a new position does not, and what hangs below it stays', async () => {
  const database = await storeWith(worldOf([...line(3), { id: 7, iid: 7 }]));
  const key = await keyOf(database, 2);
  const shown = async () => (await database.read((queries) => epicById(queries, 2)))!;
  const before = (await shown()).updated_at;
  await database.write((queries) => setPosition(queries, key, 12));
  expect((await shown()).updated_at).toBe(before);
  expect(await database.read((queries) => childrenOf(queries, 1))).toMatchObject([{ id: 2, position: 12 }]);
  await database.write((queries) => setParent(queries, key, 7, 3, now));
  expect(await shown()).toMatchObject({ parent_id: 7, parent_iid: 7, updated_at: now });
  const later = '2031-01-01T00:00:00.000Z';
  await database.write((queries) => clearParent(queries, key, later));
  expect(await shown()).toMatchObject({ parent_id: null, parent_iid: null, updated_at: later });
  expect((await database.read((queries) => childrenOf(queries, 2))).map(({ id }) => id)).toEqual([3]);
});
