import { describe, expect, it } from 'vitest';
import type { LoggedExchange } from '../../../../src/server/index.js';
import { ranIn } from '../../../support/app.js';
import { sampleOf } from '../../../support/extent.js';
import { everyRow } from '../../../support/rows.js';
import { type Sent, testService } from '../../../support/service.js';
import { refs, threads } from '../../../support/worlds.js';

const notes = '/projects/20/issues/1/notes';
const mergeRequest = '/projects/20/merge_requests/1';
const unread = 'x-colloquy-unread';

describe('what an operation does not declare', () => {
  interface Row { readonly name: string; readonly call: readonly [string, string, Sent?]; readonly expected: string | undefined }
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  const rows: readonly Row[] = [
    { name: 'keys of JSON and of the query, in order', call: ['POST', `${notes}?colour=red`, { json: { body: 'a', confidental: true } }],
      expected: 'colour,confidental' },
    { name: 'keys of a form', call: ['POST', notes, { ...form, body: 'body=a&text=b&position%5Bx%5D=1' }], expected: 'text,position' },
    { name: 'keys of a multipart form', expected: 'colour', call: ['POST', notes, {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\nContent-Disposition: form-data; name="body"\r\n\r\na\r\n--b\r\nContent-Disposition: form-data; name="colour"\r\n\r\nred\r\n--b--\r\n',
    }] },
    { name: 'a name that objects have', call: ['GET', `${notes}?constructor=1&__proto__=2`], expected: 'constructor,__proto__' },
    { name: 'tokens, sudo and paging are read', expected: undefined,
      call: ['GET', `${notes}?private_token=root-token&sudo=developer&page=2&per_page=3&order_by=created_at`] },
    { name: 'paging of what has no pages', call: ['GET', `${notes}/1?page=2`], expected: 'page' },
    { name: 'a body of a GET is not read by any operation', call: ['GET', notes, { json: { colour: 'red' } }], expected: undefined },
    { name: 'HEAD', call: ['HEAD', `${notes}?colour=red`], expected: 'colour' },
    { name: 'an error of the service', call: ['GET', '/projects/99/issues/1/notes?colour=red'], expected: 'colour' },
    { name: 'an error about parameters', call: ['POST', notes, { json: { boddy: 'a' } }], expected: 'boddy' },
    { name: 'a caller without a token learns nothing', call: ['GET', `${notes}?colour=red`, { as: null }], expected: undefined },
    { name: 'a route that nothing serves', call: ['GET', '/nothing?colour=red'], expected: undefined },
    { name: 'a secret in a name', call: ['GET', `${notes}?glpat-abcdefghijklmnopqrst=1`], expected: '[redacted]' },
    { name: 'a name with a comma, a line break and a letter', call: ['GET', `${notes}?a%2Cb%0D%0Ac%C3%BC=1`], expected: 'a%2Cb%0D%0Ac%C3%BC' },
  ];

  it('is in a header of the response', async () => {
    const { call } = await testService();
    await everyRow(rows, ({ name }) => name, async ({ call: sent, expected }) => {
      expect((await call(...sent)).headers[unread]).toBe(expected);
    });
  });

  it('is in the log, with the operation', async () => {
    const { call, service, get } = await testService();
    await everyRow(rows, ({ name }) => name, async ({ call: sent, expected }) => {
      await call(...sent);
      expect((await service.requests()).at(-1)).toMatchObject({ unread: expected?.split(',') ?? [] });
    });
    await call('PUT', mergeRequest, { json: { title: 'New', colour: 'red' } });
    const { body } = await get<LoggedExchange[]>('/-/requests?method=PUT');
    expect(body).toMatchObject([{ operation: 'mergeRequests.modify', unread: ['colour'] }]);
    expect((await service.requests({ path: '*/nothing' }))).toMatchObject([{ operation: null, unread: [] }]);
  });

  it('is at most 20 names of a bounded length', async () => {
    const { post } = await testService();
    const names = Array.from({ length: 50 }, (_, i) => `${i}${'ü'.repeat(300)}`);
    const { headers } = await post(notes, { json: Object.fromEntries(names.map((name) => [name, 1])) });
    const shown = headers[unread]!.split(',');
    expect(shown).toHaveLength(20);
    expect(headers[unread]!.length).toBeLessThanOrEqual(2_048);
    for (const name of shown) expect(decodeURIComponent(name)).toMatch(/^\d+ü{15,}$/);
  });

  it('includes what the version does not have yet, but not what the document declares and the service ignores', async () => {
    const reply = '/projects/20/issues/1/discussions/0/notes';
    for (const dialect of ['document', 'live'] as const) {
      const { put, post } = await testService({ dialect, serviceVersion: '12.9' });
      const sent = { as: 'root', json: { profile_image_guidelines: 'a', title: 'b' } };
      expect((await put('/application/appearance', sent)).headers[unread]).toBe('profile_image_guidelines');
      expect((await post(reply, { json: { body: 'a', note_id: 1 } })).headers).not.toHaveProperty(unread);
    }
  });

  it('is the same in a response of the cache and in one without a body', async () => {
    const { get, service } = await testService();
    const path = `${notes}?colour=red`;
    const [first, second] = [await get(path), await get(path)];
    const third = await get(path, { headers: { 'if-none-match': first.headers['etag']! } });
    expect([first, second, third].map(({ status, headers }) => [status, headers[unread]])).toEqual([[200, 'colour'], [200, 'colour'], [304, 'colour']]);
    expect((await service.requests()).map((one) => [one.operation, one.unread, one.user])).toEqual(
      Array.from({ length: 3 }, () => ['notes.issue.list', ['colour'], 'developer']));
  });

  it('is in the response of a fault that comes after the operation, and not before it', async () => {
    const { get, faults } = await testService();
    await faults(['GET * => status 503 before times=1', 'GET * => status 503 after times=1']);
    const [before, after] = [await get(`${notes}?colour=red`), await get(`${notes}?colour=red`)];
    expect([before, after].map(({ status, headers }) => [status, headers[unread]])).toEqual([[503, undefined], [503, 'colour']]);
  });

  it('is in the responses and logs of isolated worlds', async () => {
    const { get } = await testService();
    expect((await get(`/w/a/api/v4${notes}?colour=red`)).headers[unread]).toBe('colour');
    expect((await get('/w/a/-/requests')).body).toMatchObject([{ unread: ['colour'], world: 'a' }]);
  });

  it('is unknown for custom routes, which read what they want', async () => {
    const routes = [{ on: 'GET /colours', handle: () => ({ body: [] }) }];
    const { handle } = await testService({ routes, rejectUnread: true });
    const request = { method: 'GET', target: '/api/v4/colours?colour=red', headers: { 'private-token': 'developer-token' } };
    const { status, headers } = await handle(request);
    expect([status, headers[unread]]).toEqual([200, undefined]);
  });
});

describe('a server that rejects what it does not read', () => {
  const rejection = (names: string) => ({
    status: 400, headers: { [unread]: names.replaceAll(' ', '') },
    body: { message: `400 Bad request - this test server does not read ${names}; the service may` },
  });

  it('names it, and stores nothing', async () => {
    const { post, get, service } = await testService({ rejectUnread: true });
    const before = await service.world();
    expect(await post(notes, { json: { body: 'a', colour: 'red', mood: 'good' } })).toMatchObject(rejection('colour, mood'));
    expect(await get(`${notes}?colour=red`)).toMatchObject(rejection('colour'));
    expect(await service.world()).toEqual(before);
    expect((await service.requests()).map((request) => request.unread)).toEqual([['colour', 'mood'], ['colour']]);
  });

  it('says so before it says what is missing or invalid, and after what the caller must not know', async () => {
    const { post, get } = await testService({ rejectUnread: true });
    expect(await post(notes, { json: { boddy: 'a' } })).toMatchObject(rejection('boddy'));
    expect(await get(`${notes}?per_page=0&colour=red`)).toMatchObject(rejection('colour'));
    expect((await get(`${notes}?colour=red`, { as: null })).status).toBe(401);
    expect((await get('/application/appearance?colour=red')).status).toBe(403);
  });

  it('accepts a request that declares everything, in isolated worlds too', async () => {
    const { post } = await testService({ rejectUnread: true });
    expect((await post(notes, { json: { body: 'a' } })).status).toBe(201);
    expect(await post(`/w/a/api/v4${notes}`, { json: { body: 'a', colour: 'red' } })).toMatchObject(rejection('colour'));
  });
});

it('each parameter that the program sends is read, in both response formats', async () => {
  const mr = threads.diff.slice(0, 8);
  const rows = [
    ...sampleOf(['!1', '#1', '$40', '&1', `@${refs.commit}`], 2).flatMap((ref) => [
      `notes add ${ref} -m x --created-at 2024-01-01T00:00:00Z`, `discussions create ${ref} -m x`, `notes upsert ${ref} --key k -m x`,
      `notes upsert ${ref} --key k -m y`, `discussions list ${ref} --all`, `discussions view ${ref}`, `notes list ${ref}`,
      `discussions export ${ref}`,
    ]),
    `discussions get !1 ${mr}`, `discussions reply !1 ${mr} -m x`, 'discussions create !1 -m x --file app.js:2',
    `discussions resolve !1 ${mr}`, `discussions unresolve !1 ${mr}`, 'discussions resolve !1 --all --yes', 'discussions check !1',
    'discussions inbox', 'discussions drafts !1', 'discussions lines !1 app.js', 'discussions suggestions !1',
    'notes post !1 --from lines - --key z',
    'epics list', 'epics list &1', 'epics tree &1', 'epics create &1 --title New --confidential=false',
    'epics assign &1 &2', 'epics reorder &1 &2 --first', 'epics unassign &1 &2 --yes',
    'appearance get', 'appearance set --title T', 'appearance banner Hello --yes', 'doctor', 'auth status',
  ];
  for (const dialect of ['document', 'live'] as const) {
    const service = await testService({ rejectUnread: true, dialect });
    await everyRow(rows, (line) => `${dialect}: ${line}`, async (line) => {
      const { code, err } = await ranIn({ service, env: { COLLOQUY_TOKEN: 'root-token' }, stdin: 'app.js:2: odd\n' }, ...line.split(' '));
      expect(code, err).toBe(0);
    });
    expect((await service.service.requests()).filter((request) => request.unread.length > 0)).toEqual([]);
  }
});

it('a change of a merge request with nothing but unread parameters does not get the text of the service, whose list is longer', async () => {
  const { put } = await testService();
  expect((await put(mergeRequest, { json: { colour: 'red' } })).body)
    .toEqual({ message: '400 Bad request - this test server does not read colour; the service may' });
  expect((await put(mergeRequest, { json: {} })).body).toEqual({ error: expect.stringMatching(/are missing, at least one/) as string });
});
