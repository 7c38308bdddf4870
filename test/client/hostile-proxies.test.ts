import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.js';
import type { ConnectionError } from '../../src/client/errors.js';
import { defaultRetry, noRetry } from '../../src/client/retry.js';
import { fakeTime } from './support/fake-time.js';
import { listening } from './support/loopback.js';
import { ways } from './support/ways.js';

/** A proxy that treats every CONNECT request in the same way, and counts them. */
const hostile = async (act: (socket: net.Socket) => void) => {
  const asked: string[] = [];
  const port = await listening(net.createServer((socket) => {
    socket.on('error', () => undefined).once('data', (chunk) => {
      asked.push(chunk.toString('latin1').split('\r\n')[0]!);
      act(socket);
    });
  }));
  return { proxy: `http://127.0.0.1:${port}`, asked };
};

const says = (text: string) => (socket: net.Socket) => { socket.end(text); };
const url = 'https://service.test';

describe.each(ways)('a proxy that does not open a tunnel, over %s', (http) => {
  const failure = async (proxy: string, retry = noRetry, timeout = 10_000) => {
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
    const { proxy, asked } = await hostile(act);
    const { error } = await failure(proxy, noRetry, 150);
    expect(error).toMatchObject({ name: 'ConnectionError', sent: false, code: 'PROXY_TIMEOUT' });
    expect(asked).toHaveLength(1);
  });

  test('and responds with endless headers is an error', async () => {
    const { proxy } = await hostile(says(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`));
    expect((await failure(proxy)).error).toMatchObject({ name: 'ConnectionError', sent: false });
  });
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
