import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { socketLimits } from '../../../src/server/http/listen.js';
import type { Service } from '../../../src/wire/http.js';
import { accepted, connected, impatient, listening, raw, statuses, untilClosed } from '../../support/sockets.js';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../fixtures/tls', name));
const ok: Service = { handle: async () => ({ status: 200, headers: {}, body: 'ok' }) };
const health = 'GET /-/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';
const post = 'POST / HTTP/1.1\r\nhost: localhost\r\n';

/** Sends a piece again and again until the other side is done. Gives what came back. */
const dribble = async (url: string, start: string, piece: string, every = 20): Promise<string> => {
  const socket = await connected(url);
  const over = untilClosed(socket);
  socket.write(start);
  // A piece after the server has closed would break the connection before the answer is read: each follows a read.
  const timer = setInterval(() => { setImmediate(() => { if (socket.writable) socket.write(piece); }); }, every);
  onTestFinished(() => { clearInterval(timer); });
  const text = await over;
  clearInterval(timer);
  return text;
};

describe('a caller that dribbles', () => {
  it.each([
    ['its request line', 'GET /', 'x'],
    ['its headers', 'GET / HTTP/1.1\r\nhost: localhost\r\n', 'x: y\r\n'],
    ['one endless header', 'GET / HTTP/1.1\r\nhost: localhost\r\nx: ', 'y'],
    ['a body of known length', `${post}content-length: 1000000\r\n\r\n`, 'x'],
    ['a body in chunks', `${post}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n'],
  ])('gets 408 and is closed: %s', async (_, start, piece) => {
    const { url } = await listening(ok, impatient);
    expect(statuses(await dribble(url, start, piece))).toEqual([408]);
  });

  it.each([['nothing at all', ''], ['half a line', 'GET / HT'], ['a head and no body', `${post}content-length: 5\r\n\r\n`]])(
    'is cut off when it falls silent after %s', async (_, start) => {
      const { url } = await listening(ok, impatient);
      expect(statuses(await raw(url, start))).toEqual([408]);
    });

  it('is cut off when it keeps a connection and sends nothing more', async () => {
    const { url } = await listening(ok, { keepAliveTimeout: 300 });
    expect(statuses(await raw(url, health.replace('close', 'keep-alive')))).toEqual([200]);
  });

  it('is closed when it does not read its response', async () => {
    const { url } = await listening({ handle: async () => ({ status: 200, headers: {}, body: Buffer.alloc(33_554_432) }) }, { responseTimeout: 400 });
    const ofServer = accepted();
    const socket = await connected(url);
    socket.pause().write(health);
    await once(await ofServer, 'close');
    const gone = once(socket, 'close');
    socket.resume();
    await gone;
    expect(socket.bytesRead).toBeLessThan(33_554_432);
  });

  it('is cut off in the middle of a TLS handshake', async () => {
    const { url } = await listening(ok, { handshakeTimeout: 1_500 }, { cert: fixture('server.pem'), key: fixture('server.key.pem') });
    const socket = await connected(url);
    socket.write(Buffer.from('1603010200010001fc0303', 'hex'));
    await untilClosed(socket);
    // A handshake that does not run for so long is cut off too, though nothing is wrong.
    await expect.poll(async () => {
      const honest = connectTls({ port: Number(new URL(url).port), host: '127.0.0.1', ca: fixture('ca.pem'), servername: 'localhost' });
      honest.on('error', () => undefined).write(health);
      return statuses(await untilClosed(honest));
    }).toEqual([200]);
  });

  const dribbled = (url: string) => Array.from({ length: 200 }, (_, i) =>
    dribble(url, i % 2 ? 'GET / HTTP/1.1\r\n' : `${post}content-length: 9000\r\n\r\n`, i % 2 ? 'x: y\r\n' : 'x', 200));

  it('delays nobody, however many there are', async () => {
    const { url } = await listening(ok);
    const dribblers = dribbled(url);
    for (let i = 0; i < 20; i++) expect(statuses(await raw(url, health))).toEqual([200]);
    expect(await Promise.race([...dribblers, Promise.resolve('all of them dribble')])).toBe('all of them dribble');
  });

  it('is not spared because there are many', async () => {
    const { url } = await listening(ok, impatient);
    for (const text of await Promise.all(dribbled(url))) expect(text).not.toBe('');
    await expect.poll(async () => statuses(await raw(url, health))).toEqual([200]);
  });
});

describe('connections beyond the bound', () => {
  it('are closed at once, and there is room again when others end', async () => {
    const { url } = await listening(ok, { maxConnections: 3 });
    const sockets = await Promise.all([connected(url), connected(url), connected(url)]);
    expect(await raw(url, '')).toBe('');
    sockets[0].destroy();
    await expect.poll(async () => statuses(await raw(url, health))).toEqual([200]);
  });
});

it('the limits that a server has are those it was measured with', () => {
  expect(socketLimits).toEqual({
    headersTimeout: 5_000, requestTimeout: 10_000, responseTimeout: 10_000, keepAliveTimeout: 5_000, handshakeTimeout: 5_000,
    connectionsCheckingInterval: 1_000, maxHeaderSize: 32_768, maxConnections: 10_000,
  });
});
