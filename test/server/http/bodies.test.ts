import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bodyLimits, BodyRejected, createBodyReader } from '../../../src/server/http/bodies.js';
import { connected, listening, raw, started, statuses, untilClosed } from '../../support/sockets.js';

const threads = '/api/v4/projects/20/issues/1/discussions';
const head = (type: string, more: string) =>
  `POST ${threads} HTTP/1.1\r\nhost: localhost\r\nprivate-token: developer-token\r\ncontent-type: ${type}\r\n${more}\r\n`;
const kinds = [
  { type: 'application/json', most: bodyLimits.other },
  { type: 'application/x-www-form-urlencoded', most: bodyLimits.other },
  { type: 'text/plain', most: bodyLimits.other },
  { type: 'Multipart/Form-Data; boundary=b', most: bodyLimits.form },
];

const tooLarge = '{"message":"413 Request Entity Too Large"}';
afterEach(() => { vi.restoreAllMocks(); });

describe('a body over the bound', () => {
  it.each(kinds)('is rejected by its announced length before it is read, and the connection closes: $type', async ({ type, most }) => {
    const { url } = await started();
    const answer = await raw(url, head(type, `content-length: ${most + 1}\r\n`));
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nconnection: close\r\n/i);
    expect(answer.endsWith(tooLarge)).toBe(true);
  });

  it.each(kinds)('is rejected while it streams, and the connection closes: $type', async ({ type, most }) => {
    const { url } = await started();
    const socket = await connected(url);
    const answer = untilClosed(socket);
    socket.write(head(type, 'transfer-encoding: chunked\r\n'));
    for (let sent = 0; sent <= most; sent += 65_536) socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`);
    expect(await answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*413 Request Entity Too Large"}$/);
  });

  it('is rejected without a "100 Continue" to a client that waits for it', async () => {
    const { url } = await started();
    const answer = await raw(url, head('application/json', `expect: 100-continue\r\ncontent-length: ${bodyLimits.other + 1}\r\n`));
    expect(statuses(answer)).toEqual([413]);
  });

  it('costs no memory', async () => {
    const { url } = await started();
    const joined = vi.spyOn(Buffer, 'concat');
    await raw(url, head('application/json', `content-length: ${bodyLimits.other + 1}\r\n`));
    expect(joined).not.toHaveBeenCalled();
  });
});

describe('a body within the bound', () => {
  it.each([
    ['as escaped JSON', 'application/json', (value: object) => JSON.stringify(value).replaceAll('😀', '\\ud83d\\ude00')],
    ['as a form', 'application/x-www-form-urlencoded', (value: Record<string, string>) => String(new URLSearchParams(value))],
  ] as const)('may hold the longest note, with characters of four bytes, %s', async (_, type, write) => {
    const { url } = await started();
    const body = write({ body: '😀'.repeat(1_000_000) });
    const start = head(type, `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n`);
    const answer = await raw(url, start + body);
    expect(statuses(answer)).toEqual([201]);
  });

  it('gets a "100 Continue" if the client waits for it', async () => {
    const { url } = await started();
    const socket = await connected(url);
    const answer = untilClosed(socket);
    socket.write(head('application/json', 'expect: 100-continue\r\ncontent-length: 12\r\nconnection: close\r\n'));
    socket.once('data', () => { socket.write('{"body":"x"}'); });
    expect(statuses(await answer)).toEqual([100, 201]);
  });
});

describe('the bodies of all connections together', () => {
  const message = (type: string) => Object.assign(new PassThrough(), {
    headers: { 'content-type': type, 'transfer-encoding': 'chunked' },
  }) as unknown as IncomingMessage & PassThrough;

  it('have a limit: over it a body is rejected until others are done', async () => {
    const withBody = createBodyReader(1_000);
    const [first, second, third] = [message('a/b'), message('a/b'), message('a/b')];
    const lengths: number[] = [];
    const work = async (body?: Uint8Array) => { lengths.push(body!.length); };
    const reading = withBody(first, work);
    first.write(Buffer.alloc(800));
    const refused = withBody(second, work);
    second.end(Buffer.alloc(300));
    await expect(refused).rejects.toEqual(new BodyRejected(503));
    first.end();
    await reading;
    const again = withBody(third, work);
    third.end(Buffer.alloc(900));
    await again;
    expect(lengths).toEqual([800, 900]);
  });

  it('are cut off when they come in more pieces than a sender needs', async () => {
    const { url } = await started();
    const socket = await connected(url);
    const answer = untilClosed(socket);
    socket.write(`${head('application/json', 'transfer-encoding: chunked\r\n')}${'1\r\n \r\n'.repeat(200_000)}0\r\n\r\n`);
    expect(await answer).toBe('');
    const few = `${head('application/json', 'transfer-encoding: chunked\r\nconnection: close\r\n')}${'1\r\n \r\n'.repeat(20_000)}0\r\n\r\n`;
    expect(statuses(await raw(url, few))).toEqual([400]);
  });

  it('lose the room of one that breaks off', async () => {
    const withBody = createBodyReader(1_000);
    const broken = message('a/b');
    const reading = withBody(broken, async () => undefined);
    broken.write(Buffer.alloc(900));
    setImmediate(() => broken.destroy());
    await expect(reading).rejects.toThrow('aborted');
    const whole = message('a/b');
    whole.end(Buffer.alloc(900));
    expect(await withBody(whole, async (body) => body!.length)).toBe(900);
  });

  it('over the limit get 503 with Retry-After', async () => {
    const handle = async () => ({ status: 200, headers: {}, body: '' });
    const { url } = await listening({ handle }, { headersTimeout: 60_000, requestTimeout: 60_000 });
    const sockets = await Promise.all(Array.from({ length: 23 }, () => connected(url)));
    const answers = sockets.map(untilClosed);
    for (const socket of sockets) socket.write(`${head('a/b', 'transfer-encoding: chunked\r\n')}5e0000\r\n${'x'.repeat(0x5e0000)}\r\n`);
    const refused = await Promise.race(answers);
    expect(refused).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nretry-after: 1\r\n[\s\S]*{"message":"503 Service Unavailable"}$/i);
    for (const socket of sockets) socket.destroy();
  });
});
