import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openService } from '../../../src/server/index.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { demoWorld } from '../../../src/server/world-file/demo/demo.js';
import { dumpWorld } from '../../../src/server/world-file/dump.js';
import type { World } from '../../../src/server/world-file/schema.js';
import { seedDatabase, writeWorld } from '../../../src/server/world-file/seed.js';
import { emptyDatabase } from '../../../src/server/world-file/fill.js';
import { validateWorld } from '../../../src/server/world-file/validate.js';
import { hexInOrder } from './hex.js';
import { worlds } from './worlds.js';
import { runsOf } from '../../support/extent.js';

const given = () => ({ now: new Date('2024-06-01T00:00:00Z'), hex: hexInOrder(), dialect: 'document' as const });

const stored = async (world: World) => {
  const database = await openDatabase();
  await seedDatabase(database, world, given());
  const dumped = await dumpWorld(database);
  await database.close();
  return dumped;
};

test('a dumped world is a world, and fills another store to the same', async () => {
  await fc.assert(fc.asyncProperty(worlds, async (world) => {
    expect(validateWorld(world)).toHaveProperty('world');
    const dumped = await stored(world);
    expect(validateWorld(dumped)).toEqual({ world: dumped });
    expect(await stored(dumped)).toEqual(dumped);
  }), { numRuns: runsOf(100) });
});

test('an exported world that is loaded is exported to the same bytes, from code and over HTTP', async () => {
  const service = await openService();
  onTestFinished(() => service.close());
  const exported = async () => String((await service.handle({ method: 'GET', target: '/-/world', headers: {} })).body);
  await fc.assert(fc.asyncProperty(worlds, async (world) => {
    await service.setWorld(world);
    const [text, inCode] = [await exported(), await service.world()];
    const put = await service.handle({ method: 'PUT', target: '/-/world', headers: {}, body: text });
    expect([put.status, await exported()]).toEqual([204, text]);
    await service.setWorld(inCode);
    expect(await exported()).toBe(text);
    expect(JSON.stringify(await service.world())).toBe(JSON.stringify(inCode));
  }), { numRuns: runsOf(100) });
});

test('a dump contains the demo world', async () => {
  const { appearance, settings, groups, projects } = withMilliseconds(demoWorld);
  expect(await stored(demoWorld)).toMatchObject({ appearance, settings, groups });
  const [app] = (await stored(demoWorld)).projects!;
  expect(app!.issues).toMatchObject(projects![0]!.issues!);
  expect(app!.merge_requests).toMatchObject([{ id: 91, iid: 12, diff: projects![0]!.merge_requests![0]!.diff }]);
});

const withMilliseconds = (world: World): World =>
  JSON.parse(JSON.stringify(world).replace(/(T\d\d:\d\d:\d\d)Z/g, '$1.000Z')) as World;

test('a dump has the members of each path and the tokens of each user, whatever they are called', async () => {
  const users = ['__proto__', 'ada', 'constructor'].map((username) => ({ username, token: `${username}-token` }));
  const members = JSON.parse('{"__proto__":"owner","constructor":"guest"}') as Record<string, 'owner' | 'guest'>;
  const dumped = await stored({ users, groups: [{ path: 'a', members }, { path: 'b', members: { ada: 'guest' } }, { path: 'c' }] });
  expect(dumped.groups!.map((group) => Object.entries(group.members!))).toEqual([
    [['__proto__', 'owner'], ['constructor', 'guest']], [['ada', 'guest']], [],
  ]);
  expect(dumped.users!.map(({ tokens }) => tokens!.length)).toEqual([1, 1, 1]);
});

test('a dump contains the digests of tokens, never the tokens', async () => {
  const dumped = await stored({ users: [{ username: 'ada', token: 'secret-one' }] });
  expect(JSON.stringify(dumped)).not.toContain('secret-one');
  expect(dumped.users![0]!.tokens).toEqual([
    { digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string, scopes: ['api'], revoked: false },
  ]);
});

test('a store that was emptied fills like a new one, in one unit of work', async () => {
  const database = await openDatabase();
  await seedDatabase(database, demoWorld, given());
  await database.write(async (queries) => {
    await emptyDatabase(queries);
    await writeWorld(queries, { users: [{}], projects: [{ issues: [{ discussions: [{}] }] }] }, given());
  });
  const small = await dumpWorld(database);
  expect(small).toEqual(await stored({ users: [{}], projects: [{ issues: [{ discussions: [{}] }] }] }));
  const next = await database.write((queries) => queries.get(
    `INSERT INTO notes (noteable, discussion_id, body, author_id, created_at, updated_at, system)
     VALUES (1, 'a', 'b', 1, 'c', 'd', 0) RETURNING id`));
  expect(next).toEqual({ id: 2 });
});
