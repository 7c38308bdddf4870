import { describe, expect, it } from 'vitest';
import { testService } from '../support/service.js';

describe('routes', () => {
  it('are not called missing for missing records and without the prefix of the API', async () => {
    const { get, handle } = await testService();
    const responses = [
      await get('/projects/99'), await get('/projects/20/issues/99/discussions'), await get('/-/nothing'),
      await handle({ method: 'GET', target: '/api/v3/users', headers: {} }), await handle({ method: 'GET', target: '/users', headers: {} }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 410, 404]);
    for (const { headers } of responses) expect(headers).not.toHaveProperty('x-colloquy-missing');
  });

  it.each(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'])('of the version before are gone: %s', async (method) => {
    const { handle } = await testService();
    for (const target of ['/api/v3', '/api/v3/', '/api/v3/projects/20/issues?private_token=x']) {
      expect(await handle({ method, target, headers: {} })).toMatchObject({
        status: 410, headers: { 'content-type': 'application/json' }, body: '{"error":"API V3 is no longer supported. Use API V4 instead."}',
      });
    }
    for (const target of ['/api/v30/user', '/api/v2/user', '/api/']) expect((await handle({ method, target, headers: {} })).status).toBe(404);
  });

  it('have targets of at most 8,192 characters', async () => {
    const { handle } = await testService();
    const ofLength = (length: number) => {
      const target = '/api/v4/user?x=';
      return { method: 'GET', target: target + 'x'.repeat(length - target.length), headers: { 'private-token': 'guest-token' } };
    };
    expect((await handle(ofLength(8_192))).status).toBe(200);
    for (const request of [ofLength(8_193), ofLength(20_000), { ...ofLength(9_000), headers: {} }]) {
      expect(await handle(request)).toMatchObject({
        status: 414, headers: { 'content-type': 'application/json' }, body: '{"message":"414 URI Too Long"}',
      });
    }
  });
});
