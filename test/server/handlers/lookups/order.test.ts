import { expect, test } from 'vitest';
import { everyRow } from '../../../support/rows.js';
import { start, testService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

const times = (created: string, updated: string) => ({ created_at: `2024-01-0${created}T00:00:00.000Z`, updated_at: `2024-02-0${updated}T00:00:00.000Z` });
const three = [
  { iid: 1, title: 'b', author: 'owner', ...times('1', '3') }, { iid: 2, title: 'c', author: 'owner', ...times('2', '1') },
  { iid: 3, title: 'a', author: 'owner', ...times('3', '2') },
];
const world = {
  users: acme.users!,
  groups: [
    { id: 10, path: 'acme', name: 'Acme', members: { owner: 'owner' as const }, epics: three.map((one) => ({ id: 500 + one.iid, ...one })) },
    { id: 11, path: 'zoo', name: 'Animals', visibility: 'public' as const },
  ],
  projects: [
    { id: 20, path: 'acme/b', name: 'Z', issues: three.map((one) => ({ id: 30 + one.iid, ...one })),
      merge_requests: three.map((one) => ({ id: 50 + one.iid, ...one })) },
    { id: 21, path: 'acme/c', name: 'Y' }, { id: 22, path: 'acme/a', name: 'X' },
  ],
};

const lists = [
  ...['/projects/20/issues', '/projects/20/merge_requests', '/groups/10/epics'].flatMap((list) => [
    { asked: list, field: 'iid', order: [3, 2, 1] },
    { asked: `${list}?sort=asc`, field: 'iid', order: [1, 2, 3] },
    { asked: `${list}?order_by=updated_at`, field: 'iid', order: [1, 3, 2] },
    { asked: `${list}?order_by=title&sort=asc`, field: 'iid', order: [3, 1, 2] },
  ]),
  { asked: '/projects/20/issues?order_by=priority', field: 'iid', order: [3, 2, 1] },
  { asked: '/projects', field: 'id', order: [22, 21, 20] },
  { asked: '/projects?order_by=name', field: 'id', order: [20, 21, 22] },
  { asked: '/projects?order_by=path&sort=asc', field: 'id', order: [22, 20, 21] },
  { asked: '/projects?order_by=star_count&sort=asc', field: 'id', order: [20, 21, 22] },
  { asked: '/groups', field: 'path', order: ['acme', 'zoo'] },
  { asked: '/groups?sort=desc', field: 'path', order: ['zoo', 'acme'] },
  { asked: '/groups?order_by=id&sort=desc&per_page=1', field: 'path', order: ['zoo'] },
  { asked: '/users?order_by=username&sort=asc&per_page=2', field: 'username', order: ['blocked', 'developer'] },
  { asked: '/users?order_by=name&per_page=2', field: 'username', order: ['reporter', 'outsider'] },
];

test('lists are in the order that is asked for', async () => {
  const service = await testService({ world });
  await everyRow(lists, ({ asked }) => asked, async ({ asked, field, order }) => {
    const { body } = await service.get<Record<string, unknown>[]>(asked, { as: 'root' });
    expect(body.map((one) => one[field])).toEqual(order);
  });
});

test('only administrators order the users, but all get 400 for an order that there is not', async () => {
  const service = await testService({ world });
  const { body } = await service.get<{ id: number }[]>('/users?order_by=username&sort=asc', { as: 'owner' });
  expect(body[0]).toMatchObject({ username: 'blocked', id: 8 });
  expect(body.map(({ id }) => id)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  const bogus = { status: 400, body: { error: 'order_by does not have a valid value' } };
  for (const list of ['/users', '/projects', '/groups', '/projects/20/issues', '/groups/10/epics', '/projects/20/merge_requests']) {
    expect(await service.get(`${list}?order_by=bogus`, { as: 'owner' })).toMatchObject(bogus);
    expect((await service.get(`${list}?sort=up`, { as: 'owner' })).status).toBe(400);
  }
});

test.each([['issues', 'projects', 1], ['merge_requests', 'projects', 1], ['epics', 'groups', 501]])(
  'a comment updates one of the %s, which then is the first one and keeps the time when it was closed', async (kind, holder, name) => {
    const closed = three.map((one) => ({ ...one, state: 'closed' as const, updated_at: one.created_at }));
    const service = await testService({ dialect: 'live', world: {
      users: acme.users!, groups: [{ id: 10, path: 'acme', epics: closed.map((one) => ({ id: 500 + one.iid, ...one })) }],
      projects: [{ id: 10, path: 'acme/a', issues: closed, merge_requests: closed }],
    } });
    const first = async () => (await service.get<object[]>(`/${holder}/10/${kind}?order_by=updated_at`, { as: 'root' })).body[0];
    await service.post(`/${holder}/10/${kind}/${name}/discussions`, { as: 'root', json: { body: 'x' } });
    expect(await first()).toMatchObject({ iid: 1, updated_at: start, closed_at: three[0]!.created_at });
    await service.put('/-/world', { as: 'root', json: (await service.get('/-/world', { as: 'root' })).body });
    expect(await first()).toMatchObject({ iid: 1, updated_at: start });
  });
