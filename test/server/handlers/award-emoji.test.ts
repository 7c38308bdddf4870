import { expect, test } from 'vitest';
import type { AwardEmoji } from '../../../src/contract/lookups/award-emoji.js';
import type { World } from '../../../src/server/world-file/schema.js';
import { everyRow } from '../../support/rows.js';
import { start, testService, type Sent } from '../../support/service.js';
import { acme, threads } from '../../support/worlds.js';

const issue = '/projects/20/issues/1/notes/100/award_emoji';

const thumbsup = { json: { name: 'thumbsup' } };

const names = ({ body }: { readonly body: AwardEmoji[] }) => body.map(({ name, user }) => [name, user.username]);

const epicWorld: World = {
  ...acme, groups: [{ ...acme.groups![0]!, epics: [{ id: 500, iid: 1, title: 'Roadmap', discussions: [{ notes: [{ id: 150, body: 'When?' }] }] }] }],
};

test('an award emoji is created, listed, read and deleted below each kind', async () => {
  const service = await testService({ dialect: 'live', world: epicWorld });
  const paths = [issue, '/projects/20/snippets/40/notes/110/award_emoji', '/projects/acme%2Fapp/merge_requests/1/notes/120/award_emoji',
    '/groups/10/epics/1/notes/150/award_emoji'];
  await everyRow(paths, (path) => path, async (path) => {
    const created = await service.post<AwardEmoji>(path, { json: { name: 'rocket' } });
    expect(created.status).toBe(201);
    expect(Object.keys(created.body)).toEqual(['id', 'name', 'user', 'created_at', 'updated_at', 'awardable_id', 'awardable_type', 'url']);
    expect(created.body).toMatchObject({
      name: 'rocket', user: { username: 'developer' }, created_at: start, updated_at: start, awardable_id: Number(/notes\/(\d+)/.exec(path)![1]),
      awardable_type: 'Note', url: null,
    });
    const one = `${path}/${created.body.id}`;
    expect((await service.get(path)).body).toEqual([created.body]);
    expect((await service.get(one)).body).toEqual(created.body);
    expect(await service.delete(one)).toMatchObject({ status: 204 });
    expect(await service.get(one)).toMatchObject({ status: 404, body: { message: '404 Not found' } });
    expect((await service.get(path)).body).toEqual([]);
  });
  await service.close();
});

test('the document format and older services have no url', async () => {
  for (const options of [{}, { dialect: 'live' as const, serviceVersion: '14.9' }]) {
    const service = await testService(options);
    expect((await service.post<AwardEmoji>(issue, thumbsup)).body).not.toHaveProperty('url');
    await service.close();
  }
});

test('what the service refuses has its texts', async () => {
  const service = await testService({ world: {
    ...acme, projects: acme.projects!.map((project) => project.id !== 20 ? project : {
      ...project, issues: [...project.issues!, { id: 39, iid: 9, title: 'Inside', discussions: [{ notes: [{ id: 160, internal: true }] }] },
        { id: 38, iid: 8, title: 'Hidden', confidential: true, author: 'owner', discussions: [{ notes: [{ id: 161 }] }] }],
    }),
  } });
  await service.post(issue, { json: { name: '+1' } });
  const refused = (reason?: string) => [404, `404 Award Emoji${reason === undefined ? '' : ` ${reason}`} Not Found`] as const;
  const rows: [string, string, Sent, readonly [number, string]][] = [
    ['again, by another name', issue, thumbsup, refused('Name has already been taken')],
    ['a name with colons', issue, { json: { name: ':rocket:' } }, refused('Name is not a valid emoji name')],
    ['a blank name', issue, { json: { name: '' } }, refused('Name is not a valid emoji name')],
    ['a null name', issue, { json: { name: null } }, refused('Name is not a valid emoji name')],
    ['a system note', '/projects/20/issues/1/notes/101/award_emoji', thumbsup, refused('Awardable cannot be awarded emoji')],
    ['an internal note', '/projects/20/issues/9/notes/160/award_emoji', { ...thumbsup, as: 'guest' }, refused()],
    ['an archived project', '/projects/22/issues/1/notes/140/award_emoji', thumbsup, refused()],
    ['a confidential issue', '/projects/20/issues/8/notes/161/award_emoji', { ...thumbsup, as: 'guest' }, [404, '404 Not found']],
    ['a private project', issue, { ...thumbsup, as: 'outsider' }, [404, '404 Project Not Found']],
    ['an unknown note', '/projects/20/issues/1/notes/9999/award_emoji', thumbsup, [404, '404 Not found']],
    ['a note of another object', '/projects/20/issues/1/notes/120/award_emoji', thumbsup, [404, '404 Not found']],
  ];
  await everyRow(rows, ([what]) => what, async ([, path, sent, [status, message]]) => {
    expect(await service.post(path, sent)).toMatchObject({ status, body: { message } });
  });
  expect(await service.post(issue)).toMatchObject({ status: 400, body: { error: 'name is missing' } });
  expect(await service.get('/projects/20/issues/9/notes/160/award_emoji', { as: 'guest' })).toMatchObject({ status: 404, body: { message: refused()[1] } });
  await service.close();
});

test('the path of an epic has its iid, not its id', async () => {
  const service = await testService({ world: epicWorld });
  expect(await service.get('/groups/10/epics/500/notes/150/award_emoji')).toMatchObject({ status: 404, body: { message: '404 Not found' } });
  expect(await service.get('/groups/10/-/epics/1/notes/150/award_emoji')).toMatchObject({ status: 200 });
  await service.close();
});

test('only its user and administrators delete an award emoji', async () => {
  const service = await testService();
  const { body: { id } } = await service.post<AwardEmoji>(issue, thumbsup);
  expect(await service.delete(`${issue}/${id}`, { as: 'maintainer' })).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } });
  const old = { headers: { 'if-unmodified-since': '2000-01-01T00:00:00Z' }, as: 'root' };
  expect(await service.delete(`${issue}/${id}`, old)).toMatchObject({ status: 412 });
  expect(await service.delete(`${issue}/${id}`, { as: 'root' })).toMatchObject({ status: 204 });
  await service.close();
});

test('many who award an emoji at the same time award it once each', async () => {
  const service = await testService();
  const users = ['developer', 'guest', 'owner'];
  const all = await Promise.all(users.flatMap((as) => Array.from({ length: 4 }, () => service.post(issue, { ...thumbsup, as }))));
  expect(all.filter(({ status }) => status === 201)).toHaveLength(users.length);
  expect(names(await service.get<AwardEmoji[]>(issue)).map(([, user]) => user).sort()).toEqual(users);
  expect((await service.get<AwardEmoji[]>(`${issue}?per_page=2`)).headers).toMatchObject({ 'x-total': '3', 'x-next-page': '2' });
  await service.close();
});

test('a deleted note takes its award emoji with it', async () => {
  const service = await testService();
  await service.post(issue, thumbsup);
  expect(await service.delete('/projects/20/issues/1/notes/100', { as: 'guest' })).toMatchObject({ status: 204 });
  expect((await service.get<World>('/-/world')).text).not.toContain('thumbsup');
  expect(await service.get(issue)).toMatchObject({ status: 404 });
  await service.close();
});

test('world files and dumps keep award emoji', async () => {
  const award_emoji = [{ user: 'guest', name: '-1', created_at: '2024-01-02T03:04:05.000Z' }, { id: 77, user: 'owner' }];
  const world: World = { ...acme, projects: [{ id: 20, path: 'acme/app', members: { developer: 'developer' }, issues: [
    { iid: 1, discussions: [{ id: threads.comment, notes: [{ id: 100, created_at: '2024-01-01T00:00:00.000Z', award_emoji }] }] },
  ] }] };
  const service = await testService({ world });
  const before = await service.get<AwardEmoji[]>(issue);
  expect(names(before)).toEqual([['thumbsdown', 'guest'], ['thumbsup', 'owner']]);
  expect(before.body.map(({ id, created_at }) => [id, created_at])).toEqual([[1, '2024-01-02T03:04:05.000Z'], [77, '2024-01-01T00:00:00.000Z']]);
  const { body: dumped } = await service.get<World>('/-/world');
  expect((await service.post<AwardEmoji>(issue, thumbsup)).body.id).toBe(78);
  expect(await service.call('PUT', '/-/world', { json: dumped })).toMatchObject({ status: 204 });
  expect((await service.get(issue)).body).toEqual(before.body);
  await service.close();
});
