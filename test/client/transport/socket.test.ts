import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { readBaseUrl } from '../../../src/client/base-url.js';
import { createClient } from '../../../src/client/client.js';
import { ConnectionError } from '../../../src/client/errors.js';
import { defaultRetry, noRetry } from '../../../src/client/retry.js';
import type { ConnectionSettings } from '../../../src/client/transport/connection.js';
import { socketTransport } from '../../../src/client/transport/socket.js';
import type { HttpRequest } from '../../../src/wire/http.js';
import { fakeTime } from '../support/fake-time.js';
import { closedPort, listening, serving } from '../support/loopback.js';
import { request } from '../support/scripted.js';
import { ways } from '../support/ways.js';

describe.each(ways)('over %s', (http) => {
  const perform = (url: string, asked: HttpRequest = request('GET', '/x'), settings: ConnectionSettings = {}, signal?: AbortSignal) =>
    socketTransport(readBaseUrl(url), { http, ...settings })(asked, signal);

  const failure = (url: string, settings?: ConnectionSettings): Promise<unknown> =>
    perform(url, request('GET', '/x'), settings).then(() => { throw new Error('answered'); }, (error: unknown) => error);

  describe('a request over a socket', () => {
    test('sends method, path, headers and body, and returns status, headers and body', async () => {
      const url = await serving((incoming, answer) => {
        let body = '';
        incoming.on('data', (chunk) => { body += String(chunk); });
        incoming.on('end', () => {
          answer.writeHead(201, { 'content-type': 'application/json', 'x-many': ['a', 'b'], 'X-Case': 'C' });
          answer.end(JSON.stringify({ method: incoming.method, url: incoming.url, own: incoming.headers['x-own'], body }));
        });
      });
      const response = await perform(`${url}/gitlab`, { method: 'PUT', target: '/api/v4/x?q=a%20b', headers: { 'x-own': '1' }, body: 'ä' });
      expect(response).toMatchObject({ status: 201, headers: { 'x-many': 'a, b', 'x-case': 'C' } });
      expect(JSON.parse(response.body as string)).toEqual({ method: 'PUT', url: '/gitlab/api/v4/x?q=a%20b', own: '1', body: 'ä' });
    });

    test('keeps bytes as bytes', async () => {
      const bytes = Uint8Array.from([0x89, 0x50, 0xff, 0x00]);
      const url = await serving((_, answer) => { answer.writeHead(200, { 'content-type': 'image/png' }).end(bytes); });
      expect(new Uint8Array((await perform(url)).body as Uint8Array)).toEqual(bytes);
    });

    test('returns the final response, not an informational one', async () => {
      const url = await serving((_, answer) => {
        answer.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => { answer.writeHead(200, { 'x-own': '1' }).end('{}'); });
      });
      expect(await perform(url)).toMatchObject({ status: 200, headers: { 'x-own': '1' } });
    });

    test('follows no redirect by itself', async () => {
      const url = await serving((_, answer) => { answer.writeHead(302, { location: '/elsewhere' }).end(); });
      expect(await perform(url)).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
    });

    test('opens another connection after the service closed the previous one', async () => {
      const ports = new Set<number | undefined>();
      const url = await serving((incoming, answer) => {
        ports.add(incoming.socket.remotePort);
        answer.end('{}', () => { incoming.socket.end(); });
      });
      const transport = socketTransport(readBaseUrl(url), { http });
      for (const target of ['/1', '/2', '/3']) {
        expect((await transport(request('POST', target))).status).toBe(200);
        await new Promise((resolve) => { setTimeout(resolve, 20); });
      }
      expect(ports.size).toBe(3);
    });

    test('opens another one after the service closed the previous one without notice', async () => {
      const port = await listening(net.createServer((socket) => {
        socket.on('error', () => undefined).once('data', () => { socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'); });
      }));
      const transport = socketTransport(readBaseUrl(`http://127.0.0.1:${port}`), { http });
      for (const target of ['/1', '/2', '/3', '/4']) expect(await transport(request('POST', target))).toMatchObject({ status: 200 });
    });

    test('accepts a response in chunks', async () => {
      const url = await serving((_, answer) => {
        let pieces = 0;
        const timer = setInterval(() => {
          if (++pieces < 8) answer.write('x');
          else { clearInterval(timer); answer.end(); }
        }, 10);
      });
      expect((await perform(url)).body).toHaveLength(7);
    });

    test('is rejected before anything is sent if it is invalid in HTTP', async () => {
      let asked = 0;
      const url = await serving((_, answer) => { asked++; answer.end('{}'); });
      const cases = [request('GET', '/a b'), { ...request('GET', '/x'), headers: { own: 'a\nb' } }];
      for (const bad of cases) await expect(perform(url, bad)).rejects.toMatchObject({ name: 'ConnectionError', code: 'UND_ERR_INVALID_ARG', sent: false });
      expect(asked).toBe(0);
    });

    test('uses one connection for consecutive calls', async () => {
      const ports = new Set<number | undefined>();
      const url = await serving((incoming, answer) => { ports.add(incoming.socket.remotePort); answer.end('{}'); });
      const transport = socketTransport(readBaseUrl(url), { http });
      for (const target of ['/1', '/2', '/3']) await transport(request('GET', target));
      expect(ports.size).toBe(1);
    });
  });

  describe('no response', () => {
    test('because nothing is listening', async () => {
      expect(await failure(`http://127.0.0.1:${closedPort}`)).toMatchObject({
        name: 'ConnectionError', code: 'ECONNREFUSED', sent: false,
        message: `GET /x: nothing is listening at http://127.0.0.1:${closedPort} (ECONNREFUSED)`,
      });
    });

    test('because nothing is listening at any address of the name', async () => {
      expect(await failure(`http://localhost:${closedPort}`)).toMatchObject({ code: 'ECONNREFUSED', sent: false });
    });

    test('because the name is unknown', async () => {
      const error = await failure('http://nothing.invalid') as ConnectionError;
      expect(['ENOTFOUND', 'EAI_AGAIN']).toContain(error.code);
      expect(error.sent).toBe(false);
    });

    test('because the TLS handshake times out', async () => {
      const port = await listening(net.createServer(() => {}));
      expect(await failure(`https://127.0.0.1:${port}`, { timeout: 50 }))
        .toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT', sent: false });
    });

    test('because the connection breaks half-way', async () => {
      const url = await serving((_, answer) => {
        answer.writeHead(200, { 'content-length': '100' }).write('half', () => answer.destroy());
      });
      expect(await failure(url)).toMatchObject({ name: 'ConnectionError', sent: true });
    });

    test('because the connection is closed before it begins', async () => {
      const url = await serving((incoming) => { incoming.socket.destroy(); });
      expect(await failure(url)).toMatchObject({ name: 'ConnectionError', sent: true });
    });

    test('because the server speaks another protocol', async () => {
      const port = await listening(net.createServer((socket) => { socket.end('SSH-2.0-OpenSSH_9.2\r\n'); }));
      expect(await failure(`http://127.0.0.1:${port}`)).toMatchObject({ name: 'ConnectionError', sent: true });
    });
  });

  describe('an abort', () => {
    test('rejects a pending request with the reason of its signal', async () => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const url = await serving(() => { controller.abort(reason); });
      await expect(perform(url, request('GET', '/x'), {}, controller.signal)).rejects.toBe(reason);
    });

    test('rejects a response that has started', async () => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const url = await serving((_, answer) => { answer.writeHead(200).write('half', () => { controller.abort(reason); }); });
      await expect(perform(url, request('GET', '/x'), {}, controller.signal)).rejects.toBe(reason);
    });

    test('rejects a request that waits for its connection', async () => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const port = await listening(net.createServer(() => { controller.abort(reason); }));
      await expect(perform(`https://127.0.0.1:${port}`, request('GET', '/x'), {}, controller.signal)).rejects.toBe(reason);
    });

    test('right after the start prevents the request', async () => {
      let asked = 0;
      const url = await serving((_, answer) => { asked++; answer.end(); });
      const controller = new AbortController();
      const call = perform(url, request('GET', '/x'), {}, controller.signal);
      controller.abort(new Error('enough'));
      await expect(call).rejects.toThrow('enough');
      expect(asked).toBe(0);
    });

    test('after the response has no effect', async () => {
      const controller = new AbortController();
      const url = await serving((_, answer) => { answer.end('{}'); });
      const transport = socketTransport(readBaseUrl(url), { http });
      const answers = [await transport(request('GET', '/x'), controller.signal)];
      controller.abort(new Error('enough'));
      answers.push(await transport(request('GET', '/x')));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    });

    test('before the start prevents the request', async () => {
      let asked = 0;
      const url = await serving((_, answer) => { asked++; answer.end(); });
      await expect(perform(url, request('GET', '/x'), {}, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
      expect(asked).toBe(0);
    });
  });

  describe('the client over sockets', () => {
    test('repeats a GET after a broken connection, and posts no comment twice', async () => {
      let asked = 0;
      const url = await serving((incoming, answer) => {
        if (++asked === 1) incoming.socket.destroy();
        else answer.setHeader('content-type', 'application/json').end('[]');
      });
      const client = createClient({ url, http, time: fakeTime() });
      expect(await client.discussions.issue.list({ id: 1, noteable_id: 7 }).all()).toEqual([]);
      expect(asked).toBe(2);
      asked = 0;
      await expect(client.discussions.issue.create({ id: 1, noteable_id: 7, body: 'a' })).rejects.toBeInstanceOf(ConnectionError);
      expect(asked).toBe(1);
    });

    test('retries a comment if nothing was listening before', async () => {
      const port = await freePort();
      const time = fakeTime();
      const late = { ...time, sleep: async () => { await listenLate(port); } };
      const created = await createClient({ url: `http://127.0.0.1:${port}`, http, time: late })
        .discussions.issue.create({ id: 1, noteable_id: 7, body: 'a' });
      expect(created).toMatchObject({ id: 'late' });
    });

    test('leaving a list early aborts the pending requests', async () => {
      const open = new Set<string>();
      const closed: string[] = [];
      let [answered, arrive] = [() => {}, () => {}];
      const allClosed = new Promise<void>((resolve) => { answered = resolve; });
      const arrival = new Promise<void>((resolve) => { arrive = resolve; });
      const url = await serving((incoming, answer) => {
        const page = new URL(incoming.url!, 'http://x').searchParams.get('page') ?? '1';
        answer.setHeader('content-type', 'application/json').setHeader('x-total-pages', '9');
        const respond = () => { answer.end(`[{"id":"${page}"}]`); };
        if (page === '1') { respond(); return; }
        // At the second page the client leaves: before, another request must have arrived that it can abort.
        if (page === '2') { void arrival.then(respond); return; }
        open.add(page);
        arrive();
        answer.on('close', () => {
          closed.push(page);
          if (closed.length === open.size) answered();
        });
      });
      const client = createClient({ url, http, retry: noRetry });
      for await (const { id } of client.discussions.issue.list({ id: 1, noteable_id: 7 })) if (id === '2') break;
      await allClosed;
      expect(closed.sort()).toEqual([...open].sort());
    });
  });

  const freePort = async () => {
    const server = createServer();
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => { server.close(resolve); });
    return port;
  };

  const listenLate = async (port: number) => {
    const server = createServer((_, answer) => {
      answer.writeHead(201, { connection: 'close' }).end('{"id":"late"}', () => server.close());
    });
    await new Promise<void>((resolve) => { server.listen(port, '127.0.0.1', resolve); });
  };
});

describe.each(ways)('a service that closes the connection during the TLS handshake, over %s', (http) => {
  test('has not received the POST, which is retried', async () => {
    let connections = 0;
    const port = await listening(net.createServer((socket) => {
      connections++;
      socket.on('error', () => undefined).once('data', () => { socket.end(); });
    }));
    const client = createClient({ url: `https://127.0.0.1:${port}`, http, time: fakeTime() });
    await expect(client.discussions.issue.create({ id: 1, noteable_id: 1, body: 'hi' }))
      .rejects.toMatchObject({ name: 'ConnectionError', sent: false });
    expect(connections).toBe(1 + defaultRetry.unreached);
  });
});

describe.each(ways)('a service that switches protocols without a request, over %s', (http) => {
  const upgrade = 'upgrade: x\r\nconnection: upgrade\r\n';
  test.each([['GET', upgrade], ['POST', upgrade], ['GET', ''], ['POST', '']])('is an error for a %s', async (method, headers) => {
    const port = await listening(net.createServer((socket) => {
      socket.on('error', () => undefined)
        .once('data', () => { socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`); });
    }));
    const client = createClient({ url: `http://127.0.0.1:${port}`, http, retry: noRetry });
    const call = method === 'GET' ? client.appearance.get({})
      : client.discussions.issue.create({ id: 1, noteable_id: 1, body: 'hi' });
    await expect(call).rejects.toMatchObject({ name: 'ResponseError', status: 101 });
  });
});
