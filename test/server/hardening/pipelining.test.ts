import { expect, it } from 'vitest';
import type { Service } from '../../../src/wire/http.js';
import { connected, impatient, listening, pause, raw, statuses, untilClosed } from './sockets.js';

const get = (path: string, lines = '') => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${lines}\r\n`;
const last = (path: string) => get(path, 'connection: close\r\n');

/** A service that answers as soon as it is asked, with so many bytes, and the paths it was asked for. */
const answering = (bytes: number) => {
  const seen: string[] = [];
  const service: Service = {
    handle: async ({ target }) => {
      seen.push(target);
      return { status: 200, headers: {}, body: Buffer.alloc(bytes, 'x') };
    },
  };
  return { seen, service };
};

it('a client that pipelines many requests and reads no response gets no further ones', async () => {
  const { seen, service } = answering(1_048_576);
  const { url } = await listening(service);
  const socket = await connected(url);
  socket.pause().write(get('/').repeat(500));
  await pause(300);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.length).toBeLessThan(50);
});

it('a client that reads in the end gets all responses', async () => {
  const { seen, service } = answering(1_048_576);
  const { url } = await listening(service);
  const socket = await connected(url);
  socket.pause().write(get('/').repeat(40) + last('/'));
  await pause(200);
  const text = await untilClosed(socket.resume());
  expect(statuses(text)).toEqual(Array.from({ length: 41 }, () => 200));
  expect(seen).toHaveLength(41);
});

it('others have a turn between the requests of one connection', async () => {
  const { seen, service } = answering(10);
  const { url } = await listening(service);
  const [greedy, other] = await Promise.all([connected(url), connected(url)]);
  const both = Promise.all([untilClosed(greedy), untilClosed(other)]);
  greedy.write(get('/greedy').repeat(500) + last('/greedy'));
  other.write(last('/other'));
  await both;
  expect(seen).toHaveLength(502);
  expect(seen.indexOf('/other')).toBeLessThan(100);
});

it('nothing more is done for a caller that is gone', async () => {
  const { seen, service } = answering(10);
  const { url } = await listening({ handle: async (request) => { await pause(20); return service.handle(request); } });
  const socket = await connected(url);
  socket.write(get('/').repeat(200));
  await pause(100);
  socket.destroy();
  await pause(100);
  const then = seen.length;
  await pause(200);
  expect(seen).toHaveLength(then);
});

it('a slow response after one that was left unread for a while has all the time it needs', async () => {
  const slow: Service = {
    handle: async ({ target }) => {
      if (target === '/slow') await pause(3 * impatient.responseTimeout);
      return { status: 200, headers: {}, body: Buffer.alloc(target === '/slow' ? 1 : 16_777_216) };
    },
  };
  const { url } = await listening(slow, { ...impatient, requestTimeout: 10_000 });
  expect(statuses(await raw(url, get('/large') + last('/slow')))).toEqual([200, 200]);
});

it('a connection is cut off when it adds to more waiting requests than there is room for, others are not', async () => {
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => { answer = resolve; });
  const { url } = await listening({ handle: async () => { await asked; return { status: 200, headers: {}, body: '' }; } });
  const first = await connected(url);
  const all = untilClosed(first);
  first.write(get('/').repeat(9_999) + last('/'));
  await pause(300);
  expect(await raw(url, get('/').repeat(100))).toBe('');
  const single = raw(url, last('/'));
  await pause(50);
  answer();
  expect(statuses(await all)).toHaveLength(10_000);
  expect(statuses(await single)).toEqual([200]);
});
