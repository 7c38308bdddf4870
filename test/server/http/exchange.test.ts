import { describe, expect, it } from 'vitest';
import type { Service } from '../../../src/wire/http.js';
import { close, get, issue, recorded, threads } from '../../support/raw-requests.js';
import { accepted, connected, listening, pause, raw, started, statuses, untilClosed } from '../../support/sockets.js';

const last = (path: string) => get(path, close);

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

/** In a server of this process, which reads up to 64 KiB of a socket in each turn of the event loop. */
const untilRead = async (): Promise<void> => {
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => { setImmediate(resolve); });
};

it('a client that pipelines many requests and reads no response gets no further ones', async () => {
  const { seen, service } = answering(1_048_576);
  const { url } = await listening(service);
  const socket = await connected(url);
  socket.pause().write(get('/').repeat(500));
  await expect.poll(() => seen.length).toBeGreaterThan(0);
  await pause(300);
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
  await expect.poll(() => seen.length).toBeGreaterThan(2);
  socket.destroy();
  await untilRead();
  await pause(100);
  const then = seen.length;
  await pause(200);
  expect(seen).toHaveLength(then);
});

it('a slow response after one that was left unread for a while has all the time it needs', async () => {
  const ofServer = accepted();
  const limits: unknown[] = [];
  const slow: Service = {
    handle: async ({ target }) => {
      if (target === '/slow') limits.push((await ofServer).timeout);
      return { status: 200, headers: {}, body: Buffer.alloc(target === '/slow' ? 1 : 16_777_216) };
    },
  };
  const { url } = await listening(slow, { responseTimeout: 50_000 });
  const socket = await connected(url);
  socket.pause().write(get('/large') + last('/slow'));
  await expect.poll(async () => (await ofServer).timeout).toBe(50_000);
  expect(statuses(await untilClosed(socket.resume()))).toEqual([200, 200]);
  expect(limits).toEqual([0]);
});

it('a connection is cut off when it adds to more waiting requests than there is room for, others are not', async () => {
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => { answer = resolve; });
  const { url } = await listening({ handle: async () => { await asked; return { status: 200, headers: {}, body: '' }; } });
  const first = await connected(url);
  const all = untilClosed(first);
  await new Promise<void>((resolve) => { first.write(get('/').repeat(9_999) + last('/'), () => resolve()); });
  await untilRead();
  expect(await raw(url, get('/').repeat(100))).toBe('');
  const single = raw(url, last('/'));
  await pause(50);
  answer();
  expect(statuses(await all)).toHaveLength(10_000);
  expect(statuses(await single)).toEqual([200]);
});

describe('requests sent in one go', () => {
  it('are handled in order, each with its own response', async () => {
    const { url } = await recorded();
    const body = '{"body":"in the middle"}';
    const answer = await raw(url, get('/api/v4/user') + get('/nowhere')
      + `POST ${threads} HTTP/1.1\r\nhost: localhost\r\nprivate-token: guest-token\r\ncontent-type: application/json\r\n`
      + `content-length: ${body.length}\r\n\r\n${body}${get(threads)}${get('/-/health', close)}`);
    expect(statuses(answer)).toEqual([200, 404, 201, 200, 200]);
    expect(answer.indexOf('"username":"developer"')).toBeLessThan(answer.indexOf('in the middle'));
    expect(answer.split('in the middle')).toHaveLength(3);
  });

  it('in very large numbers all get responses', async () => {
    const { url } = await recorded();
    const answer = await raw(url, get('/-/health').repeat(2_000) + get('/-/health', close));
    expect(statuses(answer)).toEqual(Array.from({ length: 2_001 }, () => 200));
  });
});

it('a rejected HEAD gets the head of the response, without a body', async () => {
  const { url } = await recorded();
  for (const bad of ['private-token: a\r\nprivate-token: b\r\n', 'content-length: 999999999\r\n']) {
    const answer = await raw(url, `HEAD /api/v4/user HTTP/1.1\r\nhost: localhost\r\n${bad}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 4(00|13) [^]*\r\ncontent-length: [1-9][^]*\r\n\r\n$/i);
  }
});

describe('a header that decides, given twice', () => {
  it.each([
    ['private-token', 'guest-token', 'developer-token'], ['Private-Token', 'developer-token', 'developer-token'],
    ['authorization', 'Bearer guest-token', 'Bearer developer-token'], ['sudo', '2', '3'], ['content-type', 'a/b', 'application/json'],
    ['host', 'localhost', 'localhost'], ['host', 'localhost', 'evil.example'], ['origin', 'http://a', 'http://b'],
  ])('is rejected when repeated: %s', async (name, first, second) => {
    const { url, seen } = await recorded();
    const host = name === 'host' ? '' : 'host: localhost\r\n';
    const answer = await raw(url, `GET /api/v4/user HTTP/1.1\r\n${host}${name}: ${first}\r\nx: y\r\n${name.toUpperCase()}: ${second}\r\n\r\n`);
    expect(statuses(answer)).toEqual([400]);
    expect(answer).toContain(`{"message":"400 Bad request - the header ${name.toLowerCase()} is given more than once"}`);
    expect(seen).toEqual([]);
  });

  it('can not spell a token that has a comma in it', async () => {
    const { url } = await started({ world: { users: [{ username: 'ada', token: 'one, two' }] } });
    expect(statuses(await raw(url,
      'GET /api/v4/user HTTP/1.1\r\nhost: localhost\r\nprivate-token: one\r\nprivate-token: two\r\n\r\n'))).toEqual([400]);
  });
});

describe('other forms of a request line', () => {
  it('an absolute target means its path, and its authority the host', async () => {
    const { url, seen } = await recorded();
    const line = (authority: string) =>
      `GET http://${authority}${issue}?x=1 HTTP/1.1\r\nhost: localhost\r\nprivate-token: developer-token\r\n${close}\r\n`;
    expect(statuses(await raw(url, line('localhost:1')))).toEqual([200]);
    expect(seen).toEqual([`${issue}?x=1`]);
    expect(statuses(await raw(url, line('user:secret@127.0.0.1')))).toEqual([200]);
    expect(seen).toEqual([`${issue}?x=1`, `${issue}?x=1`]);
    expect(statuses(await raw(url, line('evil.example')))).toEqual([403]);
  });

  it.each(['OPTIONS * HTTP/1.1', 'TRACE /api/v4/version HTTP/1.1', 'PATCH /api/v4/application/appearance HTTP/1.1',
    'GET ftp://localhost/api/v4/version HTTP/1.1'])('%s is an unknown route', async (line) => {
    const { url } = await recorded();
    const answer = await raw(url, `${line}\r\nhost: localhost\r\nprivate-token: root-token\r\n${close}\r\n`);
    expect(statuses(answer)).toEqual([404]);
    expect(answer).toContain('{"error":"404 Not Found"}');
  });

  it('a requested upgrade is ignored', async () => {
    const { url } = await recorded();
    const socket = await connected(url);
    const answer = untilClosed(socket);
    socket.write(get('/-/health', 'connection: upgrade, close\r\nupgrade: h2c\r\n'));
    expect(statuses(await answer)).toEqual([200]);
  });
});

describe('a header that can not be sent', () => {
  it.each([['link', 'a\r\nset-cookie: x'], ['content-disposition', 'a\nb'], ['allow', '日'], ['bad name', 'x']])(
    'costs the connection a clean 500, and nothing is split: %s', async (name, value) => {
      const { url } = await listening({ handle: async () => ({ status: 200, headers: { [name]: value }, body: 'secret' }) });
      const answer = await raw(url, 'GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
      expect(statuses(answer)).toEqual([500]);
      expect(answer).not.toMatch(/set-cookie|secret/);
      expect(answer.endsWith('{"message":"500 Internal Server Error"}')).toBe(true);
    });
});
