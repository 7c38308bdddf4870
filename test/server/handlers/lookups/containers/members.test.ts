import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { earliestTime } from '../../../../../src/contract/conventions.js';
import type { World } from '../../../../../src/server/world-file/schema.js';
import { testService, type TestService } from '../../../../support/service.js';
import { acme } from '../../../../support/worlds.js';

const world: World = { ...acme, projects: [...acme.projects!, {
  id: 90, path: 'acme/tool', name: 'Tool', visibility: 'public', archived: true, members: { guest: 'maintainer', outsider: 'guest' },
}] };

let service: TestService;
beforeEach(async () => { service = await testService({ world }); });
afterEach(() => service.close());

const get = async (path: string, as = 'developer') => {
  const { status, body } = await service.get<{ message?: string }>(path, { as });
  return [status, body.message];
};

test('a user is found by id', async () => {
  expect((await service.get('/users/6', { as: 'outsider' })).body).toMatchObject({ id: 6, username: 'guest', name: 'Gus Guest' });
  expect(await get('/users/99')).toEqual([404, '404 User Not Found']);
});

describe('members', () => {
  type Members = { readonly username: string; readonly access_level: number }[];
  const levels = async (path: string) => {
    const { body } = await service.get<Members>(path, { as: 'outsider' });
    return body.map(({ username, access_level: level }) => [username, level]);
  };

  test('are those of the project, or also inherited ones with their highest level', async () => {
    expect(await levels('/projects/90/members')).toEqual([['guest', 40], ['outsider', 10]]);
    expect(await levels('/projects/90/members/all')).toEqual([
      ['owner', 50], ['maintainer', 40], ['developer', 30], ['reporter', 20], ['guest', 40], ['outsider', 10],
    ]);
    expect(await levels('/projects/90/members/all?query=GUS')).toEqual([['guest', 40]]);
    expect(await levels('/projects/90/members/all?per_page=2&page=2')).toEqual([['developer', 30], ['reporter', 20]]);
  });

  test('are found one by one', async () => {
    expect((await service.get('/projects/90/members/all/5')).body)
      .toMatchObject({ username: 'reporter', access_level: 20, created_at: earliestTime, membership_state: 'active' });
    expect(await get('/projects/90/members/5')).toEqual([404, '404 Member Not Found']);
    expect((await service.get('/groups/acme/members/5')).body).toMatchObject({ username: 'reporter' });
    expect((await service.get('/groups/10/members/all/2')).body).toMatchObject({ access_level: 50 });
    expect(await get('/groups/acme/members', 'outsider')).toEqual([404, '404 Group Not Found']);
    expect(await get('/projects/20/members/all', 'outsider')).toEqual([404, '404 Project Not Found']);
  });
});

test('projects and groups are listed as far as the caller can see them', async () => {
  const paths = async (path: string, as: string) => (await service.get<{ id: number }[]>(path, { as })).body.map(({ id }) => id);
  expect(await paths('/projects', 'outsider')).toEqual([90, 21]);
  expect(await paths('/projects', 'guest')).toContain(20);
  expect(await paths('/projects?search=TOOL', 'guest')).toEqual([90]);
  expect(await paths('/projects?search=acme/app', 'guest')).toEqual([20]);
  expect(await paths('/projects?archived=true', 'owner')).toEqual([90, 22]);
  expect(await paths('/projects?archived=false&visibility=public', 'owner')).not.toContain(90);
  expect(await paths('/projects?membership=true&search=tool', 'root')).toEqual([]);
  expect(await paths('/projects?owned=true&search=tool', 'guest')).toEqual([]);
  expect(await paths('/projects?min_access_level=10', 'guest')).toEqual([90, 22, 20]);
  expect(await paths('/projects?min_access_level=30', 'guest')).toEqual([90]);
  expect(await paths('/groups?min_access_level=50', 'owner')).toEqual([10]);
  expect(await paths('/groups?min_access_level=50', 'developer')).toEqual([]);
  expect(await paths('/groups', 'outsider')).not.toContain(10);
  expect(await paths('/groups?search=acm', 'guest')).toContain(10);
});
