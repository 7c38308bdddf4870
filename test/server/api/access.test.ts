import { afterEach, describe, expect, it } from 'vitest';
import type { World } from '../../../src/server/world-file/schema.js';
import { epicWorld } from '../../support/epics.js';
import { testService, type Sent, type TestService } from '../../support/service.js';
import { acme } from '../../support/worlds.js';

/** With a confidential epic of the guest, and a confidential issue that is assigned to the guest. */
const [group, ...groups] = acme.groups!;
const [project, ...projects] = acme.projects!;
const withOwn: World = {
  ...acme,
  groups: [{ ...group!, epics: [...group!.epics!, { id: 509, iid: 9, confidential: true, author: 'guest' }] }, ...groups],
  projects: [{
    ...project!, issues: [...project!.issues!, { id: 39, iid: 9, confidential: true, author: 'owner', assignees: ['guest'] }],
  }, ...projects],
};

describe('who may comment', () => {
  it.each([
    ['a guest on a private issue', 'guest', '/projects/20/issues/1', 201],
    ['an outsider on a private issue', 'outsider', '/projects/20/issues/1', 404],
    ['an outsider on a public issue', 'outsider', '/projects/21/issues/1', 201],
    ['an outsider on a locked public issue', 'outsider', '/projects/21/issues/2', 403],
    ['a member on a locked issue', 'guest', '/projects/20/issues/3', 201],
    ['an administrator on a locked issue', 'root', '/projects/21/issues/2', 201],
    ['the owner of an archived project', 'owner', '/projects/22/issues/1', 403],
    ['a guest on a confidential issue of another', 'guest', '/groups/10/epics/501', 404],
    ['a guest who is the author of a confidential epic', 'guest', '/groups/10/epics/509', 404],
    ['the assignee of a confidential issue', 'guest', '/projects/20/issues/9', 201],
    ['the author of a confidential issue', 'guest', '/projects/20/issues/2', 201],
    ['a reporter on a confidential issue', 'reporter', '/projects/20/issues/2', 201],
    ['a developer on a confidential epic', 'developer', '/groups/10/epics/501', 201],
  ])('%s', async (_, as, path, status) => {
    const { post } = await testService({ world: withOwn });
    expect((await post(`${path}/discussions`, { as, json: { body: 'x' } })).status).toBe(status);
  });

  it('members on a locked epic of a public group, and nobody else', async () => {
    const groups = [{ id: 70, path: 'open-group', visibility: 'public' as const, members: { guest: 'guest' as const },
      epics: [{ id: 700, locked: true }] }];
    const { post, close } = await testService({ world: { ...acme, groups: [...acme.groups!, ...groups] } });
    for (const list of ['notes', 'discussions']) {
      const statusOf = async (as: string) => (await post(`/groups/70/epics/700/${list}`, { as, json: { body: 'x' } })).status;
      expect([await statusOf('outsider'), await statusOf('guest')], list).toEqual([403, 201]);
    }
    await close();
  });
});

it('only members edit and delete notes on a locked issue, their own too', async () => {
  const [, open, ...rest] = acme.projects!;
  const discussions = [{ notes: [{ id: 900, author: 'outsider', body: 'mine' }] }];
  const issues = [{ id: 39, iid: 9, author: 'outsider', locked: true, discussions }];
  const { put, call, close } = await testService({ world: { ...acme, projects: [acme.projects![0]!, { ...open!, issues }, ...rest] } });
  const note = '/projects/21/issues/9/notes/900';
  expect((await put(note, { as: 'outsider', json: { body: 'x' } })).status).toBe(403);
  expect((await call('DELETE', note, { as: 'outsider' })).status).toBe(403);
  expect((await put(note, { as: 'root', json: { body: 'x' } })).status).toBe(200);
  await close();
});

it('lists of guests have the confidential issues that are assigned to them, and no confidential epics', async () => {
  const { get, close } = await testService({ world: withOwn });
  const ids = async (path: string) => (await get<{ id: number }[]>(path, { as: 'guest' })).body.map(({ id }) => id);
  expect(await ids('/projects/20/issues?sort=asc')).toEqual([30, 31, 32, 39]);
  expect(await ids('/groups/10/epics')).toEqual([500]);
  await close();
});

it('an assignee of a confidential issue who was removed can no longer comment on it', async () => {
  const { post, put, close } = await testService({ world: withOwn, dialect: 'live' });
  const comment = async () => (await post('/projects/20/issues/9/notes', { as: 'guest', json: { body: 'x' } })).status;
  expect(await comment()).toBe(201);
  expect((await put('/projects/20/issues/9', { as: 'owner', json: { assignee_ids: [] } })).status).toBe(200);
  expect(await comment()).toBe(404);
  await close();
});

describe('the links of epics', () => {
  let service: TestService;
  const start = async (settings = {}) => { service = await testService({ world: { ...epicWorld, settings } }); };
  afterEach(() => service.close());

  type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';
  const calls: [name: string, verb: Verb, tail: string, sent: Sent][] = [
    ['list', 'GET', '', {}],
    ['assign', 'POST', '/505', {}],
    ['create', 'POST', '', { json: { title: 'New' } }],
    ['reorder', 'PUT', '/501', { json: { move_before_id: 502 } }],
    ['unassign', 'DELETE', '/501', {}],
  ];

  const outcomes = async (as: string | null, path = '/groups/acme/epics/1/epics') => {
    const found: Record<string, unknown> = {};
    for (const [name, verb, tail, sent] of calls) {
      const { status, body } = await service.call<{ message?: string }>(verb, path + tail, { ...sent, as });
      found[name] = status < 300 ? status : [status, body.message];
    }
    return found;
  };

  const allOf = (outcome: unknown) => ({ list: outcome, assign: outcome, create: outcome, reorder: outcome, unassign: outcome });

  it('without a token every call is rejected', async () => {
    await start();
    expect(await outcomes(null)).toEqual(allOf([401, '401 Unauthorized']));
  });

  it('a private group looks the same to strangers whether it is there or not', async () => {
    await start();
    expect(await outcomes('outsider')).toEqual(allOf([404, '404 Group Not Found']));
    expect(await outcomes('outsider', '/groups/none/epics/1/epics')).toEqual(allOf([404, '404 Group Not Found']));
  });

  it('a guest of an old version lists and changes nothing', async () => {
    await start({ version: '13.12' });
    const no = [403, '403 Forbidden'];
    expect(await outcomes('guest')).toEqual({ list: 200, assign: no, create: no, reorder: no, unassign: no });
  });

  it('any user can list in a public group and change nothing', async () => {
    await start();
    const no = [403, '403 Forbidden'];
    const expected = { list: 200, assign: no, create: no, reorder: no, unassign: no };
    expect(await outcomes('outsider', '/groups/open/epics/1/epics')).toEqual(expected);
  });

  it('a reporter may do everything', async () => {
    await start();
    expect(await outcomes('reporter')).toEqual({ list: 200, assign: 201, create: 201, reorder: 200, unassign: 200 });
  });

  it('an unknown parent epic, and one that the caller may not read, are forbidden in a group that is seen', async () => {
    await start();
    expect(await outcomes('root', '/groups/acme/epics/99/epics')).toEqual(allOf([403, '403 Forbidden']));
    expect(await outcomes('guest', '/groups/acme/epics/7/epics')).toEqual(allOf([403, '403 Forbidden']));
  });

  it('without epics everything is forbidden', async () => {
    await start({ epics: false });
    expect(await outcomes('root')).toEqual(allOf([403, '403 Forbidden']));
    expect(await outcomes('root', '/groups/acme/epics/99/epics')).toEqual(allOf([403, '403 Forbidden']));
  });

  it('without nested epics links can be listed and cut, not made or ordered', async () => {
    await start({ nested_epics: false });
    const no = [403, '403 Forbidden'];
    expect(await outcomes('root')).toEqual({ list: 200, assign: no, create: no, reorder: no, unassign: 200 });
  });

  it('parameters are checked before the group is looked for', async () => {
    await start();
    const { status, body } = await service.put('/groups/none/epics/x/epics/y', { as: 'root', json: { move_before_id: 'z' } });
    expect([status, body]).toEqual([400, { error: 'epic_iid is invalid, child_epic_id is invalid, move_before_id is invalid' }]);
  });

  it('with neither a title nor a child the title is what is missing', async () => {
    await start();
    const { status, body } = await service.post('/groups/acme/epics/1/epics', { as: 'root', json: {} });
    expect([status, body]).toEqual([400, { error: 'title is missing' }]);
  });
});
