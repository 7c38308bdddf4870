import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openService } from '../../../../../src/server/index.js';
import { printExchange } from '../../../../../src/recording/exchange.js';
import { testApp } from '../../../../support/app.js';
import { everyRow } from '../../../../support/rows.js';

const folder = mkdtempSync(join(tmpdir(), 'colloquy-diff-'));
afterAll(() => { rmSync(folder, { recursive: true }); });

const recording = (body: unknown, status = 200) => printExchange({
  time: '2024-05-01T12:00:00Z', duration: 1, user: null, request: { method: 'GET', target: '/api/v4/version', headers: {}, body: '' },
  response: { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
});
const diff = async (after: string, ...flags: string[]) => {
  const { run } = await testApp({ files: { 'a.ndjson': recording({ version: '17.0', revision: 'x' }), 'b.ndjson': after } });
  return run('serve', 'diff', 'a.ndjson', 'b.ndjson', ...flags);
};

it('a missing field is a warning, another status an error, and both are reported by the exit code', async () => {
  const { code, out, err } = await diff(recording({ version: '17.1' }), '--json');
  expect([code, JSON.parse(out)]).toEqual([8, [
    { level: 'warning', request: 'GET /api/v4/version', place: 'revision', before: 'string', after: 'missing' }]]);
  expect(err).toContain('1 response differs');
  expect(await diff(recording({}, 404), '--json=level')).toMatchObject({ code: 8, out: expect.stringContaining('"error"') as string });
  expect((await diff(recording({}))).err).toContain('1 response differs');
  const table = await diff(recording({ version: 17, revision: null }));
  expect([table.code, table.out]).toEqual([8, expect.stringMatching(/error\s+GET \/api\/v4\/version\s+version\s+string\s+number/)]);
});

it('the same fields and additional ones are fine', async () => {
  expect(await diff(recording({ version: '18.0', revision: 'y' }), '--json')).toMatchObject({ code: 0, out: expect.stringMatching(/^\[\]\s*$/) as string });
  expect(await diff(recording({ version: '18.0', revision: 'y', enterprise: true }))).toMatchObject({
    code: 0, out: expect.stringContaining('info') as string, err: expect.stringContaining('only additions') as string });
});

it('what cannot be read is an error, and so is another response to a repeated request', async () => {
  const broken = (body: string) => printExchange({ ...JSON.parse(recording({})) as Parameters<typeof printExchange>[0],
    response: { status: 200, headers: { 'content-type': 'application/json' }, body } });
  const fine = recording({ version: '17.1', revision: 'y' });
  await everyRow([
    ['cut JSON', broken('{"version":'), 'body', 'not JSON'], ['an empty body', broken(''), 'body', 'empty'], ['null', broken('null'), 'body', 'null'],
    ['HTML', broken('<html>'), 'body', 'not JSON'], ['a second 500', fine + recording({ message: 'x' }, 500), 'status', '500'],
    ['a second response that is cut', fine + broken('{"ver'), 'body', 'not JSON'],
  ] as const, ([name]) => name, async ([, after, place, value]) => {
    const { code, out } = await diff(after, '--json');
    expect([code, JSON.parse(out)]).toEqual([8, [expect.objectContaining({ level: 'error', place, after: value })]]);
  });
  expect(await diff(fine.trimEnd())).toMatchObject({ code: 0 });
  expect(await diff(fine + fine.slice(0, 80), '--json')).toMatchObject({
    code: 2, out: expect.stringMatching(/^\[\]\s*$/) as string, err: expect.stringContaining('b.ndjson:2: the line is cut') as string });
  expect(await diff(`${broken('null')}damaged\n${fine}`, '--json=after')).toMatchObject({ code: 2, out: expect.stringContaining('null') as string,
    err: expect.stringContaining('b.ndjson:2: not JSON') as string });
});

it.each([
  [['a.ndjson'], 'diff takes two recordings, not 1'], [['a.ndjson', 'b.ndjson', 'c.ndjson'], 'diff takes two recordings, not 3'],
  [['a.ndjson', 'missing'], 'missing'], [['a.ndjson', 'bad'], 'bad:1: not JSON'],
])('serve diff %j is refused', async (files, message) => {
  const { run } = await testApp({ files: { 'a.ndjson': recording({}), 'bad': 'x\n' } });
  expect(await run('serve', 'diff', ...files)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
});

it('a recording of the test server has no difference from its world', { timeout: 30_000 }, async () => {
  const upstream = await openService();
  const world = await upstream.world();
  const { users = [], ...rest } = world;
  const lines: string[] = [];
  const proxy = await openService({ proxy: { url: 'http://127.0.0.1', transport: upstream.handle, onExchange: async (line) => { lines.push(line); } } });
  const ask = async (method: string, target: string, user: string, body?: object) => {
    const headers = { 'private-token': `${user}-token`, 'content-type': 'application/json' };
    const { body: answer } = await proxy.handle({ method, target: `/api/v4${target}`, headers, ...body && { body: JSON.stringify(body) } });
    return JSON.parse(String(answer) || 'null') as { id: string; notes: { id: number }[] };
  };
  const issue = '/projects/acme%2Fapp/issues/7';
  const { id, notes: [note] } = await ask('POST', `${issue}/discussions`, 'ada', { body: 'for @bob' });
  await ask('POST', `${issue}/discussions/${id}/notes`, 'bob', { body: 'done' });
  await ask('PUT', `${issue}/discussions/${id}/notes/${note!.id}`, 'ada', { body: 'changed' });
  await ask('GET', `${issue}/discussions`, 'bob');
  await ask('GET', '/users?username=bob', 'ada');
  await ask('DELETE', `${issue}/notes/${note!.id}`, 'ada');
  await ask('GET', '/nothing', 'eve');
  const { run } = await testApp({ files: { 'a.ndjson': lines.join('') } });
  const [same, dumped, empty] = ['same.json', 'dumped.json', 'empty.json'].map((name) => join(folder, name)) as [string, string, string];
  await writeFile(empty, '{"users":[{"id":99,"username":"kim","token":"kim-token"}]}');
  await writeFile(same, JSON.stringify({ ...rest, users: users.map(({ tokens: _, ...user }) => ({ ...user, token: `${user.username}-token` })) }));
  // A dump has the digests of tokens alone.
  await writeFile(dumped, JSON.stringify(world));
  for (const file of [same, dumped]) {
    expect(await run('serve', 'diff', 'a.ndjson', '--world', file, '--json'))
      .toMatchObject({ code: 0, out: expect.stringMatching(/^\[\]\s*$/) as string });
  }
  const stranger = await run('serve', 'diff', 'a.ndjson', '--world', empty);
  expect(stranger).toMatchObject({ code: 2, err: expect.stringContaining('the world has no user with the id') as string });
});

it('a store is not compared, because that would change it', async () => {
  const { run } = await testApp({ files: { 'a.ndjson': '' } });
  const store = join(folder, 'store.db');
  expect(await run('serve', 'diff', 'a.ndjson', '--world', join(folder, 'empty.json'), '--data', store))
    .toMatchObject({ code: 2, err: expect.stringContaining('leave out --data') as string });
  expect(existsSync(store)).toBe(false);
});
