import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import type { ConnectionError } from '../../../src/client/errors.js';
import { defaultRetry, noRetry } from '../../../src/client/retry.js';
import type { ClientOptions } from '../../../src/client/options.js';
import { fakeTime } from '../support/fake-time.js';
import { closedPort, listening, serving } from '../support/loopback.js';
import { ways } from '../support/ways.js';

/** A proxy that treats every CONNECT request in the same way, and counts them and their connections. */
const hostile = async (act: (socket: net.Socket) => void) => {
  const asked: string[] = [];
  let connections = 0;
  const port = await listening(net.createServer((socket) => {
    connections++;
    socket.on('error', () => undefined).once('data', (chunk) => {
      asked.push(chunk.toString('latin1').split('\r\n')[0]!);
      act(socket);
    });
  }));
  return { proxy: `http://127.0.0.1:${port}`, asked, connections: () => connections };
};

const says = (text: string) => (socket: net.Socket) => { socket.end(text); };
const url = 'https://service.test';

describe.each(ways)('a proxy that does not open a tunnel, over %s', (http) => {
  const failure = async (proxy: string, retry = noRetry, timeout = 40_000) => {
    const time = fakeTime();
    const error = await createClient({ url, proxy, http, retry, timeout, time }).appearance.get({})
      .then(() => { throw new Error('answered'); }, (reason: unknown) => reason as ConnectionError);
    return { error, waits: time.waits };
  };

  test.each<[string, (socket: net.Socket) => void]>([
    ['closes the connection', (socket) => { socket.end(); }],
    ['resets the connection', (socket) => { socket.resetAndDestroy(); }],
    ['sends half a status line', says('HTTP/1.1 20')],
    ['sends something else than HTTP', says('220 mail.test ESMTP\r\n')],
    ['sends half of its headers', says('HTTP/1.1 200 OK\r\nvia: x')],
    ['opens it and closes', says('HTTP/1.1 200 OK\r\n\r\n')],
    ['opens it and speaks no TLS', says('HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('and %s is an error after one attempt', async (_, act) => {
    const { proxy, asked } = await hostile(act);
    const { error } = await failure(proxy);
    expect(error).toMatchObject({ name: 'ConnectionError', sent: false });
    expect(error.message).toContain(proxy);
    expect(asked).toEqual(['CONNECT service.test:443 HTTP/1.1']);
  });

  test('and closes the connection gets as many retries as the policy says', async () => {
    const { proxy, asked } = await hostile((socket) => { socket.end(); });
    const { error, waits } = await failure(proxy, defaultRetry);
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'ECONNRESET' });
    expect(waits).toHaveLength(defaultRetry.unreached);
    expect(asked).toHaveLength(1 + defaultRetry.unreached);
  });

  test.each([
    [407, 'Proxy Authentication Required'], [403, 'Forbidden'], [302, 'Found'], [101, 'Switching Protocols'],
  ])('and responds with %i is named with that status and gets no retry', async (status, words) => {
    const { proxy, asked } = await hostile(says(`HTTP/1.1 ${status} Whatever\r\nlocation: /\r\n\r\n`));
    const { error } = await failure(proxy, defaultRetry);
    expect(error).toMatchObject({ name: 'ConnectionError', sent: false, proxyStatus: status, code: 'PROXY_REFUSED' });
    expect(error.message).toContain(`the proxy ${proxy} refused a tunnel to ${url}: ${status} ${words}`);
    expect(asked).toHaveLength(1);
  });

  test.each([502, 503, 504, 429])('and responds with %i gets a retry', async (status) => {
    const { proxy, asked } = await hostile(says(`HTTP/1.1 ${status} Whatever\r\n\r\n`));
    const { error } = await failure(proxy, defaultRetry);
    expect(error).toMatchObject({ name: 'ConnectionError', sent: false, proxyStatus: status, code: 'PROXY_UNAVAILABLE' });
    expect(asked).toHaveLength(1 + defaultRetry.unreached);
  });

  test.each<[string, (socket: net.Socket) => void]>([
    ['never answers', () => undefined],
    ['answers bit by bit', (socket) => {
      const timer = setInterval(() => { socket.write('H'); }, 20);
      socket.on('close', () => { clearInterval(timer); }).write('HTTP/1.1 200 OK\r\nx: ');
    }],
    ['opens it and never answers in TLS', (socket) => { socket.write('HTTP/1.1 200 OK\r\n\r\n'); }],
  ])('and %s fails after the timeout', async (_, act) => {
    const { proxy, connections } = await hostile(act);
    const { error } = await failure(proxy, noRetry, 150);
    expect(error).toMatchObject({ name: 'ConnectionError', sent: false, code: 'PROXY_TIMEOUT' });
    // If this process was busy, the timeout came before the request was sent or read.
    await expect.poll(connections).toBe(1);
  });

  test('and refuses late is waited for if there is no timeout', async () => {
    const { proxy } = await hostile((socket) => { setTimeout(() => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'), 20); });
    expect((await failure(proxy, noRetry, Infinity)).error).toMatchObject({ code: 'PROXY_REFUSED' });
  });

  test('and responds with endless headers is an error', async () => {
    const { proxy } = await hostile(says(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`));
    expect((await failure(proxy)).error).toMatchObject({ name: 'ConnectionError', sent: false });
  });
});

const pem = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url));

/** A proxy that tunnels, forwards and records requests; it rejects those without a required password. */
const proxying = async (credentials?: string) => {
  const asked: string[] = [];
  const refuses = (headers: http.IncomingHttpHeaders) =>
    credentials !== undefined && headers['proxy-authorization'] !== `Basic ${Buffer.from(credentials).toString('base64')}`;
  const server = http.createServer((incoming, answer) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (refuses(incoming.headers)) { answer.writeHead(407).end(); return; }
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    incoming.pipe(http.request(incoming.url!, { method: incoming.method, headers }, (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
    }));
  });
  server.on('connect', (incoming, socket: net.Socket) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (refuses(incoming.headers)) { socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'); return; }
    const onward = net.connect(Number(incoming.url!.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const end of [socket, onward]) end.on('error', () => { socket.destroy(); onward.destroy(); });
  });
  const port = await listening(server);
  return { proxy: `http://127.0.0.1:${port}`, port, asked };
};

const plainService = () => serving((incoming, answer) => {
  answer.setHeader('content-type', 'application/json').end(JSON.stringify({ title: incoming.url }));
});

const secureService = async () => {
  const server = https.createServer({ key: pem('server.key'), cert: pem('server') }, (incoming, answer) => {
    answer.setHeader('content-type', 'application/json').end(JSON.stringify({ title: incoming.headers['private-token'] }));
  });
  return `https://localhost:${await listening(server)}`;
};

const title = async (options: ClientOptions) => (await createClient({ retry: noRetry, ...options }).appearance.get({})).title;

describe('through a proxy', () => {
  test('requests to http services have absolute URLs', async () => {
    const [url, { proxy, asked }] = [await plainService(), await proxying()];
    expect(await title({ url: `${url}/gitlab`, proxy })).toBe('/gitlab/api/v4/application/appearance');
    expect(asked).toEqual([`GET ${url}/gitlab/api/v4/application/appearance`]);
  });

  test('requests to https services use a tunnel, so the proxy sees no token', async () => {
    const [url, { proxy, asked }] = [await secureService(), await proxying()];
    expect(await title({ url, proxy: { https: proxy }, ca: pem('ca'), token: 'abc' })).toBe('abc');
    expect(asked).toEqual([`CONNECT ${url.slice('https://'.length)}`]);
  });

  test('certificates of https services are checked', async () => {
    const [url, { proxy }] = [await secureService(), await proxying()];
    await expect(title({ url, proxy })).rejects.toMatchObject({ name: 'ConnectionError', sent: false });
  });

  test.each([
    ['me:pass%20word', 'me:pass word'], ['me:100%sure', 'me:100%sure'], ['%me:100%s%40é%', '%me:100%s@é%'],
  ])('the user name and password are sent to the proxy: %s', async (written, credentials) => {
    const { port } = await proxying(credentials);
    const proxy = `http://${written}@127.0.0.1:${port}`;
    expect(await title({ url: await plainService(), proxy })).toBe('/api/v4/application/appearance');
    expect(await title({ url: await secureService(), proxy, ca: pem('ca'), token: 'abc' })).toBe('abc');
  });

  test('hosts in noProxy are reached directly', async () => {
    const [url, { proxy, asked }] = [await plainService(), await proxying()];
    expect(await title({ url, proxy, noProxy: '127.0.0.1' })).toBe('/api/v4/application/appearance');
    expect(asked).toEqual([]);
  });
});

describe('a failing proxy', () => {
  test('that refuses the tunnel has forwarded nothing', async () => {
    const { proxy } = await proxying('me:secret');
    await expect(title({ url: await secureService(), proxy, ca: pem('ca') })).rejects.toMatchObject({
      name: 'ConnectionError', sent: false, message: expect.stringContaining('407') as string,
    });
  });

  test('that refuses a plain request is an error too', async () => {
    const { proxy } = await proxying('me:secret');
    await expect(title({ url: await plainService(), proxy })).rejects.toThrow('407');
  });

  test('that is unreachable is named without its password', async () => {
    const failure = await title({ url: 'https://service.test', proxy: `http://me:secret@127.0.0.1:${closedPort}` })
      .catch((error: unknown) => error as Error);
    const proxy = `http://127.0.0.1:${closedPort}`;
    expect(failure).toMatchObject({ code: 'ECONNREFUSED', sent: false, origin: 'https://service.test', proxy });
    expect((failure as Error).message).toContain(`through the proxy ${proxy}`);
    expect((failure as Error).message).not.toContain('secret');
  });
});
