import { describe, expect, it, onTestFinished } from 'vitest';
import type { LoggedExchange } from '../../../../src/server/http/request-log.js';
import { openService, startServer } from '../../../../src/server/index.js';
import { issue, afterRequests } from '../../../support/logged-requests.js';
import { testService, type TestService } from '../../../support/service.js';

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
    expect(await targets(await afterRequests(), query)).toEqual(expected);
  });

  it('returns the requests after the one with an id', async () => {
    const service = await afterRequests();
    const { body: [first] } = await service.get<LoggedExchange[]>('/-/requests');
    expect(await targets(service, `since=${first!.id}`)).toEqual([`POST ${issue}`, 'GET /projects/99?per_page=1']);
  });

  it('selects requests of another world by its name, with all filters', async () => {
    const service = await afterRequests();
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
    const service = await afterRequests();
    expect(await targets(service, 'world=none')).toEqual([]);
    expect((await service.call('DELETE', '/-/worlds/none')).status).toBe(404);
  });

  it('selects responses that a fault prevented by the status 0', async () => {
    const service = await testService({ faults: ['GET /version => reset'] });
    await expect(service.get('/version')).rejects.toMatchObject({ code: 'ECONNRESET' });
    await service.get('/user');
    expect(await targets(service, 'status=0')).toEqual(['GET /version']);
  });
});

describe('GET /-/requests?wait', () => {
  it('returns matching requests at once if there are some', async () => {
    expect(await targets(await afterRequests(), 'wait=300&method=POST')).toEqual([`POST ${issue}`]);
  });

  it('waits for the first matching request', async () => {
    const service = await afterRequests();
    const waiting = targets(service, 'wait=300&method=DELETE');
    await service.get(issue);
    await service.delete(`${issue}/x/notes/1`);
    expect(await waiting).toEqual([`DELETE ${issue}/x/notes/1`]);
  });

  it('waits for the first request of a world that does not exist yet', async () => {
    const service = await afterRequests();
    const waiting = targets(service, 'wait=300&world=later&method=GET');
    await service.get(`/w/later/api/v4${issue}`);
    expect(await waiting).toEqual([`GET ${issue}`]);
  });

  it('returns an empty list after the time', async () => {
    expect(await targets(await afterRequests(), 'wait=0.05&method=DELETE')).toEqual([]);
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
