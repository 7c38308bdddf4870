import { expect, it } from 'vitest';
import { printExchange } from '../../../../src/recording/exchange.js';
import { testApp } from '../../../support/app.js';

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
  const table = await diff(recording({ version: 17, revision: null }));
  expect([table.code, table.out]).toEqual([8, expect.stringMatching(/error\s+GET \/api\/v4\/version\s+version\s+string\s+number/)]);
});

it('the same fields and additional ones are fine', async () => {
  expect(await diff(recording({ version: '18.0', revision: 'y' }), '--json')).toMatchObject({ code: 0, out: expect.stringMatching(/^\[\]\s*$/) as string });
  expect(await diff(recording({ version: '18.0', revision: 'y', enterprise: true }))).toMatchObject({
    code: 0, out: expect.stringContaining('info') as string, err: expect.stringContaining('only additions') as string });
});

it.each([
  [['a.ndjson'], 'diff takes two recordings, not 1'], [['a.ndjson', 'b.ndjson', 'c.ndjson'], 'diff takes two recordings, not 3'],
  [['a.ndjson', 'missing'], 'missing'], [['a.ndjson', 'bad'], 'bad:1: not JSON'],
])('serve diff %j is refused', async (files, message) => {
  const { run } = await testApp({ files: { 'a.ndjson': recording({}), 'bad': 'x\n' } });
  expect(await run('serve', 'diff', ...files)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
});
