import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { World } from '../../../../src/server/world-file/schema.js';
import { testService, type TestService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

const world: World = { ...acme, projects: [...acme.projects!, {
  id: 90, path: 'acme/tool', name: 'Tool', visibility: 'public', archived: true, members: { guest: 'maintainer', outsider: 'guest' },
  files: { 'src/a b.ts': 'é\n', 'package.json': '{}' },
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
    expect((await service.get('/projects/90/members/all/5')).body).toMatchObject({ username: 'reporter', access_level: 20, membership_state: 'active' });
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
  expect(await paths('/groups', 'outsider')).not.toContain(10);
  expect(await paths('/groups?search=acm', 'guest')).toContain(10);
});

describe('a file of a project', () => {
  test('is there with its text in Base64, whatever its name', async () => {
    expect((await service.get('/projects/90/repository/files/src%2Fa%20b.ts?ref=main')).body).toEqual({
      file_name: 'a b.ts', file_path: 'src/a b.ts', size: 3, encoding: 'base64', content: 'w6kK', ref: 'main',
      content_sha256: 'edd3a863872a04239eb29ad4bc12fc892b3d4ae57cc7e786a3697816f8e141c2', blob_id: expect.stringMatching(/^[0-9a-f]{40}$/),
      commit_id: null, last_commit_id: null, execute_filemode: false,
    });
    expect((await service.get('/projects/90/repository/files/package.json?ref=main')).body).toMatchObject({ file_path: 'package.json', content: 'e30=' });
  });

  test('is not found under another name, nor in a project that is hidden', async () => {
    expect(await get('/projects/90/repository/files/none.ts?ref=main')).toEqual([404, '404 File Not Found']);
    expect(await get('/projects/20/repository/files/package.json?ref=main', 'outsider')).toEqual([404, '404 Project Not Found']);
    expect((await service.get('/projects/90/repository/files/package.json')).body).toEqual({ error: 'ref is missing' });
  });
});
