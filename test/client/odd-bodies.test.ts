import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import net from 'node:net';
import zlib from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readBaseUrl } from '../../src/client/base-url.js';
import { createClient } from '../../src/client/client.js';
import { socketTransport } from '../../src/client/transport/socket.js';
import { sampleOf } from '../support/extent.js';
import { fakeTime } from './support/fake-time.js';
import { listening, serving } from './support/loopback.js';
import { request } from './support/scripted.js';
import { ways } from './support/ways.js';

vi.mock('../../src/wire/time.js', async () => (await import('../support/fakeable-timers.js')).fakeableTimers());

describe.each(ways)('over %s', (http) => {
  afterEach(() => { vi.useRealTimers(); });

  /** A service that sends this body in every response, and counts the requests. */
  const answering = async (body: string | Uint8Array, headers: Record<string, string | string[]> = {}) => {
    const asked = { times: 0 };
    const url = await serving((_, answer) => {
      asked.times++;
      answer.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
    });
    return { url, asked };
  };
  const appearance = (url: string) => createClient({ url, http, token: 'abc', time: fakeTime() }).appearance.get({});
  const get = (url: string) => socketTransport(readBaseUrl(url), { http })(request('GET', '/x'));

  test.each(sampleOf(['close', 'keep-alive'], 2))('a response before the request is complete is accepted (%s)', async (connection) => {
    const peers: net.Socket[] = [];
    const port = await listening(net.createServer((socket) => {
      peers.push(socket.on('error', () => undefined).once('data', () => {
        socket.pause().write(`HTTP/1.1 413 Too Large\r\nconnection: ${connection}\r\ncontent-length: 2\r\n\r\n{}`);
      }));
    }));
    const transport = socketTransport(readBaseUrl(`http://127.0.0.1:${port}`), { http, timeout: 40_000 });
    const upload = { ...request('POST', '/x'), body: Buffer.alloc(16_777_216) };
    expect(await transport(upload)).toMatchObject({ status: 413 });
    for (const peer of peers) await once(peer.resume(), 'close');
    expect(peers).toHaveLength(1);
  });

  describe('a response that is compressed without a request', () => {
    test('is decompressed', async () => {
      const { url } = await answering(zlib.gzipSync('{"title":"ä"}'), { 'content-encoding': 'gzip' });
      expect(await appearance(url)).toEqual({ title: 'ä' });
      expect((await get(url)).headers).not.toHaveProperty('content-encoding');
    });

    test.each([
      ['zstd', 'x', 'cannot be decompressed: unsupported encoding zstd (UNKNOWN_ENCODING)'], ['gzip', '{}', 'cannot be decompressed'],
      ['br', '{}', 'cannot be decompressed'],
    ])('and invalid as %s is an error at once', async (encoding, body, words) => {
      const { url, asked } = await answering(body, { 'content-encoding': encoding });
      await expect(appearance(url)).rejects.toThrow(words);
      await expect(appearance(url)).rejects.toMatchObject({ name: 'ConnectionError', sent: true });
      expect(asked.times).toBe(2);
    });
  });

  describe('a text in another charset', () => {
    test.each([
      ['iso-8859-1', Buffer.from('{"title":"größe"}', 'latin1')],
      ['"utf-16le"', Buffer.from('\ufeff{"title":"größe"}', 'utf16le')],
      ['UTF-8', Buffer.from('\ufeff{"title":"größe"}')], ['nonsense', Buffer.from('{"title":"größe"}')],
    ])('is decoded: %s', async (charset, body) => {
      const { url } = await answering(body, { 'content-type': `application/json; charset=${charset}` });
      expect(await appearance(url)).toEqual({ title: 'größe' });
    });
  });

  describe('an endless response', () => {
    test('with endless headers fails at once', async () => {
      const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`x-${n}`, 'y'.repeat(200)]));
      const { url, asked } = await answering('{}', many);
      await expect(appearance(url)).rejects.toThrow(`the response of ${url} has too many or too large headers`);
      expect(asked.times).toBe(1);
    });

    test('with an endless body fails', async () => {
      const port = await listening(net.createServer((socket) => {
        socket.on('error', () => undefined).write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n');
        const piece = Buffer.alloc(4_194_304, ' ');
        const flood = () => { while (!socket.destroyed && socket.write(piece)); };
        socket.on('drain', flood);
        flood();
      }));
      await expect(get(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
        code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE', sent: true,
        message: `GET /x: the response of http://127.0.0.1:${port} is too large (UND_ERR_RES_EXCEEDED_MAX_SIZE)`,
      });
    });

    test.each([
      ['ten times the timeout', { timeout: 60_000 }, 600], ['the time for a whole response', { responseTimeout: 50_000 }, 50],
    ])('that arrives slowly fails after %s', async (_, settings, end) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
      let begun = (_: ServerResponse) => {};
      const arriving = new Promise<ServerResponse>((resolve) => { begun = resolve; });
      const url = await serving((_, answer) => { begun(answer.writeHead(200)); });
      const call = socketTransport(readBaseUrl(url), { http, ...settings })(request('POST', '/x'));
      const failure = expect(call).rejects.toMatchObject({
        code: 'ANSWER_TIMEOUT', sent: true,
        message: `POST /x: the response of ${url} was not complete in time (ANSWER_TIMEOUT)`,
        cause: expect.not.objectContaining({ cause: expect.anything() as unknown }) as unknown,
      });
      const answer = await arriving;
      for (let seconds = 0; seconds < end; seconds += 25) {
        await new Promise<void>((resolve) => { answer.write(' ', () => resolve()); });
        for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => { setImmediate(resolve); });
        await vi.advanceTimersByTimeAsync(25_000);
      }
      await failure;
    });
  });
});
