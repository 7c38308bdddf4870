import { describe, expect, it } from 'vitest';
import { close, get, issue, recorded, threads } from '../../../support/raw-requests.js';
import { connected, impatient, listening, pause, raw, statuses, untilClosed } from '../../../support/sockets.js';

describe('the head of a request', () => {
  const longTarget = '{"message":"414 URI Too Long"}';
  const longHead = '{"message":"431 Request Header Fields Too Large"}';

  it('over 32 KiB gets 431, and the connection closes', async () => {
    const { url, seen } = await recorded();
    const heads = [get('/api/v4/version', `x-long: ${'x'.repeat(32_768)}\r\n`), get('/api/v4/version', 'x-some: y\r\n'.repeat(6_000))];
    for (const head of heads) {
      const answer = await raw(url, head);
      expect(statuses(answer)).toEqual([431]);
      expect(answer).toContain('\r\ncontent-type: application/json\r\n');
      expect(answer.endsWith(longHead)).toBe(true);
    }
    expect(seen).toEqual([]);
  });

  it.each([8_192, 20_000, 32_000, 33_000, 65_000])('with a query of %i characters gets 414', async (length) => {
    const { url } = await recorded();
    const answer = await raw(url, get(`/api/v4/version?${'x'.repeat(length)}`, close));
    expect(statuses(answer)).toEqual([414]);
    expect(answer.toLowerCase()).toContain('\r\ncontent-type: application/json\r\n');
    expect(answer.endsWith(longTarget)).toBe(true);
  });

  it.each([40_000, 100_000, 1_000_000])('of %i characters gets a response before the connection closes, even if its sender reads late', async (length) => {
    const { url } = await recorded();
    for (const head of [get('/api/v4/version', `x: ${'x'.repeat(length)}\r\n`), get(`/api/v4/version?${'x'.repeat(length)}`)]) {
      const socket = await connected(url);
      let isReset = false;
      socket.on('error', () => { isReset = true; });
      socket.write(head);
      await pause(50);
      const answer = await untilClosed(socket);
      expect(statuses(answer)).toHaveLength(1);
      expect([longTarget, longHead].some((body) => answer.endsWith(body))).toBe(true);
      expect(isReset).toBe(false);
    }
  });

  it('may be followed by a trailer that is too long: the connection closes in time', async () => {
    const { url } = await listening({ handle: async () => ({ status: 200, headers: {}, body: '' }) }, impatient);
    const trailer = `0\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`;
    const answer = await raw(url, `POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n${trailer}`);
    expect(statuses(answer)).toEqual([408]);
  });

  it('that is too long gets its response after the requests before it', async () => {
    const { url } = await recorded();
    const answer = await raw(url, get(issue) + get(threads) + get('/api/v4/version', `x: ${'x'.repeat(40_000)}\r\n`) + get('/-/health'));
    expect(statuses(answer)).toEqual([200, 200, 431]);
  });

  it('may have many headers below that, and none of them is dropped', async () => {
    const { url } = await recorded();
    const many = Array.from({ length: 2_500 }, () => 'a:\r\n').join('');
    const answer = await raw(url, `GET /api/v4/user HTTP/1.1\r\nhost: localhost\r\n${many}private-token: developer-token\r\n${close}\r\n`);
    expect(statuses(answer)).toEqual([200]);
  });

  it('without a Host is rejected in HTTP/1.1, and served in HTTP/1.0', async () => {
    const { url } = await recorded();
    expect(statuses(await raw(url, 'GET /-/health HTTP/1.1\r\n\r\n'))).toEqual([400]);
    expect(await raw(url, 'GET /-/health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a request that two readers could cut in two ways', () => {
  const smuggled = 'GET /smuggled HTTP/1.1\r\nhost: localhost\r\n\r\n';
  const post = (lines: string[], body: string) =>
    `POST ${threads} HTTP/1.1\r\nhost: localhost\r\nprivate-token: developer-token\r\ncontent-type: application/json\r\n${
      lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`;

  it.each([
    ['a length and chunks', ['content-length: 4', 'transfer-encoding: chunked'], `0\r\n\r\n${smuggled}`],
    ['chunks and a length', ['transfer-encoding: chunked', 'content-length: 4'], `0\r\n\r\n${smuggled}`],
    ['two lengths', ['content-length: 0', `content-length: ${smuggled.length}`], smuggled],
    ['the same length twice', ['content-length: 0', 'content-length: 0'], smuggled],
    ['a list of lengths', [`content-length: 0, ${smuggled.length}`], smuggled],
    ['a negative length', ['content-length: -1'], smuggled],
    ['a length with a sign', ['content-length: +0'], smuggled],
    ['a length in hexadecimal', ['content-length: 0x10'], smuggled],
    ['a length past every number', [`content-length: ${'9'.repeat(40)}`], smuggled],
    ['a chunk size that is none', ['transfer-encoding: chunked'], `zz\r\n${smuggled}`],
    ['a chunk size with a sign', ['transfer-encoding: chunked'], `-1\r\n${smuggled}`],
    ['a chunk size past every number', ['transfer-encoding: chunked'], `${'f'.repeat(20)}\r\n${smuggled}`],
    ['a chunk without its end', ['transfer-encoding: chunked'], `2\r\n{}${smuggled}`],
    ['an unknown coding last', ['transfer-encoding: chunked, identity'], `0\r\n\r\n${smuggled}`],
    ['a coding that only looks like chunks', ['transfer-encoding: xchunked'], `0\r\n\r\n${smuggled}`],
    ['two codings', ['transfer-encoding: identity', 'transfer-encoding: chunked', 'content-length: 0'], smuggled],
    ['a space before the colon', ['content-length : 5'], smuggled],
    ['a folded header', ['x: y', ' content-length: 5'], smuggled],
    ['a line break alone', ['x: y\ncontent-length: 5'], smuggled],
    ['a carriage return alone', ['x: y\rcontent-length: 5'], smuggled],
    ['a NUL in a value', ['x: a\0b'], smuggled],
  ])('is rejected with 400 and nothing more is read: %s', async (_, lines, body) => {
    const { url, seen } = await recorded();
    const answer = await raw(url, post(lines, body));
    expect(statuses(answer)).toEqual([400]);
    expect(answer).toContain('{"message":"400 Bad request');
    expect(seen.filter((target) => target !== threads)).toEqual([]);
  });

  it('gets a response while its sender keeps sending', async () => {
    const { url } = await recorded();
    const socket = await connected(url);
    let isReset = false;
    socket.on('error', () => { isReset = true; });
    socket.write(post(['content-length: -1'], 'x'.repeat(2_000_000)));
    await pause(50);
    expect(statuses(await untilClosed(socket))).toEqual([400]);
    expect(isReset).toBe(false);
  });

  it('gets its response after the pending one, not inside it', async () => {
    const body = Buffer.alloc(8_000_000, 'x');
    const { url } = await listening({ handle: async () => ({ status: 200, headers: {}, body }) });
    const socket = await connected(url);
    socket.write(get('/'));
    socket.once('data', () => { socket.write('no request\r\n\r\n'); });
    const answer = await untilClosed(socket);
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4) === body.toString()).toBe(true);
    expect(statuses(await raw(url, 'no request\r\n\r\n'))).toEqual([400]);
  });

  it('is not made by a body on a reading request: it is read and left out', async () => {
    const { url, seen } = await recorded();
    const answer = await raw(url, `${get(threads, `content-length: ${smuggled.length}\r\n`)}${smuggled}${get(issue, close)}`);
    expect(statuses(answer)).toEqual([200, 200]);
    expect(seen).toEqual([threads, issue]);
  });
});

describe('other forms of a request line', () => {
  it.each(['CONNECT localhost:80 HTTP/1.1', 'GET /-/health HTTP/3.7', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc'])(
    'what is none gets no service and harms none: %j', async (line) => {
      const { url } = await recorded();
      expect(await raw(url, Buffer.from(`${line}\r\nhost: localhost\r\n\r\n`, 'latin1'))).not.toMatch(/^HTTP\/1\.1 2/);
      expect(statuses(await raw(url, get('/-/health', close)))).toEqual([200]);
    });
});
