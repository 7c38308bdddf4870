import { KindGuard, type TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../../src/contract/contract.js';
import { pathNames, type Endpoint } from '../../../src/contract/endpoint.js';
import type { Discussion } from '../../../src/contract/shapes/note.js';
import { isAll } from '../../support/extent.js';
import { demanded, placed } from '../../support/routes.js';
import { everyRow } from '../../support/rows.js';
import { testService, type Sent, type TestService } from '../../support/service.js';
import { raw, started, statuses } from '../../support/sockets.js';
import { onPostgres } from '../../support/stores.js';
import { refs, threads } from '../../support/worlds.js';

let service: TestService;
beforeEach(async () => { service = await testService(); });
afterEach(() => service.close());

const issue = '/projects/20/issues/1/discussions';
const changes = '/projects/20/merge_requests/1/discussions';

/** Whole numbers in every form that a sender may come up with. */
const texts = ['0', '-0', '-1', '007', '+1', ' 1', '1 ', '1e3', '1.0', '1.5', '0x1f', '0b1', '1_000', '１', '٣', 'NaN', 'Infinity', 'null', 'true', '', ' ',
  '--1', '9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740993', '2147483648', '9223372036854775807', '9223372036854775808',
  '99999999999999999999999999', '9'.repeat(400), '1\0', '1\n', '[]', '{}'];
const values = [...texts, 0, -1, 1.5, 1e3, 1e21, -1e300, 9007199254740991, 9007199254740993, true, false, null, [], [1], ['1'], {}, { a: 1 }, [[1]]];

const isWhole = (shape: TSchema): boolean =>
  KindGuard.IsInteger(shape) || (KindGuard.IsUnion(shape) && shape.anyOf.some((part: TSchema) => KindGuard.IsInteger(part)));

const everyWhole = everyEndpoint().flatMap(({ name, endpoint }) => Object.entries(endpoint.params)
  .filter(([, { shape }]) => isWhole(shape)).map(([param]) => ({ name, endpoint, param })));

/** What reaches a store is the same for each parameter of a name: on PostgreSQL and in `npm test`, one is asked. */
const wholes = onPostgres || !isAll ? [...new Map(everyWhole.map((one) => [one.param, one])).values()] : everyWhole;

const send = (endpoint: Endpoint, param: string, value: unknown): Promise<{ status: number }> => {
  const [path] = endpoint.paths;
  const reads = endpoint.method === 'GET' || endpoint.method === 'DELETE';
  const id = path.startsWith('/groups/') ? '10' : '20';
  if (pathNames(path).includes(param)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text === '') return Promise.resolve({ status: 404 });
    return service.call(endpoint.method, placed(path, id, { [param]: text }), { as: 'root', ...(!reads && { json: demanded(endpoint) }) });
  }
  const target = placed(path, id);
  if (reads) return service.call(endpoint.method, `${target}?${param}=${encodeURIComponent(String(value))}`, { as: 'root' });
  return service.call(endpoint.method, target, { as: 'root', json: { ...demanded(endpoint), [param]: value } });
};

describe('a whole number in any form', () => {
  it('is read or rejected, never a fault, in every parameter', async () => {
    await everyRow(wholes, ({ name, param }) => `${param} of ${name}`, async ({ endpoint, param }) => {
      for (const value of values) expect((await send(endpoint, param, value)).status).toBeLessThan(500);
    });
  });

  it('that is none is invalid', async () => {
    const wrong = [['page', '1e3'], ['page', '0x1'], ['per_page', '1.5'], ['page', '9007199254740992'], ['per_page', '٣'], ['page', ' 1']] as const;
    await everyRow(wrong, String, async ([name, value]) => {
      const got = await service.get(`${issue}?${name}=${encodeURIComponent(value)}`);
      expect(got).toMatchObject({ status: 400, body: { error: `${name} is invalid` } });
    });
  });

  it('at the end of what is exact is read exactly', async () => {
    const got = await service.get(`${issue}?page=9007199254740991&per_page=100`);
    expect(got).toMatchObject({ status: 200, body: [], headers: { 'x-page': '9007199254740991', 'x-next-page': '', 'x-prev-page': '' } });
    const position = {
      base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'image', new_path: 'pixel.png', old_path: 'pixel.png',
      x: 9007199254740991, y: -9007199254740991, width: 0, height: 1,
    };
    const made = await service.post<Discussion>(changes, { json: { body: 'x', position } });
    expect(made).toMatchObject({ status: 201, body: { notes: [{ position: { x: 9007199254740991, y: -9007199254740991, width: 0 } }] } });
  });
});

/** Texts that stores and encoders treat each in their own way. */
const wholesome = ['😀', '👩‍👩‍👧', 'e\u0301', '\u00e9', '\ufeffbom', '\u202eright to left\u202c', '\u200b', '\uffff', '\u{10ffff}', 'a\u2028b',
  '日本', 'א', '\x01\x1f\x7f', "'; --", '\\u0000', '%00',
  '\t tab', 'ſ', 'İ', '<script>&', '"', '\\', '$&', '$1', '{}', '\u0085'];
/** behavior: errors.text */
const badRequest = { status: 400, text: 'Bad Request', headers: { 'content-type': 'text/plain' } };
const broken = ['\0', 'a\0b', '\ud800', 'a\udfff', '\udc00\ud800', '\ud83d '];

describe('text of any kind', () => {
  it('comes back as it was sent', async () => {
    await everyRow(wholesome, JSON.stringify, async (text) => {
      const sent = [{ json: { body: text } }, { form: { body: text } }];
      for (const one of sent) {
        const { body } = await service.post<Discussion>('/projects/20/snippets/40/discussions', one);
        expect(body.notes[0]!.body).toBe(text);
        const read = await service.get<Discussion>(`/projects/20/snippets/40/discussions/${body.id}`);
        expect(read.body.notes[0]!.body).toBe(text);
      }
      expect((await service.put('/application/appearance', { as: 'root', json: { title: text } })).body).toMatchObject({ title: text });
    });
  });

  it('that cannot be stored is rejected in the words of the service', async () => {
    await everyRow(broken, JSON.stringify, async (text) => {
      expect(await service.post(issue, { json: { body: text } })).toMatchObject(badRequest);
      const title = await service.put('/application/appearance', { as: 'root', json: { title: text } });
      expect(title).toMatchObject(badRequest);
      const epic = await service.post('/groups/10/epics/1/epics', { as: 'root', json: { title: text } });
      expect(epic).toMatchObject(badRequest);
      expect((await service.get(`/projects/${encodeURIComponent(text.toWellFormed())}/issues/1`)).status).toBeLessThan(500);
    });
  });

  it('in any parameter, value and key is read or rejected, and returned as stored', async () => {
    const odd = fc.constantFrom('\0', '\ud800', '\udfff', '\u202e', '😀', '"', '\\', '\r', '\n', 'a');
    const text = fc.string({ unit: fc.oneof(odd, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })) });
    await fc.assert(fc.asyncProperty(text, text, async (body, key) => {
      const { status, body: made } = await service.post<Discussion>('/projects/20/snippets/40/discussions', { json: { body, [key]: body } });
      expect([201, 400]).toContain(status);
      if (status === 201 && key !== 'body') expect(made.notes[0]!.body).toBe(body);
    }), { numRuns: 200 });
  });

  it('that can not be decoded is never a fault', async () => {
    await everyRow(['%', '%zz', '%e', '%ff', '%c3%28', '%ed%a0%80', '%00', '%2500', '%u0041', '%F5%80%80%80'], String, async (piece) => {
      const paths = [`/projects/${piece}/issues/1/discussions`, `/projects/20/issues/${piece}/discussions`, `/projects/20/commits/${piece}/discussions`,
        `${issue}/${piece}`, `${issue}?id=${piece}&${piece}=1&page=${piece}`, `/${piece}`, `/groups/${piece}/epics/1/epics`];
      for (const path of paths) {
        for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
          expect((await service.call(method, path, { as: 'root', ...(method === 'POST' && { json: { body: 'x' } }) })).status).toBeLessThan(500);
        }
      }
    });
  });

  it('that is not UTF-8 is rejected wherever it is, and stores nothing', async () => {
    const sent = (type: string, body: string): Sent => ({ headers: { 'content-type': type }, body: Buffer.from(body, 'latin1') });
    const form = (body: string) => sent('application/x-www-form-urlencoded', body);
    const multipart = (text: string) =>
      sent('multipart/form-data; boundary=b', `--b\r\nContent-Disposition: form-data; name="body"\r\n\r\n${text}\r\n--b--\r\n`);
    const requests: [string, Sent][] = [
      [issue, form('body=caf\xe9')], [issue, form('body=caf%E9')], [issue, form('body=100%')], [issue, form('body=a%00')],
      [issue, sent('application/json', '{"body":"caf\xe9"}')], [issue, sent('application/json', '{"body":"x","position":{"a":"\xff"}}')],
      [issue, multipart('caf\xe9')], [issue, multipart('a\0')], [`${issue}?body=caf%E9`, {}], [`${issue}?body=100%`, {}],
      ['/projects/caf%E9/issues/1/discussions', form('body=x')], ['/caf%E9', {}],
    ];
    const before = (await service.get(issue)).text;
    await everyRow(requests, ([path, { body = '' }]) => `${path} ${String(body)}`, async ([path, request]) => {
      expect(await service.post(path, request)).toMatchObject(badRequest);
    });
    expect(await service.get('/projects/20/issues?search=%FF')).toMatchObject(badRequest);
    expect((await service.get(issue)).text).toBe(before);
    for (const right of [form('body=caf%C3%A9 \xef\xbf\xbd%25'), multipart('caf\xc3\xa9 \xef\xbf\xbd%')]) {
      expect(await service.post(issue, right)).toMatchObject({ status: 201, body: { notes: [{ body: 'café \ufffd%' }] } });
    }
  });

  it('in a header is never a fault', async () => {
    const { url } = await started();
    for (const value of ['\xff', '\x80token', 'caf\xe9', '\xe2\x80\xae', '\x7f']) {
      const names = ['private-token', 'authorization', 'sudo', 'if-none-match', 'if-unmodified-since', 'accept', 'x'];
      const lines = names.map((name) => `${name}: ${value}\r\n`).join('');
      const answer = await raw(url, Buffer.from(`GET /api/v4${issue} HTTP/1.1\r\nhost: localhost\r\n${lines}connection: close\r\n\r\n`, 'latin1'));
      expect([400, 401]).toContain(statuses(answer)[0]);
    }
  });
});

describe('a time', () => {
  const times = ['0000-01-01', '9999-12-31T23:59:59Z', '10000-01-01', '-000001-01-01', '1969-12-31T23:59:59Z', '2024-02-30', '2024-13-01',
    '2024-01-01T25:00:00Z', 'now', '',
    '2024-01-01T00:00:00+99:99', '2024-01-01 00:00:00 -0800', '1e9', '1700000000', '2024-01-01T00:00:00.123456789Z',
    `2024-01-01T00:00:00.${'1'.repeat(10_000)}Z`];

  it('of any kind is read, dropped or refused', async () => {
    await everyRow(times, (created_at) => created_at.slice(0, 40), async (created_at) => {
      const got = await service.post<Discussion>(issue, { as: 'owner', json: { body: 'x', created_at } });
      expect([201, 400]).toContain(got.status);
      expect((await service.get(`${issue}?per_page=100`)).status).toBe(200);
    });
  });

  const names = ['if-unmodified-since', 'if-modified-since', 'if-none-match', 'if-match', 'range', 'expect', 'te'];

  it('or condition in any header is never a fault', async () => {
    await everyRow(names, String, async (name) => {
      for (const value of ['x', '*', '"', 'W/"', '", "', ',,,', 'Thu, 99 Foo 9999', '-1', 'bytes=0-1', 'x'.repeat(100_000)]) {
        expect((await service.get(issue, { headers: { [name]: value } })).status).toBeLessThan(400);
        const gone = await service.delete(`${changes}/${threads.thread}/notes/9999`, { headers: { [name]: value } });
        expect(gone.status).toBe(404);
      }
    });
  });
});
