import { beforeEach, describe, expect, test } from 'vitest';
import { hashToken } from '../../../src/server/repositories/world.js';
import {
  createWorldCache, groupBy, groupsBelow, hasToken, levelOn, pathsAbove, projectBy, tokenByDigest, userByIdOrName, writeEpoch,
  type SettingOverrides, type WorldReads,
} from '../../../src/server/repositories/world.js';
import type { Database, Queries, Row, Value } from '../../../src/server/store/database.js';
import { storeWith } from '../../support/own-store.js';

const world = {
  users: [{ id: 1, username: 'ada', token: 'ada-token' }, { id: 2, username: '007' }, { id: 7, username: 'bob' }],
  groups: [
    { id: 1, path: 'a', members: { ada: 'guest' as const, bob: 'maintainer' as const } }, { id: 2, path: 'a/b', members: { ada: 'owner' as const } },
    { id: 3, path: 'a/b/c' }, { id: 4, path: 'a-2' }, { id: 5, path: 'ab' }, { id: 6, path: 'a.b' },
  ],
  projects: [{ id: 1, path: 'a/b/app', archived: true, members: { ada: 'reporter' as const } }],
};

let database: Database;
beforeEach(async () => { database = await storeWith(world); });

const reading = <T>(work: (reads: WorldReads) => T | Promise<T>, overrides?: SettingOverrides) =>
  database.read(async (queries) => work(await createWorldCache(overrides).of(queries)));

test.each([
  ['ada', 1], ['1', 1], ['01', 1], ['007', 7], ['Ada', undefined], ['99', undefined], ['', undefined], ['9'.repeat(30), undefined],
  ['a\0b', undefined], ['\ud800', undefined], ["' OR 1=1 --", undefined], ['1.0', undefined], ['-1', undefined],
])('a user is found by name, and by a number as id: %j', async (who, id) => {
  expect((await reading((reads) => userByIdOrName(reads, who)))?.id).toBe(id);
});

test('a token is found by its digest, with its user', async () => {
  const digest = hashToken('ada-token');
  expect(await reading((reads) => tokenByDigest(reads, digest))).toMatchObject({ id: 1, username: 'ada', digest, scopes: 'api', revoked: 0 });
  expect(await reading((reads) => tokenByDigest(reads, 'ada-token'))).toBeUndefined();
  expect(await database.read(async (queries) => [await hasToken(queries, digest), await hasToken(queries, 'ada-token')])).toEqual([true, false]);
});

test('a project is found by id or by a path with a slash, a group by id or path', async () => {
  const found = await database.read(async (queries) => [
    await projectBy(queries, 1), await projectBy(queries, 'a/b/app'), await projectBy(queries, '1'), await projectBy(queries, 'a/b'),
    await groupBy(queries, 2), await groupBy(queries, 'a/b'), await groupBy(queries, '2'), await groupBy(queries, 'a/b/app')]);
  expect(found.map((row) => row?.path)).toEqual(['a/b/app', 'a/b/app', undefined, undefined, 'a/b', 'a/b', undefined, undefined]);
  expect(found[0]).toMatchObject({ archived: 1 });
});

test('a path is found whatever its case, and in an older store with several the same one', async () => {
  await database.write((queries) => queries.script([
    `INSERT INTO projects (id, path, name, visibility, archived) VALUES (2, 'A/b/app', '', 'private', 0)`,
    `INSERT INTO groups (id, path, name, visibility) VALUES (9, 'A', '', 'private')`]));
  const found = await database.read(async (queries) => [
    await projectBy(queries, 'A/b/app'), await projectBy(queries, 'a/b/app'), await groupBy(queries, 'A'), await groupBy(queries, 'a'),
    await groupBy(queries, 'A/B'), await groupBy(queries, 'A-2')]);
  expect(found.map((row) => row?.path)).toEqual(['A/b/app', 'a/b/app', 'A', 'a', 'a/b', 'a-2']);
});

test('the groups below a path are at any depth, and none that only begins alike', async () => {
  const below = (path: string) => database.read(async (queries) => (await groupsBelow(queries, path)).map((row) => row.path));
  expect([await below('a'), await below('a/b'), await below('a/b/c'), await below('a%')]).toEqual([['a/b', 'a/b/c'], ['a/b/c'], [], []]);
});

test('the highest level on a path and those above it counts', async () => {
  expect(pathsAbove('a/b/app')).toEqual(['a', 'a/b', 'a/b/app']);
  const level = (user: number, path: string) => database.read((queries) => levelOn(queries, user, path));
  expect([await level(1, 'a'), await level(1, 'a/b'), await level(1, 'a/b/app'), await level(7, 'a/b/app'), await level(2, 'a/b/app'), await level(1, '')])
    .toEqual([10, 50, 50, 40, 0, 0]);
});

describe('the settings of the world', () => {
  const settingsOf = (overrides?: SettingOverrides) => reading((reads) => reads.settings, overrides);
  const set = (name: string, value: string) => database.write((queries) =>
    queries.run(`INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, `setting.${name}`, value));

  const usual = {
    epics: true, nested_epics: true, confidential_epics: true, hooks: false, version: null, granularGroups: new Set(), notesCreateLimit: 0,
    unlimitedUsers: new Set(),
  };

  test('are on if they are not stored, and every operation is there', async () => {
    expect(await settingsOf()).toEqual(usual);
  });

  test('are those that are stored, as far as the tier has them', async () => {
    await set('confidential_epics', '0');
    await set('tier', 'premium');
    await set('version', '12.7');
    expect(await settingsOf()).toEqual({ ...usual, nested_epics: false, confidential_epics: false, version: '12.7.0-ee' });
    await set('epics', '0');
    expect(await settingsOf({ tier: 'ultimate' })).toMatchObject({ epics: false, nested_epics: true });
  });

  test('are overridden by those of the server', async () => {
    await set('tier', 'free');
    await set('version', '12.7');
    expect(await settingsOf({ tier: 'ultimate', version: '13.7-ce' })).toEqual({ ...usual, version: '13.7.0-ce' });
  });

  test('of a tier or version that nobody knows are those of all', async () => {
    await set('tier', 'constructor');
    await set('version', 'soon');
    expect(await settingsOf()).toMatchObject({ epics: true, nested_epics: true, version: null });
  });
});

describe('the cache of the world', () => {
  /** Runs work on reads of one cache, and counts the queries. */
  const counting = () => {
    const cache = createWorldCache();
    let count = 0;
    const counted = (queries: Queries): Queries => ({
      ...queries,
      get: <R extends Row>(sql: string, ...values: Value[]) => { count++; return queries.get<R>(sql, ...values); },
      all: <R extends Row>(sql: string, ...values: Value[]) => { count++; return queries.all<R>(sql, ...values); },
    });
    const queriesOf = async (work: (reads: WorldReads) => unknown, batch?: object) => {
      count = 0;
      await database.read(async (queries) => work(await cache.of({ ...counted(queries), ...batch && { batch } })));
      return count;
    };
    return queriesOf;
  };

  test('reads a row once, and then only looks whether the world is the same', async () => {
    const queriesOf = counting();
    const look = (reads: WorldReads) => userByIdOrName(reads, 'ada');
    expect([await queriesOf(look), await queriesOf(look), await queriesOf(look)]).toEqual([3, 1, 1]);
  });

  test('looks once for all writes of a batch', async () => {
    const queriesOf = counting();
    const batch = {};
    await queriesOf(() => undefined);
    expect([await queriesOf(() => undefined, batch), await queriesOf(() => undefined, batch), await queriesOf(() => undefined, {})]).toEqual([1, 0, 1]);
  });

  test('never keeps what was not found, so that guesses do not fill it', async () => {
    const queriesOf = counting();
    const look = (reads: WorldReads) => userByIdOrName(reads, 'nobody');
    await queriesOf(look);
    expect([await queriesOf(look), await queriesOf(look)]).toEqual([2, 2]);
  });

  test('tells a number from the same text', async () => {
    const [byNumber, byText] = await reading(async (reads) => [
      await reads.get('SELECT id FROM users WHERE id = ?', 7), await reads.get('SELECT id FROM users WHERE username = ?', '7')]);
    expect([byNumber, byText]).toEqual([{ id: 7 }, undefined]);
    const sql = 'SELECT id FROM users WHERE username = ?';
    expect(await reading(async (reads) => [await reads.get(sql, '007'), await reads.get(sql, 7)])).toEqual([{ id: 2 }, undefined]);
  });

  test('keeps a right that was granted, and looks again for one that was not', async () => {
    const looked: string[] = [];
    const grant = (key: string, result: object | null) => (reads: WorldReads) => reads.cacheGrant(key, async () => { looked.push(key); return result; });
    const queriesOf = counting();
    for (let i = 0; i < 2; i++) {
      await queriesOf(grant('yes', {}));
      await queriesOf(grant('no', null));
    }
    expect(looked).toEqual(['yes', 'no', 'no']);
  });

  test('forgets everything when the world changes', async () => {
    const queriesOf = counting();
    const seen: unknown[] = [];
    const look = async (reads: WorldReads) => { seen.push((await userByIdOrName(reads, 'ada'))?.name, reads.epoch); };
    await queriesOf(look);
    await database.write(async (queries) => { await queries.run(`UPDATE users SET name = 'New' WHERE id = 1`); });
    await queriesOf(look);
    await database.write(writeEpoch);
    await queriesOf(look);
    const [, first, , second, , third] = seen;
    expect([seen[0], seen[2], seen[4]]).toEqual(['ada', 'ada', 'New']);
    expect([second === first, third === first]).toEqual([true, false]);
  });
});
