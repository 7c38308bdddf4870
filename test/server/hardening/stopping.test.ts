import { Agent, request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../src/contract/shapes/note.js';
import { listen } from '../../../src/server/http/listen.js';
import { openService, startServer, type ServerOptions } from '../../../src/server/index.js';
import type { HttpRequest, Service } from '../../../src/wire/http.js';
import { nextTurn } from '../../../src/wire/time.js';
import { connected, listening, pause, statuses, untilClosed } from '../../support/sockets.js';
import { newStore } from '../../support/stores.js';
import { acme } from '../../support/worlds.js';

const path = '/api/v4/projects/20/issues/1/discussions';
const token = { 'private-token': 'developer-token' };

/** Adds a thread. Gives its id; null where no answer came, because no connection could be had or it was not taken. */
const post = (url: string, agent: Agent, body: string): Promise<string | null> => new Promise((resolve, reject) => {
  const headers = { ...token, 'content-type': 'application/json' };
  const request = httpRequest(url + path, { method: 'POST', agent, headers }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => { text += chunk; }).on('error', reject);
    response.on('end', () => resolve((JSON.parse(text) as Discussion).id));
  });
  request.on('error', () => resolve(null)).end(JSON.stringify({ body }));
});

/** All threads of the issue, by the text of their first note. */
const threadsIn = async (service: Service): Promise<Map<string, string>> => {
  const found = new Map<string, string>();
  for (let page = 1; ; page++) {
    const { body } = await service.handle({ method: 'GET', target: `${path}?per_page=100&page=${page}`, headers: token });
    const threads = JSON.parse(Buffer.from(body as Uint8Array).toString()) as Discussion[];
    if (threads.length === 0) return found;
    for (const { id, notes } of threads) found.set(notes[0]!.body, id);
  }
};

describe('a service that is closed', () => {
  const read = { method: 'GET', target: '/api/v4/user', headers: token };
  const write = { method: 'POST', target: path, headers: { ...token, 'content-type': 'application/json' }, body: '{"body":"late"}' };
  const deaf = () => new Promise<void>(() => undefined);

  it.each<[string, ServerOptions, Partial<HttpRequest>]>([
    ['a read', {}, {}], ['a write', {}, write], ['in a world', {}, { target: `/w/one${read.target}` }],
    ['with latency', { latency: 600_000 }, {}], ['with latency of a caller', { latency: 600_000, sleep: deaf }, {}],
    ['with a delay', { faults: ['* => latency 600000'] }, write], ['with a delay of a caller', { faults: ['* => latency 600000'], sleep: deaf }, write],
    ['a write to a world, delayed', { latency: 600_000, sleep: deaf }, { ...write, target: `/w/one${write.target}` }],
    ['with a slow response', { faults: ['* => dribble 600000'] }, {}], ['slow for a caller', { faults: ['* => dribble 600000'], sleep: deaf }, {}],
  ])('responds to a pending request, and ends its delays: %s', async (_, options, request) => {
    const faults: unknown[] = [];
    for (const wait of [nextTurn, async () => undefined, () => pause(20)]) {
      const service = await openService({ world: acme, ...options, onFault: (error) => { faults.push(error); } });
      const response = service.handle({ ...read, ...request });
      await wait();
      await service.close();
      expect((await response).status).toBe(request.method === 'POST' ? 201 : 200);
    }
    expect(faults).toEqual([]);
  });

  it('does not wait long for a route that never responds in a world', async () => {
    let isCalled = false;
    const service = await openService({
      world: acme, routes: [{ on: 'GET /slow', handle: () => { isCalled = true; return new Promise<object>(() => undefined); } }],
    });
    void service.handle({ ...read, target: '/w/one/api/v4/slow' });
    await expect.poll(() => isCalled).toBe(true);
    await expect(service.close()).resolves.toBeUndefined();
  });

  it('does not wait long for a route that never responds, and rejects its request, and all later ones', async () => {
    let end: (response: object) => void = () => undefined;
    const service = await openService({
      world: acme, routes: [{ on: 'GET /slow', handle: () => new Promise<object>((resolve) => { end = resolve; }) }],
    });
    const slow = service.handle({ ...read, target: '/api/v4/slow' });
    const rejected = expect(slow).rejects.toThrow('the service is closed');
    await Promise.all([service.close(), service.close()]);
    end({});
    await rejected;
    await expect(service.handle(read)).rejects.toThrow('the service is closed');
  });
});

describe('a server that is stopped under load', () => {
  it.each([['kept', true], ['new', false]])('responds to every accepted request, and stores what it acknowledged: %s connections', async (_, keepAlive) => {
    const data = await newStore();
    const service = await openService({ world: acme, data });
    const taken = new Set<string>();
    const server = await listen({
      handle: (request) => {
        taken.add((JSON.parse(Buffer.from(request.body as Uint8Array).toString()) as { body: string }).body);
        return service.handle(request);
      },
    }, { host: '127.0.0.1', port: 0 });
    const agent = new Agent({ keepAlive, maxSockets: 40 });
    const answered = new Map<string, string>();
    const client = async (name: number): Promise<void> => {
      for (let i = 0; ; i++) {
        const id = await post(server.url, agent, `${name}-${i}`);
        if (id === null) return;
        answered.set(`${name}-${i}`, id);
      }
    };
    const clients = Promise.all(Array.from({ length: 40 }, (__, name) => client(name)));
    await pause(150);
    const before = answered.size;
    await server.close();
    await clients;
    agent.destroy();
    expect(answered.size).toBeGreaterThan(before);
    expect([...taken].filter((body) => !answered.has(body))).toEqual([]);
    const stored = await threadsIn(service);
    expect([...answered].filter(([body, id]) => stored.get(body) !== id)).toEqual([]);
    expect(stored.size).toBe(answered.size + 3);
    await service.close();
  });

  it('closes each connection with its last response', async () => {
    let ask: (answer: () => void) => void = () => undefined;
    const asked = new Promise<() => void>((resolve) => { ask = resolve; });
    const service: Service = {
      handle: () => new Promise((resolve) => { ask(() => resolve({ status: 200, headers: {}, body: 'done' })); }),
    };
    const server = await listening(service);
    const socket = await connected(server.url);
    const text = untilClosed(socket);
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    const answer = await asked;
    const closed = server.close();
    await pause(300);
    answer();
    await closed;
    expect(statuses(await text)).toEqual([200]);
    expect(await text).toMatch(/\r\nconnection: close\r\n/i);
  });

  it('lets go of connections that say nothing', async () => {
    const server = await listening({ handle: async () => ({ status: 200, headers: {}, body: '' }) });
    const sockets = await Promise.all(Array.from({ length: 20 }, () => connected(server.url)));
    const ends = sockets.map(untilClosed);
    const answers = sockets.map((socket) => new Promise((resolve) => { socket.once('data', resolve); }));
    for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await Promise.all(answers);
    await server.close();
    for (const text of await Promise.all(ends)) expect(statuses(text)).toEqual([200]);
  });

  it('stops at once when no request is pending, whatever connections are open', async () => {
    const server = await listening({ handle: async () => ({ status: 200, headers: {}, body: '' }) });
    const socket = await connected(server.url);
    const answer = new Promise((resolve) => { socket.once('data', resolve); });
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await answer;
    let isClosed = false;
    const closing = server.close().then(() => { isClosed = true; });
    // A wait for a timer would take thousands of turns of the event loop.
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    expect(isClosed).toBe(true);
    await closing;
  });

  it('can be stopped twice', async () => {
    const server = await startServer({ world: acme });
    await Promise.all([server.close(), server.close()]);
    await expect(server.close()).resolves.toBeUndefined();
  });
});
