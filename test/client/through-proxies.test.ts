import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { noRetry } from '../../src/client/retry.js';
import type { ClientOptions } from '../../src/client/options.js';
import { closedPort, listening, serving } from './support/loopback.js';

const pem = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));

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

  test('the user name and password are sent to the proxy', async () => {
    const { port } = await proxying('me:pass word');
    const proxy = `http://me:pass%20word@127.0.0.1:${port}`;
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
    const port = await closedPort();
    const failure = await title({ url: 'https://service.test', proxy: `http://me:secret@127.0.0.1:${port}` })
      .catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({ code: 'ECONNREFUSED', sent: false });
    expect((failure as Error).message).toContain(`through the proxy http://127.0.0.1:${port}`);
    expect((failure as Error).message).not.toContain('secret');
  });
});
