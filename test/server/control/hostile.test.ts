import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAll, runsOf } from '../../support/extent.js';
import { everyRow } from '../../support/rows.js';
import { testService } from '../../support/service.js';
import { hostileYaml } from '../../yaml/hostile.js';

const bodyLimit = 6_291_456;
/** In `npm test`, reading YAML alone tries the longest. */
const longest = isAll ? bodyLimit : 500_000;
/** A text as long as a body may be, in `npm test` a tenth of it. */
const long = (part: string, count: number): string => part.repeat(isAll ? count : count / 10);
const sent = hostileYaml.filter(([, text]) => text.length < longest);

describe('a text that a limit of YAML rejects', () => {
  it.each(sent)('is rejected with its line, as faults and as a world: %s', async (_, text, reason, line) => {
    const { put } = await testService();
    const faults = await put<{ message: string }>('/-/faults', { body: text });
    expect([faults.status, faults.body.message]).toEqual([400, expect.stringContaining(`request body:${line}: ${reason}`)]);
    const world = await put<{ message: string }>('/-/world', { body: text });
    expect([world.status, world.body.message]).toEqual([422, expect.stringContaining(`request body:${line}: ${reason}`)]);
  });

  it('is rejected in the response of a fault, and by the clock', async () => {
    const { put } = await testService();
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    expect((await put('/-/faults', { json: { rules: [`* => respond {"body":${deep}}`] } })).status).toBe(400);
    expect((await put('/-/clock', { body: `{"now":${deep}}` })).status).toBe(400);
    expect((await put('/-/clock', { body: deep })).status).toBe(400);
  });
});

it('texts of any length are read in one pass', async () => {
  const faults: unknown[] = [];
  const { call } = await testService({ onFault: (fault) => { faults.push(fault); } });
  const quotes = '"'.repeat(200_000);
  const rows: readonly (readonly [name: string, method: string, path: string, body: string, status: number])[] = [
    ['quotes', 'PUT', '/-/world', quotes, 422], ['quotes', 'PUT', '/-/faults', quotes, 400], ['quotes', 'POST', '/-/push', quotes, 400],
    ['quotes', 'PUT', '/-/clock', quotes, 400],
    ['options of a fault', 'PUT', '/-/faults', JSON.stringify({ rules: [`* => reset${long(' p=1', 500_000)}`] }), 200],
    ['options between tabs', 'PUT', '/-/faults', JSON.stringify({ rules: [`* => reset${long('\ttimes=1', 500_000)}`] }), 200],
    ['options between lines', 'PUT', '/-/faults', JSON.stringify({ rules: [`* => reset${long('\n\n\nskip=1', 500_000)}`] }), 200],
    ['a long option', 'PUT', '/-/faults', JSON.stringify({ rules: [`* => reset p=${long('1', 5_000_000)}`] }), 400],
    ['patterns of operations', 'PUT', '/-/faults', JSON.stringify({ rules: Array<string>(isAll ? 20_000 : 2_000).fill('*s.t*st => html') }), 200],
    ['a duration', 'PUT', '/-/clock', JSON.stringify({ advance: long('1h', 3_000_000) }), 400],
    ['a duration alone', 'PUT', '/-/clock', JSON.stringify(long('1h', 3_000_000)), 400],
    ['a path of a project', 'PUT', '/-/world', JSON.stringify({ projects: [{ path: `${long('a/', 3_000_000)}b` }] }), 422],
    ['a path of a group', 'PUT', '/-/world', JSON.stringify({ groups: [{ path: `${long('a/', 3_000_000)}b` }] }), 422],
  ];
  await everyRow(rows, ([name, , path]) => `${name} to ${path}`, async ([, method, path, body, status]) => {
    expect((await call(method, path, { body })).status, String(faults)).toBe(status);
  });
  expect(faults).toEqual([]);
});

it('no request to the control plane makes the server fail', async () => {
  const { call } = await testService({ onFault: () => undefined });
  const routes = ['/-/health', '/-/openapi.json', '/-/requests', '/-/assumptions', '/-/world', '/-/faults', '/-/clock', '/-/snapshots',
    '/-/snapshots/a', '/-/worlds/a', '/-/x', '/-/'];
  const rule = fc.record({
    on: fc.constantFrom('*', 'GET /*', 'epics.*', 1), do: fc.constantFrom('stale', 'respond {', 'latency 1', {}),
    header: fc.jsonValue(), times: fc.jsonValue(), probability: fc.jsonValue(),
  }, { requiredKeys: ['on', 'do'] });
  const world = { users: fc.jsonValue(), groups: fc.jsonValue(), projects: fc.jsonValue(), appearance: fc.jsonValue() };
  const marks = ['- ', '[', '{', ': ', '&a ', '*a', '!!str ', '"', "'", '\n', '  ', 'rules', '#', '|', '? ', '%YAML 1.1\n---\n', '<<: '];
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.record({
      rules: fc.array(rule), seed: fc.jsonValue(), now: fc.jsonValue(), advance: fc.jsonValue(),
    }, { requiredKeys: [] }),
    fc.record(world, { requiredKeys: [] }),
  );
  const body = fc.oneof(
    value.map((one) => JSON.stringify(one)), fc.string({ unit: 'binary', maxLength: 30 }), fc.uint8Array({ maxLength: 30 }),
    fc.array(fc.constantFrom(...marks), { maxLength: 20 }).map((parts) => parts.join('')),
  );
  const query = fc.constantFrom('', '?wait=0', '?status=x', '?since=%', '?path=%E0', '?format=har', '?format=__proto__', '?a=b', '?method=');
  await fc.assert(fc.asyncProperty(fc.constantFrom('GET', 'PUT', 'POST', 'DELETE', 'HEAD'), fc.constantFrom(...routes), query, body,
    async (method, route, rest, content) => {
      const { status, text } = await call(method, route + rest, method === 'PUT' || method === 'POST' ? { body: content } : {});
      // Snapshots and copies are not available on PostgreSQL.
      expect([status < 500 || status === 501, text.slice(0, 200)]).toEqual([true, text.slice(0, 200)]);
    }), { numRuns: runsOf(1_000) });
});
