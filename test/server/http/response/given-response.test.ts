import fc from 'fast-check';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../../src/server/index.js';
import { isStored, issue, note, under } from '../../../support/faults.js';
import { testService } from '../../../support/service.js';

describe('a fault in place of the response', () => {
  it('respond sends any response', async () => {
    const service = await under('* => respond {"status":418,"headers":{"X-Tea":"yes"},"body":{"a":[1]}} times=1');
    expect(await service.post(issue, note)).toMatchObject({
      status: 418, headers: { 'x-tea': 'yes', 'content-type': 'application/json' }, body: { a: [1] } });
    await service.faults(['* => respond {"status":400,"body":"plain"}']);
    expect(await service.get('/user', { as: null })).toMatchObject({ status: 400, text: 'plain' });
    expect(await isStored(service)).toBe(false);
  });
});

describe('the response of a fault', () => {
  it.each([
    { headers: { a: { toString: 1 } } }, { headers: { a: null } }, { headers: { a: ['b'] } }, { headers: [] }, { headers: { '': 'a' } },
    { headers: { 'a b': 'c' } }, { headers: { a: 'b\nc' } }, { headers: { a: '\u0100' } }, { headers: { ä: 'b' } }, { headers: { 'a:': 'b' } },
    ...['trailer', 'Trailer', 'te', 'upgrade', 'keep-alive', 'connection', 'transfer-encoding', 'content-length', 'proxy-connection']
      .map((name) => ({ headers: { [name]: 'a' } })),
    { status: 199 }, { status: 600 }, { status: 200.5 }, { status: '200' }, { status: null }, { other: 1 },
  ])('is rejected if it is invalid: %j', async (response) => {
    const { put } = await testService();
    const got = await put<{ message: string }>('/-/faults', { json: { rules: [{ on: '*', do: `respond ${JSON.stringify(response)}` }] } });
    expect([got.status, got.body.message]).toEqual([400, expect.stringContaining('fault rule 1, do: invalid fault "respond')]);
  });

  it('is sent if it is accepted, whatever its headers', async () => {
    const server = await startServer();
    const control = new URL('/-/faults', server.url);
    const known = fc.constantFrom('trailer', 'expect', 'upgrade', 'host', '__proto__', 'set-cookie', 'location', 'vary');
    const names = fc.oneof(known, fc.string({ maxLength: 4 }));
    const values = fc.oneof(fc.string({ unit: 'binary', maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }));
    try {
      await fc.assert(fc.asyncProperty(
        fc.dictionary(names, values, { maxKeys: 3 }), fc.integer({ min: 200, max: 599 }), fc.jsonValue({ maxDepth: 2 }),
        async (headers, status, body) => {
          const rules = [{ on: '*', do: `respond ${JSON.stringify({ headers, status, body })}` }];
          const put = await fetch(control, { method: 'PUT', body: JSON.stringify({ rules }) });
          expect([200, 400]).toContain(put.status);
          // Unlike fetch, which refuses any 407 without a proxy.
          const got = await request(new URL('/api/v4/version', server.url));
          await got.body.dump();
          expect([put.status, got.statusCode]).toEqual([put.status, put.status === 200 ? status : got.statusCode]);
          await fetch(control, { method: 'DELETE' });
        }), { numRuns: 100 });
    } finally {
      await server.close();
    }
  });
});
