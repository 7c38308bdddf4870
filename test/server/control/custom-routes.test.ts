import { describe, expect, it, onTestFinished } from 'vitest';
import { openService, startServer, type OwnRoute, type ServerOptions } from '../../../src/server/index.js';
import { acme } from '../../support/worlds.js';

const opened = async (routes: readonly OwnRoute[], options: ServerOptions = {}) => {
  const service = await openService({ world: acme, routes, ...options });
  onTestFinished(() => service.close());
  const call = async (method: string, path: string, user: string | null = 'developer', body?: string) => {
    const headers = { ...user !== null && { 'private-token': `${user}-token` }, ...body !== undefined && { 'content-type': 'text/plain' } };
    const response = await service.fetch(new Request(`http://test${path}`, { method, headers, ...body !== undefined && { body } }));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { service, call };
};

const hello: OwnRoute = {
  on: 'GET /projects/*/reports/*',
  handle: (_request, { user, params }) => ({ body: { user: user.username, params } }),
};
const report = '/api/v4/projects/acme%2Fapp/reports/one%20two';

describe('a route of the user', () => {
  it('receives the caller and the values of the path', async () => {
    const { call } = await opened([hello]);
    const { status, headers, text } = await call('GET', report);
    expect([status, headers.get('content-type'), JSON.parse(text)])
      .toEqual([200, 'application/json', { user: 'developer', params: ['acme/app', 'one two'] }]);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  it('needs a valid token, and respects its scopes', async () => {
    const { call } = await opened([hello, { on: 'POST /things', handle: () => ({ status: 201 }) }], { world: {
      users: [{ username: 'ada', tokens: [{ token: 'ada-token', scopes: ['read_api'] }] }],
    } });
    expect((await call('GET', report, null)).status).toBe(401);
    expect((await call('GET', report, 'nobody')).status).toBe(401);
    expect((await call('GET', report, 'ada')).status).toBe(200);
    expect((await call('POST', '/api/v4/things', 'ada')).status).toBe(403);
  });

  it('receives a standard request, and may return a standard response', async () => {
    const { call } = await opened([{
      on: 'PATCH /echo',
      handle: async (request) => new Response(`${request.method} ${new URL(request.url).search} ${await request.text()}`,
        { status: 202, headers: { 'x-own': 'yes', connection: 'close' } }),
    }]);
    const { status, headers, text } = await call('PATCH', '/api/v4/echo?a=1', 'developer', 'any text');
    expect([status, headers.get('x-own'), text]).toEqual([202, 'yes', 'PATCH ?a=1 any text']);
  });

  it('can ask for the rights of the caller', async () => {
    const { call } = await opened([{
      on: 'GET /rights/*',
      handle: async (_request, { params: [id = ''], canSee, hasRole }) =>
        ({ body: [await canSee(id), await hasRole(id, 'developer'), await hasRole(id, 'maintainer')] }),
    }]);
    const rights = async (user: string, id: string) => JSON.parse((await call('GET', `/api/v4/rights/${id}`, user)).text) as unknown;
    expect(await rights('developer', '20')).toEqual([true, true, false]);
    expect(await rights('developer', 'acme%2Fapp')).toEqual([true, true, false]);
    expect(await rights('guest', '20')).toEqual([true, false, false]);
    expect(await rights('root', '20')).toEqual([true, true, true]);
    expect(await rights('developer', '999')).toEqual([false, false, false]);
  });

  it('can demand a right, and the service rejects the request', async () => {
    const { call } = await opened([{
      on: 'GET /projects/*/deployments',
      handle: async (_request, { params: [id = ''], project }) => ({ body: await project(id, 'maintainer') }),
    }]);
    expect(await call('GET', '/api/v4/projects/999/deployments')).toMatchObject({ status: 404, text: '{"message":"404 Project Not Found"}' });
    expect(await call('GET', '/api/v4/projects/20/deployments')).toMatchObject({ status: 403, text: '{"message":"403 Forbidden"}' });
    const { status, text } = await call('GET', '/api/v4/projects/20/deployments', 'root');
    expect([status, JSON.parse(text)]).toMatchObject([200, { id: 20, path: 'acme/app', archived: false }]);
  });

  it('sees a copy of the data, of the world of the request', async () => {
    const { service, call } = await opened([{
      on: 'GET /names', handle: async (_request, { world }) => ({ body: (await world()).users?.map(({ username }) => username) }),
    }]);
    const a = await service.openWorld('a');
    await a.set({ users: [{ username: 'eva', token: 'eva-token' }] });
    expect((await call('GET', '/w/a/api/v4/names', 'eva')).text).toBe('["eva"]');
    expect((await call('GET', '/api/v4/names')).text).toContain('"developer"');
  });

  it('is subject to faults, and is in the log', async () => {
    const { service, call } = await opened([hello]);
    await service.faults(['GET /projects/*/reports/* => status 503 times=1']);
    expect((await call('GET', report)).status).toBe(503);
    expect((await call('HEAD', report)).status).toBe(200);
    expect(await service.requests({ status: '200' })).toMatchObject([{ method: 'HEAD', user: 'developer', missing: null }]);
  });

  it('that throws is a 500 that names the route, and the error is reported', async () => {
    const errors: unknown[] = [];
    const { call } = await opened([{
      on: 'GET /broken', handle: () => { throw new Error('secret detail'); },
    }], { onFault: (error) => { errors.push(error); } });
    const { status, text } = await call('GET', '/api/v4/broken');
    expect([status, text]).toEqual([500, '{"message":"500 Internal Server Error - the route \\"GET /broken\\" failed"}']);
    expect(errors).toMatchObject([{ name: 'RouteFault', cause: { message: 'secret detail' } }]);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined], ['a text', 'x'], ['an invalid status', { status: 99 }], ['a header that splits', { headers: { a: 'b\r\nc: d' } }],
    ['a header of the server', { headers: { 'content-length': '1' } }], ['an error response', Response.error()],
    ['a second cookie', new Response('x', { headers: [['set-cookie', 'a=1'], ['set-cookie', 'b=2']] })],
  ])('that returns %s is a 500', async (_what, returned) => {
    const { call } = await opened([{ on: 'GET /odd', handle: () => returned as Response }]);
    expect(await call('GET', '/api/v4/odd')).toMatchObject({ status: 500, text: expect.stringContaining('GET /odd') as string });
  });

  it('replaces an endpoint of the server with exactly the same path only', async () => {
    const own = (on: string): OwnRoute => ({ on, handle: () => ({ body: `own ${on}` }) });
    const { call } = await opened([own('GET /version'), own('GET /projects/*/*'), own('GET /projects/*')]);
    expect((await call('GET', '/api/v4/version')).text).toBe('own GET /version');
    expect((await call('GET', '/api/v4/projects/20')).text).toBe('own GET /projects/*');
    expect((await call('GET', '/api/v4/projects/20/anything')).text).toBe('own GET /projects/*/*');
    expect((await call('GET', '/api/v4/user')).text).toContain('"developer"');
    expect((await call('GET', '/api/v4/projects/20/issues')).text).not.toContain('own');
  });

  it('leaves other paths and methods missing', async () => {
    const { call } = await opened([hello]);
    for (const [method, path] of [['POST', report], ['GET', '/api/v4/projects/20/report'], ['GET', `${report}/more`]] as const) {
      const { status, headers } = await call(method, path);
      expect([status, headers.has('x-colloquy-missing')]).toEqual([404, true]);
    }
  });

  it('works over a socket', async () => {
    const server = await startServer({ world: acme, routes: [hello] });
    onTestFinished(() => server.close());
    const response = await fetch(server.url + report, { headers: { 'private-token': 'developer-token' } });
    expect(await response.json()).toEqual({ user: 'developer', params: ['acme/app', 'one two'] });
  });
});

describe('an invalid route is an error at the start', () => {
  it.each<[string, string]>([
    ['/things', 'it is not a method and a path'],
    ['GET things', 'the path is invalid'],
    ['GET /things/a*b', 'the path is invalid'],
    ['GET /things/:id', 'the path is invalid'],
    ['GETT /things', 'the method is unknown; use GET, POST, PUT, PATCH, DELETE'],
    ['GET /api/v4/things', 'the path starts with /api/v4; leave it out'],
    ['GET /reports/*', 'there are two with this path; remove one'],
  ])('%s', async (on, problem) => {
    const routes: OwnRoute[] = [{ on: 'GET /reports/*', handle: () => ({}) }, { on, handle: () => ({}) }];
    for (const start of [openService, startServer]) {
      await expect(start({ routes })).rejects.toThrow(TypeError);
      await expect(start({ routes })).rejects.toThrow(`invalid route ${JSON.stringify(on)}: ${problem}`);
    }
  });
});
