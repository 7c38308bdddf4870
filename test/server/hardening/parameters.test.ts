import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Discussion } from '../../../src/contract/shapes/note.js';
import { parseQuery } from '../../../src/wire/decode.js';
import { fromPairs } from '../../../src/wire/http.js';
import { runsOf } from '../../support/extent.js';
import { testService, type TestService } from '../../support/service.js';

const threads = '/projects/20/merge_requests/1/discussions';
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
let service: TestService;
beforeEach(async () => { service = await testService(); });
afterEach(() => service.close());

/** Names as a stranger would make them up: known and magic words, brackets in any order, any character. */
const word = fc.constantFrom('position', 'line_range', 'start', 'type', 'body', 'page', '__proto__', 'constructor', 'prototype', 'toString',
  'hasOwnProperty', '0', '', 'private_token', 'then', 'length');
const name = fc.array(fc.oneof({ weight: 4, arbitrary: word.map((key) => `[${key}]`) }, word, fc.constantFrom('[', ']', '[[', ']]', '%', '%5B', '&'),
  fc.string({ unit: 'binary', maxLength: 3 })), { minLength: 1, maxLength: 7 }).map((parts) => parts.join(''));

const prototypes = () => [Object.prototype, Array.prototype, Function.prototype, String.prototype]
  .map((prototype) => Object.getOwnPropertyNames(prototype).length);

describe('bracketed names', () => {
  it('of any kind become objects without a prototype, or are rejected, and reach nothing else', () => {
    const before = prototypes();
    fc.assert(fc.property(fc.array(fc.tuple(name, fc.string()), { maxLength: 30 }), (pairs) => {
      let hash: Record<string, unknown>;
      try {
        hash = fromPairs(pairs);
      } catch (error) {
        expect((error as Error).constructor.name).toBe('UnreadableParams');
        return;
      }
      const visit = (value: unknown): void => {
        if (typeof value !== 'object' || value === null) return;
        expect([null, Array.prototype]).toContain(Object.getPrototypeOf(value));
        Object.values(value).forEach(visit);
      };
      visit(hash);
    }), { numRuns: runsOf(1_000) });
    expect(prototypes()).toEqual(before);
  });

  it.each(['query', 'form', 'multipart'])('of any kind get a response in a %s', async (place) => {
    await fc.assert(fc.asyncProperty(fc.array(fc.tuple(name, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 12 }), async (pairs) => {
      const text = pairs.map(([key, value]) => `${key}=${value}`).join('&');
      const got = place === 'query' ? await service.get(`${threads}?${text}`)
        : place === 'form' ? await service.post(threads, { headers: form, body: text })
          : await service.post(threads, { headers: multipart, body: `${pairs.map(([key, value]) =>
            `--b\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`).join('')}--b--\r\n` });
      expect([200, 201, 400, 401]).toContain(got.status);
    }), { numRuns: runsOf(500) });
  });

  it.each(['__proto__', 'constructor', 'prototype'])('called %s are names like any other', async (magic) => {
    for (const key of [magic, `${magic}[admin]`, `position[${magic}][x]`, `${magic}[prototype][admin]`]) {
      expect((await service.get(`${threads}?${key}=1`)).status).toBe(200);
      expect((await service.post(threads, { headers: form, body: `body=x&${key}=1` })).status).toBe(key.startsWith('position') ? 400 : 201);
    }
    const json = JSON.stringify({ body: 'x' }).replace('}', `,"${magic}":{"admin":true,"body":"y"}}`);
    expect(await service.post(threads, { headers: { 'content-type': 'application/json' }, body: json }))
      .toMatchObject({ status: 201, body: { notes: [{ body: 'x' }] } });
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it('come at most 200 at once and five deep', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `k${i}=1`).join('&');
    expect((await service.get(`${threads}?${many(200)}`)).status).toBe(200);
    expect(await service.get(`${threads}?${many(201)}`)).toMatchObject({ status: 400, body: { error: 'more than 200 parameters' } });
    expect((await service.post(threads, { headers: form, body: many(100_000) })).status).toBe(400);
    expect((await service.get(`${threads}?a[b][c][d][e]=1`)).status).toBe(200);
    expect((await service.get(`${threads}?a[b][c][d][e][f]=1`)).status).toBe(400);
    expect((await service.get(`${threads}?a${'[b]'.repeat(2_000)}=1`)).status).toBe(400);
    expect((await service.post(threads, { headers: form, body: `a${'[b]'.repeat(100_000)}=1` })).status).toBe(400);
  });

  it('are read in a time that grows with their length alone', () => {
    for (const hostile of ['[', ']', '[]', '[a', 'a[', '[[]', 'a]b[']) {
      expect(Object.values(fromPairs([[hostile.repeat(200_000), '1']]))).toEqual(['1']);
    }
  }, 5_000);

  it('are left unread where there are too many of them', () => {
    expect(() => fromPairs([[`a${'[b]'.repeat(8_000_000)}`, '1']])).toThrow('deeper than 5 levels');
    expect(() => parseQuery('a&'.repeat(8_000_000))).toThrow('more than 200 parameters');
  }, 5_000);
});

describe('a multipart form', () => {
  const field = (head: string, value: string) => `--b\r\n${head}\r\n\r\n${value}\r\n`;
  const named = (key: string, value: string) => field(`Content-Disposition: form-data; name="${key}"`, value);
  const send = (body: string, headers = multipart) => service.post<Discussion>(threads, { headers, body });
  const count = async () => (await service.get(threads)).headers['x-total'];

  it.each([
    ['a field over the bound', `${named('body', 'x'.repeat(4_194_305))}--b--`],
    ['201 fields', `${Array.from({ length: 201 }, (_, i) => named(`k${i}`, '1')).join('')}--b--`],
    ['11 files', `${Array.from({ length: 11 }, (_, i) => field(`Content-Disposition: form-data; name="f${i}"; filename="a"`, '')).join('')}--b--`],
    ['a field without a name', `${field('Content-Disposition: form-data', 'x')}--b--`],
    ['a name that is too long', `${named('k'.repeat(201), 'x')}--b--`],
    ['a file name that is too long', `${field(`Content-Disposition: form-data; name="f"; filename="${'n'.repeat(4_097)}"`, 'x')}--b--`],
    ['a head that is too long', `${field(`Content-Disposition: form-data; name="body"; x="${'y'.repeat(8_192)}"`, 'x')}--b--`],
    ['a head of too many lines', `${field(`${'X: y\r\n'.repeat(1_400)}Content-Disposition: form-data; name="body"`, 'x')}--b--`],
    ['no end', named('body', 'cut o')],
    ['no end of a head', '--b\r\nContent-Disposition: form-data; name="body"'],
    ['no end of a file', '--b\r\nContent-Disposition: form-data; name="logo"; filename="a"\r\n\r\nabc'],
    ['nothing', ' '],
    ['hundreds of thousands of parts', `${named('k', '1').repeat(60_000)}--b--`],
    ['hundreds of thousands of parts without a head', `${'--b\r\n'.repeat(800_000)}--b--`],
  ])('with %s is rejected, and nothing of it is stored', async (_, body) => {
    const before = await count();
    const got = await send(body);
    expect(got.status).toBe(400);
    expect(await count()).toBe(before);
  }, 5_000);

  it('may hold its own boundary inside a line as often as it likes', async () => {
    const got = await send(`${named('body', 'x--b '.repeat(1_000))}--b--`);
    expect(got.status).toBe(201);
  });

  it('may go on after its end, and hold a name of its longest length', async () => {
    expect((await send(`${named('body', 'x')}--b--\r\n${'x'.repeat(20_000)}`)).status).toBe(201);
    const file = field(`Content-Disposition: form-data; name="f"; filename="${'n'.repeat(4_096)}"`, 'x');
    expect((await send(`${file}${named('body', 'x')}--b--`)).status).toBe(201);
  });

  it.each(['b', '"b"', 'b ; charset=utf-8', '"b"; charset=utf-8'])('may name its boundary so: %s', async (spelt) => {
    expect((await send(`${named('body', 'x')}--b--`, { 'content-type': `Multipart/Form-Data; Boundary=${spelt}` })).status).toBe(201);
  });

  it.each([70, 71])('has a boundary of at most 70 characters: %i', async (length) => {
    const boundary = 'b'.repeat(length);
    const body = named('body', 'x').replace('--b', `--${boundary}`);
    const got = await send(`${body}--${boundary}--`, { 'content-type': `multipart/form-data; boundary=${boundary}` });
    expect(got.status).toBe(length === 70 ? 201 : 400);
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary="', 'multipart/form-data; boundary=b; boundary=c',
    `multipart/form-data; boundary=${'b'.repeat(10_000)}`, 'multipart/form-data; boundary=\0', 'multipart/form-data; boundary*=utf-8\'\'b'])(
    'whose boundary is odd comes to an end: %j', async (type) => {
      expect([201, 400]).toContain((await send(`${named('body', 'x')}--b--`, { 'content-type': type })).status);
    });

  it.each(['utf-16le', 'x-unknown', 'latin1', ''])('in the charset %j is read or rejected', async (charset) => {
    const got = await send(`${field(`Content-Disposition: form-data; name="body"\r\nContent-Type: text/plain; charset=${charset}`, 'text')}--b--`);
    expect([201, 400]).toContain(got.status);
  });

  it('keeps the longest note whole', async () => {
    const body = '😀'.repeat(1_000_000);
    const got = await send(`${named('body', body)}--b--`);
    expect([got.status, got.body.notes[0]!.body === body]).toEqual([201, true]);
  });
});
