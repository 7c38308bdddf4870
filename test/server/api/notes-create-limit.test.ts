import { expect, test } from 'vitest';
import type { ServerOptions } from '../../../src/server/index.js';
import type { World, WorldSettings } from '../../../src/server/world-file/schema.js';
import { everyRow } from '../../support/rows.js';
import { testService, type Sent } from '../../support/service.js';
import { acme, threads } from '../../support/worlds.js';

const comments = '/projects/20/issues/1/notes';

const hello = { json: { body: 'Hello' } };

const limited = (settings: WorldSettings, options: ServerOptions = {}) => testService({ world: { ...acme, settings }, ...options });

const tooMany = { message: { error: 'This endpoint has been requested too many times. Try again later.' } };

test('comments have no limit unless the world has one', async () => {
  await everyRow([{}, { notes_create_limit: 0 }], (settings) => JSON.stringify(settings), async (settings) => {
    const service = await limited(settings);
    const all = await Promise.all(Array.from({ length: 310 }, () => service.post(comments, hello)));
    expect(all.filter(({ status }) => status !== 201)).toEqual([]);
    await service.close();
  });
});

test('comments of all kinds of objects count together, for each user and minute', async () => {
  const service = await limited({ notes_create_limit: 4 });
  for (const path of [comments, '/projects/20/snippets/40/notes', '/projects/20/merge_requests/1/notes', '/groups/10/epics/500/notes']) {
    expect(await service.post(path, hello)).toMatchObject({ status: 201 });
  }
  const refused = await service.post(comments, hello);
  expect(refused).toMatchObject({ status: 429, body: tooMany, headers: { 'content-type': 'application/json', 'retry-after': '60' } });
  expect(await service.post(comments, { ...hello, as: 'guest' })).toMatchObject({ status: 201 });
  service.later(60_000);
  expect(await service.post(comments, hello)).toMatchObject({ status: 201 });
  await service.close();
});

test('older services do not say when to try again', async () => {
  const service = await limited({ notes_create_limit: 1, version: '14.9' });
  await service.post(comments, hello);
  const { status, headers } = await service.post(comments, hello);
  expect([status, headers['retry-after']]).toEqual([429, undefined]);
  await service.close();
});

test('only new comments count, after their parameters and before their object', async () => {
  const service = await limited({ notes_create_limit: 2 });
  const discussion = `/projects/20/issues/1/discussions/${threads.issue}`;
  const rows: [string, string, string, Sent, number][] = [
    ['a new thread', 'POST', '/projects/20/issues/1/discussions', hello, 201],
    ['a reply', 'POST', `${discussion}/notes`, hello, 201],
    ['an edited note', 'PUT', '/projects/20/issues/1/notes/103', hello, 200],
    ['a comment without a text', 'POST', comments, {}, 400],
    ['a list', 'GET', comments, {}, 200],
    ['a comment on an unknown issue', 'POST', '/projects/20/issues/99/notes', hello, 404],
    ['a comment on an unknown project', 'POST', '/projects/999/issues/1/notes', hello, 404],
    ['one more, on an unknown issue', 'POST', '/projects/20/issues/99/notes', hello, 429],
  ];
  await everyRow(rows, ([what]) => what, async ([, method, path, sent, status]) => {
    expect(await service.call(method, path, sent)).toMatchObject({ status });
  });
  await service.close();
});

test('many comments at the same time are counted once each', async () => {
  const service = await limited({ notes_create_limit: 7 });
  const all = await Promise.all(Array.from({ length: 20 }, (_, i) => service.post(`/projects/20/${i % 2 ? 'issues' : 'merge_requests'}/1/notes`, hello)));
  expect(all.filter(({ status }) => status === 201)).toHaveLength(7);
  expect(all.filter(({ status }) => status === 429)).toHaveLength(13);
  await service.close();
});

test('users on the list have no limit, and a reset starts again', async () => {
  const service = await limited({ notes_create_limit: 1, notes_create_limit_allowlist: ['owner'] });
  for (const as of ['owner', 'owner', 'developer']) expect(await service.post(comments, { ...hello, as })).toMatchObject({ status: 201 });
  expect(await service.post(comments, hello)).toMatchObject({ status: 429 });
  await service.post('/-/reset');
  expect(await service.post(comments, hello)).toMatchObject({ status: 201 });
  await service.close();
});

test('a dump keeps the limit and its exceptions', async () => {
  const settings = { notes_create_limit: 1, notes_create_limit_allowlist: ['owner', 'root'] };
  const service = await limited(settings);
  expect((await service.get<World>('/-/world')).body.settings).toEqual(settings);
  await service.close();
  await expect(limited({ notes_create_limit_allowlist: ['nobody'] })).rejects.toThrow('settings.notes_create_limit_allowlist[0]: unknown user "nobody"');
});
