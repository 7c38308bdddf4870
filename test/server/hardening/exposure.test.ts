import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { demoWorld, openService, type ServerOptions } from '../../../src/server/index.js';
import { everyRow } from '../../support/rows.js';
import { raw, started, statuses } from '../../support/sockets.js';
import { acme } from '../../support/worlds.js';

const remote = '0.0.0.0';
/** A world with a token of its own. */
const own = { users: [{ username: 'ada', token: 'of-my-own' }] };

const steering = [
  ['GET', '/-/requests'], ['POST', '/-/reset'], ['GET', '/-/world'], ['PUT', '/-/world'],
] as const;

const opened = async (options: ServerOptions) => {
  const service = await openService(options);
  onTestFinished(() => service.close());
  const call = (method: string, target: string, headers: Record<string, string> = {}, body = '') =>
    service.handle({ method, target, headers, body });
  return { ...service, call, as: (token: string) => call('GET', '/api/v4/user', { 'private-token': token }) };
};

const file = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-exposure-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'store.db');
};

describe('the control plane', () => {
  it.each(steering)('off the loopback is closed without its own token: %s %s', async (method, path) => {
    const { call } = await opened({ world: own, host: remote });
    const { status, body } = await call(method, path);
    expect(status).toBe(403);
    expect(JSON.parse(String(body))).toEqual({
      message: '403 Forbidden - The control plane is closed: other machines can reach this server, and no control token is set',
    });
  });

  it.each(['192.168.1.5', '::', 'box.lan', '10.0.0.1', '0.0.0.0'])('is closed on %s', async (host) => {
    expect((await (await opened({ world: own, host })).call('POST', '/-/reset')).status).toBe(403);
  });

  it.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])('is open on %s', async (host) => {
    expect((await (await opened({ world: own, host })).call('POST', '/-/reset')).status).toBe(204);
  });

  it('is open off the loopback to its token, and health to all', async () => {
    const { call } = await opened({ world: own, host: remote, controlToken: 'key' });
    for (const authorization of ['Bearer key', 'bearer key', 'BEARER key', 'Bearer  key ']) {
      expect((await call('POST', '/-/reset', { authorization })).status).toBe(204);
    }
    for (const authorization of ['Bearer', 'Bearer ', 'Bearer ke', 'Bearer keyy', 'Bearer KEY', 'Basic key', 'key', '']) {
      expect((await call('POST', '/-/reset', { authorization })).status).toBe(401);
    }
    expect((await call('POST', '/-/reset', { 'private-token': 'root-token' })).status).toBe(401);
    expect((await call('GET', '/-/health')).status).toBe(200);
  });

  it('is closed if its token is empty', async () => {
    const { call } = await opened({ world: own, controlToken: '' });
    for (const authorization of ['Bearer', 'Bearer ', '', 'Bearer x']) expect((await call('POST', '/-/reset', { authorization })).status).toBe(401);
    expect((await call('POST', '/-/reset')).status).toBe(401);
  });

  it('does not go by who calls: a caller on the same machine may be a proxy', async () => {
    const { url } = await started({ host: remote, world: own });
    const answer = await raw(url, 'POST /-/reset HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 127.0.0.1\r\nconnection: close\r\n\r\n');
    expect(statuses(answer)).toEqual([403]);
  });

  it.each(['http://localhost', 'http://127.0.0.1:80', 'null', 'http://evil.example', ''])(
    'is refused to a page of %j, with and without the token, changing nothing', async (origin) => {
      const { call } = await opened({ world: own, controlToken: 'key' });
      const before = String((await call('GET', '/-/world', { authorization: 'Bearer key' })).body);
      for (const [method, path] of [...steering, ['GET', '/-/health'] as const]) {
        expect((await call(method, path, { origin, authorization: 'Bearer key' })).status).toBe(403);
      }
      expect(String((await call('GET', '/-/world', { authorization: 'Bearer key' })).body)).toBe(before);
    });
});

describe('a request that came through a proxy', () => {
  const marks: readonly (readonly [string, string])[] = [
    ['forwarded', 'for=192.0.2.1'], ['x-forwarded-for', '192.0.2.1'], ['x-forwarded-host', 'localhost'], ['x-forwarded-proto', 'http'],
    ['x-forwarded-prefix', ''], ['via', '1.1 proxy'], ['x-real-ip', '127.0.0.1'],
  ];

  it.each(marks)('gets into the control plane with its token alone: %s', async (name, value) => {
    const { call } = await opened({ world: own });
    for (const [method, path] of steering) {
      const { status, body } = await call(method, path, { [name]: value });
      expect(status).toBe(403);
      expect(JSON.parse(String(body))).toEqual({
        message: '403 Forbidden - The control plane is closed: the request came through a proxy, and no control token is set',
      });
    }
    expect((await call('GET', '/-/health', { [name]: value })).status).toBe(200);
    expect((await call('POST', '/-/reset')).status).toBe(204);
    const closed = await opened({ world: own, controlToken: 'key' });
    expect((await closed.call('POST', '/-/reset', { [name]: value })).status).toBe(401);
    expect((await closed.call('POST', '/-/reset', { [name]: value, authorization: 'Bearer key' })).status).toBe(204);
  });

  it.each(marks)('is known by it on the socket, in any spelling: %s', async (name, value) => {
    const { url } = await started({ world: own });
    const reset = (header: string) => raw(url, `POST /-/reset HTTP/1.1\r\nhost: localhost\r\n${header}connection: close\r\n\r\n`);
    expect(statuses(await reset(`${name.toUpperCase()}: ${value}\r\n`))).toEqual([403]);
    expect(statuses(await reset(''))).toEqual([204]);
  });

  it('is handled by the API like any other', async () => {
    const { call } = await opened({ world: own });
    const headers = { ...Object.fromEntries(marks), 'private-token': 'of-my-own' };
    expect((await call('GET', '/api/v4/user', headers)).status).toBe(200);
  });
});

describe('a page of another origin', () => {
  const sites = ['cross-site', 'same-site', 'same-origin, cross-site', 'elsewhere', ''];
  const token = 'private_token=maintainer-token';
  const notes = '/api/v4/projects/20/issues/1/notes';
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const closed: readonly (readonly [method: string, target: string, headers?: Record<string, string>, body?: string])[] = [
    ['GET', '/w/evil/-/requests'], ['HEAD', '/w/evil/-/requests'], ['GET', '/w/evil/-/inspector/live'], ['GET', '/w/evil/-/world'],
    ['GET', `/w/evil/api/v4/version?${token}`], ['GET', `/w/evil/uploads/-/system/x.png?${token}`], ['GET', `/w/evil?${token}`],
    ['POST', `/w/evil${notes}?${token}&body=x`], ['POST', '/w/evil/-/reset', form], ['GET', '/w/made/-/requests'],
    ['GET', '/-/requests'], ['GET', '/-/hooks?wait=0'], ['POST', '/-/reset', form], ['PUT', '/-/world', {}, '{}'], ['POST', '/-/push', form, '{}'],
    ['PUT', '/-/faults', {}, '{"rules":[]}'], ['DELETE', '/-/faults'], ['PUT', '/-/clock', {}, '{"advance":"1h"}'], ['PUT', '/-/snapshots/a'],
    ['DELETE', '/-/worlds/made'], ['POST', '/-/hooks/1/redeliver'], ['GET', '/-/inspector/requests'], ['GET', '/-/nothing'], ['POST', '/-/'],
    ['POST', notes, form, `${token}&body=x`], ['POST', `${notes}?${token}&body=x`], ['DELETE', `/api/v4/projects/20/issues/1?${token}`],
    ['POST', notes, { ...form, 'private-token': 'maintainer-token' }, 'body=x'], ['GET', `/api/v4/user?${token}`], ['OPTIONS', notes],
    ['GET', '/uploads/-/system/x.png'], ['GET', '/nothing'], ['CONNECT', '/-/reset'],
  ];
  const open = [
    '/-/', '/-/?x=1', '/-/health', '/-/openapi.json', '/-/assumptions', '/-/inspector/page.js', '/-/inspector/page.css', '/w/evil/-/',
    '/w/evil/-/health',
  ];

  /** All that such a page could change: data, worlds, the log, the hits of faults, the clock and snapshots. */
  const stateOf = async ({ world, worlds, requests, faults, clock, call }: Awaited<ReturnType<typeof opened>>) => JSON.stringify([
    await world(), await worlds(), await requests(), await faults(), await clock(), String((await call('GET', '/-/snapshots')).body),
  ]);

  it.each(sites)('changes nothing, and makes no world, if its browser says %j', async (site) => {
    const service = await opened({ world: acme, faults: ['GET /user => status 500 times=9'], now: '2024-05-01T12:00:00Z' });
    await service.openWorld('made');
    const before = await stateOf(service);
    await everyRow(closed, (row) => row.slice(0, 2).join(' '), async ([method, target, headers = {}, body = '']) => {
      const { status, body: text } = await service.call(method, target, { ...headers, 'sec-fetch-site': site }, body);
      expect([status, String(text)]).toEqual([403, method === 'HEAD' ? ''
        : '{"message":"403 Forbidden - The request came from a page of another origin; send it without a browser, or from a page of this server"}']);
      expect(await stateOf(service)).toBe(before);
    });
  });

  it.each(sites)('can open what is open to all, without a world, if its browser says %j', async (site) => {
    const service = await opened({ world: acme });
    await everyRow(open, (target) => target, async (target) => {
      for (const method of ['GET', 'HEAD']) {
        expect((await service.call(method, target, { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).status).toBe(200);
      }
    });
    expect(await service.worlds()).toEqual([]);
  });

  it('is known by its origin where its browser sends no more', async () => {
    const { call, worlds } = await opened({ world: acme });
    const host = 'test.example:8080';
    for (const origin of ['http://evil.example', 'http://test.example', 'null']) {
      expect((await call('POST', `/w/two${notes}?${token}&body=x`, { origin, host: 'localhost' })).status).toBe(403);
    }
    expect(await worlds()).toEqual([]);
    expect((await call('POST', `/w/two${notes}?${token}&body=x`, { origin: 'http://localhost', host: 'localhost' })).status).toBe(201);
    expect((await call('GET', `/api/v4/user?${token}`, { origin: `http://${host}`, host: 'localhost' })).status).toBe(403);
  });

  it.each([{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, { 'sec-fetch-mode': 'cors' }])(
    'is not what other callers are: %j', async (headers) => {
      const { call, worlds } = await opened({ world: acme });
      expect((await call('GET', '/w/one/-/requests', headers)).status).toBe(200);
      expect((await call('POST', `/w/two${notes}?${token}&body=x`, headers)).status).toBe(201);
      expect((await call('POST', '/-/reset', headers)).status).toBe(204);
      expect(await worlds()).toEqual(['one', 'two']);
    });

  it('is known on the socket in any spelling, also by the start of a WebSocket, and in code', async () => {
    const { url, worlds, fetch, openWorld } = await started();
    const get = (headers: string) => raw(url, `GET /w/evil/-/requests HTTP/1.1\r\nhost: localhost\r\n${headers}connection: close\r\n\r\n`);
    expect(statuses(await get('SEC-FETCH-SITE: cross-site\r\n'))).toEqual([403]);
    expect(statuses(await get('Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n'))).toEqual([403]);
    const socket = 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
    expect(statuses(await get(`${socket}sec-fetch-mode: websocket\r\nsec-fetch-site: cross-site\r\n`))).toEqual([403]);
    const site = { 'sec-fetch-site': 'cross-site' };
    expect((await fetch(new Request('http://x/w/evil/-/requests', { headers: site }))).status).toBe(403);
    expect(await worlds()).toEqual([]);
    const world = await openWorld('own');
    expect((await world.handle({ method: 'POST', target: '/-/reset', headers: site })).status).toBe(403);
    expect((await world.handle({ method: 'POST', target: '/-/reset', headers: {} })).status).toBe(204);
  });
});

describe('a server with another name than the loopback’s', () => {
  const names: readonly ServerOptions[] = [
    { allowedHosts: ['ci.example'] }, { allowedHosts: ['localhost', 'ci.example:80'] }, { allowedHosts: ['192.168.1.5'] },
  ];

  it.each(names)('has a closed control plane without a control token, and fresh tokens: %j', async (options) => {
    const { call, tokens, as } = await opened(options);
    for (const [method, path] of steering) expect((await call(method, path)).status).toBe(403);
    expect((await as('root-token')).status).toBe(401);
    expect((await as(tokens['root']!)).status).toBe(200);
  });

  it.each<ServerOptions>([{ allowedHosts: [] }, { allowedHosts: ['app.localhost', 'localhost:80', '127.0.0.2', '::1'] }])(
    'is none where every name is one of the loopback: %j', async (options) => {
      const { call, as } = await opened(options);
      expect((await call('POST', '/-/reset')).status).toBe(204);
      expect((await as('root-token')).status).toBe(200);
    });

  it('has it from its external URL too, once it listens', async () => {
    const reset = 'POST /-/reset HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';
    const outside = await started({ world: demoWorld, externalUrl: 'https://code.example/gitlab' });
    expect(statuses(await raw(outside.url, reset))).toEqual([403]);
    expect(outside.tokens['root']).not.toBe('root-token');
    const inside = await started({ world: demoWorld, externalUrl: 'http://app.localhost:8080' });
    expect(statuses(await raw(inside.url, reset))).toEqual([204]);
    expect(inside.tokens['root']).toBe('root-token');
  });

  it('rejects a stored demo world with its tokens', async () => {
    const data = file();
    await (await openService({ data })).close();
    await expect(openService({ data, allowedHosts: ['ci.example'] })).rejects.toMatchObject({ name: 'StoreError' });
  });
});

describe('a server that other machines can reach', () => {
  it('has random tokens in the demo world and returns them', async () => {
    const { tokens, as } = await opened({ host: remote });
    expect(Object.keys(tokens)).toEqual(['root', 'ada', 'bob', 'eve']);
    expect(new Set(Object.values(tokens)).size).toBe(4);
    for (const [username, token] of Object.entries(tokens)) {
      expect(token).toMatch(/^[0-9a-f]{40}$/);
      expect(JSON.parse(String((await as(token)).body))).toMatchObject({ username });
      expect((await as(`${username}-token`)).status).toBe(401);
    }
  });

  it('has other ones each time, and the same after a reset', async () => {
    const [one, other] = [await opened({ host: remote, controlToken: 'key' }), await opened({ host: remote })];
    expect(one.tokens['root']).not.toBe(other.tokens['root']);
    expect((await one.call('POST', '/-/reset', { authorization: 'Bearer key' })).status).toBe(204);
    expect((await one.as(one.tokens['root']!)).status).toBe(200);
    expect((await one.as('root-token')).status).toBe(401);
  });

  it('has a random token for the administrator of a world without users', async () => {
    const { tokens, as } = await opened({ host: remote, world: { groups: [] } });
    expect((await as('root-token')).status).toBe(401);
    expect((await as(tokens['root']!)).status).toBe(200);
  });

  it('keeps the tokens that a world of one’s own names, whatever they are', async () => {
    const world = { users: [{ username: 'ada', tokens: [{ token: 'root-token' }] }] };
    expect((await (await opened({ host: remote, world })).as('root-token')).status).toBe(200);
  });

  it('rejects a stored demo world with its tokens', async () => {
    const data = file();
    await (await openService({ data })).close();
    await expect(openService({ data, host: remote })).rejects.toMatchObject({
      name: 'StoreError', message: expect.stringContaining('is publicly known'), hint: expect.stringContaining('a new store'),
    });
  });

  it('is given no world without users later', async () => {
    const { call, as } = await opened({ host: remote, controlToken: 'key', world: own });
    const headers = { authorization: 'Bearer key' };
    expect((await call('PUT', '/-/world', headers, 'groups: []')).status).toBe(422);
    expect((await as('root-token')).status).toBe(401);
    expect((await call('PUT', '/-/world', headers, 'users: [{ username: a, token: own }]')).status).toBe(204);
    expect((await as('own')).status).toBe(200);
  });
});

describe('the tokens that a server returns', () => {
  it('are those its world names in the open, of each user the first that was not revoked', async () => {
    const world = { users: [
      { username: 'ada', tokens: [{ token: 'old', revoked: true }, { token: 'new' }, { token: 'newer' }] },
      { username: 'bob', tokens: [{ digest: 'a'.repeat(64) }] }, { username: 'eve' },
    ] };
    expect((await opened({ world })).tokens).toEqual({ ada: 'new' });
  });

  it('are on the loopback the demo’s own', async () => {
    const server = await started({ world: demoWorld });
    expect(server.tokens).toEqual({ root: 'root-token', ada: 'ada-token', bob: 'bob-token', eve: 'eve-token' });
  });

  it('are none that the store does not have', async () => {
    const data = file();
    await (await openService({ data, world: { users: [{ username: 'ada', token: 'a' }, { username: 'bob', token: 'b' }] } })).close();
    const world = { users: [{ username: 'ada', token: 'a' }, { username: 'bob', token: 'changed' }, { username: 'eve', token: 'b' }] };
    expect((await opened({ data, world })).tokens).toEqual({ ada: 'a' });
  });
});
