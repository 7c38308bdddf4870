import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../../src/contract/contract.js';
import { routes } from '../../../src/contract/routes.js';
import { contractRouter } from '../../../src/server/api/router.js';
import { testService } from '../../support/service.js';

const issue = '/projects/20/issues/1/discussions';

describe('routes', () => {
  it('lead every path of an operation to it, and know what it is of a router', () => {
    const found = routes.map(({ method, path }) => contractRouter().match(method, path.replace(/:\w+/g, '7'))?.candidates ?? []);
    const missing = routes.filter(({ name, path }, i) => !found[i]!.some((one) => one.name === name && one.path === path));
    expect(missing).toEqual([]);
    const endpoints = new Map(everyEndpoint().map(({ name, endpoint }) => [name, endpoint]));
    expect(found.flat().filter(({ name, endpoint }) => endpoints.get(name) !== endpoint)).toEqual([]);
    expect(new Set(routes.map(({ name }) => name))).toEqual(new Set(endpoints.keys()));
  });

  it.each([
    ['GET', '/nothing'], ['POST', '/application/appearance'], ['PATCH', issue], ['GET', '/projects/20/merge_requests/1.5/discussions'],
    ['GET', ''],
  ])('respond alike to an unknown path or method: %s %s', async (method, path) => {
    const { call } = await testService();
    expect(await call(method, path)).toMatchObject({ status: 404, body: { error: '404 Not Found' } });
  });

  it.each([`${issue}/`, `${issue}.json`])('accept %s', async (path) => {
    const { get } = await testService();
    expect((await get(path)).status).toBe(200);
  });

  it('have the whole name of a project or group at their end, also one with .json', async () => {
    const { get } = await testService({ world: {
      users: [{ username: 'root', admin: true, token: 'root-token' }],
      groups: [{ id: 1, path: 'g' }, { id: 2, path: 'g.json' }], projects: [{ id: 1, path: 'g/app' }, { id: 2, path: 'g/app.json' }],
    } });
    const idOf = async (path: string) => (await get<{ id: number }>(path, { as: 'root' })).body.id;
    const paths = ['/groups/g', '/groups/g.json', '/projects/g%2Fapp', '/projects/g%2Fapp.json', '/projects/g%2Fapp.json/', '/projects/2.json'];
    expect(await Promise.all(paths.map(idOf))).toEqual([1, 2, 1, 2, 2, 2]);
    expect((await get('/projects/g%2Fapp.json/issues.json', { as: 'root' })).body).toEqual([]);
  });

  it('tell their verbs to OPTIONS', async () => {
    const { call } = await testService();
    expect(await call('OPTIONS', issue)).toMatchObject({ status: 204, text: '', headers: { allow: 'OPTIONS, HEAD, GET, POST' } });
  });
});
