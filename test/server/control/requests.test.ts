import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LoggedExchange } from '../../../src/server/http/request-log.js';
import { openService, startServer } from '../../../src/server/index.js';
import { harProblems } from '../../support/har.js';
import { testService, type TestService } from '../../support/service.js';

const issue = '/projects/20/issues/1/discussions';

const withSome = async () => {
  const service = await testService();
  await service.get(issue);
  await service.post(issue, { json: { body: 'hello', private_token: 'secret-in-body' } });
  await service.get('/projects/99?per_page=1');
  return service;
};

const targets = async ({ get }: TestService, query: string) =>
  (await get<LoggedExchange[]>(`/-/requests?${query}`)).body.map(({ method, target }) => `${method} ${target.replace('/api/v4', '')}`);

describe('GET /-/requests', () => {
  it.each([
    ['method=POST', [`POST ${issue}`]],
    ['path=/projects/*/issues/*', [`GET ${issue}`, `POST ${issue}`]],
    ['path=/api/v4/projects/99', ['GET /projects/99?per_page=1']],
    ['status=200', [`GET ${issue}`]],
    ['status=4xx', [`POST ${issue}`, 'GET /projects/99?per_page=1']],
    ['method=GET&status=2xx&path=*discussions', [`GET ${issue}`]],
    ['since=2024-05-01T12:00:00Z&method=POST', [`POST ${issue}`]],
    ['since=2024-05-01T12:00:00.001Z', []],
    ['status=500', []],
  ])('selects by %s', async (query, expected) => {
    expect(await targets(await withSome(), query)).toEqual(expected);
  });

  it('returns the requests after the one with an id', async () => {
    const service = await withSome();
    const { body: [first] } = await service.get<LoggedExchange[]>('/-/requests');
    expect(await targets(service, `since=${first!.id}`)).toEqual([`POST ${issue}`, 'GET /projects/99?per_page=1']);
  });

  it.each([
    ['status=abc', 'invalid status "abc"'], ['since=later', 'invalid since "later"'], ['metod=GET', 'unknown parameter "metod"'],
    ['format=xml', 'invalid format: use json, har, curl'], ['wait=301', 'invalid wait'], ['wait=-1', 'invalid wait'], ['wait=', 'invalid wait'],
  ])('rejects %s', async (query, message) => {
    const { status, body } = await (await testService()).get<{ message: string }>(`/-/requests?${query}`);
    expect(status).toBe(400);
    expect(body.message).toContain(message);
  });

  it('selects requests of another world by its name, with all filters', async () => {
    const service = await withSome();
    await service.get(`/w/a/api/v4${issue}`);
    await service.post(`/w/a/api/v4${issue}`, { json: { body: 'in a' } });
    await service.get(`/w/b/api/v4${issue}`);
    expect(await targets(service, 'world=a')).toEqual([`GET ${issue}`, `POST ${issue}`]);
    expect(await targets(service, 'world=a&method=POST&path=*/discussions&status=2xx')).toEqual([`POST ${issue}`]);
    const { body: [first] } = await service.get<LoggedExchange[]>('/-/requests?world=a');
    expect(await targets(service, `world=a&since=${first!.id}`)).toEqual([`POST ${issue}`]);
    expect(await targets(service, 'world=b')).toEqual([`GET ${issue}`]);
    expect((await service.service.requests({ world: 'a', method: 'post' })).map(({ world }) => world)).toEqual(['a']);
  });

  it('returns no requests of a world that does not exist, and does not make it', async () => {
    const service = await withSome();
    expect(await targets(service, 'world=none')).toEqual([]);
    expect((await service.call('DELETE', '/-/worlds/none')).status).toBe(404);
  });

  it.each([['/-/requests?world=a%20b', 'invalid world name'], ['/w/a/-/requests?world=b', 'leave out world']])(
    'rejects %s', async (path, message) => {
      const { status, body } = await (await withSome()).get<{ message: string }>(path);
      expect(status).toBe(400);
      expect(body.message).toContain(message);
    });

  it.each(['/-/requests?world=a&', '/w/a/-/requests?'])('writes URLs with the world, asked through %s', async (path) => {
    const service = await testService();
    await service.get('/w/a/api/v4/version');
    expect((await service.get(`${path}format=curl`)).text).toContain('http://service.test/w/a/api/v4/version');
    const { body } = await service.get<{ log: { entries: { request: { url: string } }[] } }>(`${path}format=har`);
    expect(body.log.entries.map(({ request }) => request.url)).toEqual(['http://service.test/w/a/api/v4/version']);
  });

  it('writes a body with all its characters as a curl command', async () => {
    const service = await testService();
    await service.post(issue, { json: { body: 'a <b> & "c"' } });
    expect((await service.get('/-/requests?format=curl')).text).toContain(`--data-raw '{"body":"a <b> & \\"c\\""}'`);
  });

  it('selects responses that a fault prevented by the status 0', async () => {
    const service = await testService({ faults: ['GET /version => reset'] });
    await expect(service.get('/version')).rejects.toMatchObject({ code: 'ECONNRESET' });
    await service.get('/user');
    expect(await targets(service, 'status=0')).toEqual(['GET /version']);
  });

  it('shows the response of each request', async () => {
    const { get, post } = await testService();
    await post(issue, { json: { body: 'hello' } });
    const { body: [logged] } = await get<LoggedExchange[]>('/-/requests');
    expect(logged!.response).toMatchObject({ headers: { 'content-type': 'application/json' }, isTruncated: false });
    expect(JSON.parse(logged!.response.body!)).toMatchObject({ individual_note: false, notes: [{ body: 'hello' }] });
  });
});

describe('GET /-/requests?wait', () => {
  it('returns matching requests at once if there are some', async () => {
    expect(await targets(await withSome(), 'wait=300&method=POST')).toEqual([`POST ${issue}`]);
  });

  it('waits for the first matching request', async () => {
    const service = await withSome();
    const waiting = targets(service, 'wait=300&method=DELETE');
    await service.get(issue);
    await service.delete(`${issue}/x/notes/1`);
    expect(await waiting).toEqual([`DELETE ${issue}/x/notes/1`]);
  });

  it('waits for the first request of a world that does not exist yet', async () => {
    const service = await withSome();
    const waiting = targets(service, 'wait=300&world=later&method=GET');
    await service.get(`/w/later/api/v4${issue}`);
    expect(await waiting).toEqual([`GET ${issue}`]);
  });

  it('returns an empty list after the time', async () => {
    expect(await targets(await withSome(), 'wait=0.05&method=DELETE')).toEqual([]);
  });

  it('rejects the caller after a hundred waiting ones', async () => {
    const { get, close } = await testService();
    const waiting = Array.from({ length: 100 }, () => get('/-/requests?wait=300'));
    await vi.waitFor(async () => { expect((await get('/-/requests?wait=0.01')).status).toBe(503); });
    await close();
    for (const { status, body } of await Promise.all(waiting)) expect({ status, body }).toEqual({ status: 200, body: [] });
  });

  it('leaves its place to others when its caller disconnects', async () => {
    const server = await startServer();
    onTestFinished(() => server.close());
    const leaving = new AbortController();
    const wait = (seconds: number, signal?: AbortSignal) => fetch(`${server.url}/-/requests?wait=${seconds}`, { ...signal && { signal } });
    const waiting = Array.from({ length: 100 }, () => wait(300, leaving.signal).catch((error: unknown) => error));
    await vi.waitFor(async () => { expect((await wait(0.01)).status).toBe(503); });
    leaving.abort();
    await Promise.all(waiting);
    await vi.waitFor(async () => { expect((await wait(0.01)).status).toBe(200); });
  });

  it('ends when its world is deleted', async () => {
    const service = await testService();
    const waiting = service.get('/w/a/-/requests?wait=300');
    await service.get('/w/a/-/health');
    await expect.poll(async () => (await service.call('DELETE', '/-/worlds/a')).status).toBe(204);
    expect(await waiting).toMatchObject({ status: 200, body: [] });
  });

  it('ends in a world when the server is closed', async () => {
    const server = await startServer();
    const waiting = fetch(`${server.worldUrl('a')}/-/requests?wait=300`);
    await expect.poll(async () => (await fetch(`${server.worldUrl('a')}/-/health`)).status).toBe(200);
    await server.close();
    expect(await (await waiting).json()).toEqual([]);
  });

  it('ends when the server is closed', async () => {
    const server = await startServer();
    const waiting = fetch(`${server.url}/-/requests?wait=300`);
    await fetch(`${server.url}/-/health`);
    await server.close();
    expect(await (await waiting).json()).toEqual([]);
  });
});

describe('requests() in code', () => {
  it('selects and waits like the control plane', async () => {
    const service = await openService();
    onTestFinished(() => service.close());
    const send = (target: string) => service.handle({ method: 'GET', target, headers: {} });
    await send('/api/v4/user');
    expect(await service.requests()).toMatchObject([{ target: '/api/v4/user', status: 401 }]);
    expect(await service.requests({ status: 500 })).toEqual([]);
    const waiting = service.requests({ path: '/version', timeout: 300_000 });
    await send('/api/v4/version');
    expect(await waiting).toMatchObject([{ target: '/api/v4/version' }]);
    expect(await service.requests({ path: '/nothing', timeout: 10 })).toEqual([]);
  });

  it('rejects an invalid filter', async () => {
    const service = await openService();
    onTestFinished(() => service.close());
    await expect(service.requests({ status: 'ok' })).rejects.toThrow('invalid status "ok"');
    await expect(service.requests({ timeout: NaN })).rejects.toThrow('invalid timeout NaN');
  });
});

describe('the formats of GET /-/requests', () => {
  it('are curl commands', async () => {
    const { get } = await withSome();
    const { text, headers } = await get('/-/requests?format=curl&method=POST');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^curl --globoff -X POST http:\/\/service\.test\/api\/v4\/projects\/20\/issues\/1\/discussions .*\n$/);
    expect(text).not.toContain('secret');
  });

  it('are an HTTP archive that follows HAR 1.2', async () => {
    const { get } = await withSome();
    const { body, text } = await get<{ log: { entries: { time: number; timings: Record<string, number> }[] } }>('/-/requests?format=har');
    expect(harProblems(body)).toEqual([]);
    expect(body.log.entries).toHaveLength(3);
    for (const { time, timings } of body.log.entries) expect(Object.values(timings).reduce((sum, each) => sum + each)).toBe(time);
    expect(body.log.entries[2]).toMatchObject({
      startedDateTime: expect.stringMatching(/^2024-05-01T1[12]:\d\d:\d\d\.\d{3}Z$/),
      request: { method: 'GET', url: 'http://service.test/api/v4/projects/99?per_page=1', queryString: [{ name: 'per_page', value: '1' }] },
      response: { status: 404, statusText: 'Not Found', content: { mimeType: 'application/json' } },
    });
    expect(text).not.toContain('secret');
  });
});
