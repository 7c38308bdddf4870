import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { apiRequest } from '../../../src/server/api/request.js';
import { withRateLimit } from '../../../src/server/api/rate-limit.js';
import { newTrace } from '../../../src/server/http/request-log.js';
import { testService } from '../../support/service.js';

const path = '/projects/20/issues/1/discussions';
const reset = Date.parse('2024-05-01T12:01:00.000Z') / 1000;

describe('the rate limit', () => {
  it('rejects requests over the limit with the headers of the service, and accepts them in the next minute', async () => {
    const { get, later } = await testService({ rateLimit: 2 });
    later(15_000);
    const headers = {
      'ratelimit-name': 'throttle_authenticated_api', 'ratelimit-limit': '2', 'ratelimit-reset': String(reset),
      'ratelimit-resettime': 'Wed, 01 May 2024 12:01:00 GMT',
    };
    expect(await get(path)).toMatchObject({ status: 200, headers: { ...headers, 'ratelimit-observed': '1', 'ratelimit-remaining': '1' } });
    expect(await get(path)).toMatchObject({ status: 200, headers: { ...headers, 'ratelimit-observed': '2', 'ratelimit-remaining': '0' } });
    const refused = await get(path);
    expect(refused).toMatchObject({
      status: 429, text: 'Retry later\n',
      headers: { ...headers, 'content-type': 'text/plain', 'retry-after': '45', 'ratelimit-observed': '3', 'ratelimit-remaining': '0' },
    });
    later(45_000);
    expect(await get(path)).toMatchObject({ status: 200, headers: { 'ratelimit-observed': '1' } });
  });

  it.each([
    ['live', '14.10', undefined], ['live', '15.0', '1'], ['live', undefined, '1'], ['document', '12.7', '1'],
  ] as const)('shows itself in every response of the %s dialect at %s only if the service does', async (dialect, version, observed) => {
    const { get } = await testService({ rateLimit: 1, dialect, ...version && { serviceVersion: version } });
    const first = await get(path);
    expect([first.status, first.headers['ratelimit-observed']]).toEqual([200, observed]);
    expect((await get(path)).headers).toMatchObject({ 'ratelimit-observed': '2', 'retry-after': '60' });
  });

  it('counts a token however it travels', async () => {
    const { call } = await testService({ rateLimit: 100 });
    const token = 'developer-token';
    const form = { 'content-type': 'multipart/form-data; boundary=b' };
    const ways = [
      { as: 'developer' }, { as: null, headers: { authorization: `Bearer ${token}` } },
      { as: null, json: { body: 'x', private_token: token } }, { as: null, form: { body: 'x', private_token: token } },
      { as: null, headers: form, body: `--b\r\ncontent-disposition: form-data; name="private_token"\r\n\r\n${token}\r\n--b--\r\n` },
      { as: 'guest', json: { body: 'x', private_token: token } },
    ];
    const observed: (string | undefined)[] = [];
    for (const sent of ways) observed.push((await call('POST', path, sent)).headers['ratelimit-observed']);
    for (const query of [`private_token=${token}`, `access_token=${token}`, `private%5Ftoken=${token}`]) {
      observed.push((await call('GET', `${path}?${query}`, { as: null })).headers['ratelimit-observed']);
    }
    expect(observed).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  });

  it('counts each token by itself', async () => {
    const { get } = await testService({ rateLimit: 1 });
    expect((await get(path)).status).toBe(200);
    expect((await get(path, { as: 'guest' })).status).toBe(200);
    expect((await get(path, { as: 'reader' })).status).toBe(200);
    expect((await get(path)).status).toBe(429);
  });

  it('counts all callers without a good token together, whatever they guess', async () => {
    const { get } = await testService({ rateLimit: 3 });
    expect((await get(path, { as: null })).headers).toMatchObject({
      'ratelimit-name': 'throttle_unauthenticated_api', 'ratelimit-observed': '1' });
    expect((await get(path, { as: 'guess1' })).headers['ratelimit-observed']).toBe('2');
    expect((await get('/nowhere', { as: 'guess2' })).headers['ratelimit-observed']).toBe('3');
    expect((await get(path, { as: 'guess3' })).status).toBe(429);
    expect((await get(path)).status).toBe(200);
  });

  it('is reported on every API response and on no other', async () => {
    const { call } = await testService({ rateLimit: 100 });
    for (const sent of [{ json: { body: '' } }, { body: '{', headers: { 'content-type': 'application/json' } }, { body: 'x' }]) {
      expect((await call('POST', path, sent)).headers).toHaveProperty('ratelimit-limit', '100');
    }
    expect((await call('GET', '/nowhere')).headers).toHaveProperty('ratelimit-limit', '100');
    expect((await call('GET', '/-/health')).headers).not.toHaveProperty('ratelimit-limit');
  });

  it('looks up a token once a minute, and stores nothing about unknown ones', async () => {
    const asked: string[] = [];
    const good = createHash('sha256').update('good').digest('hex');
    const handle = withRateLimit(async () => ({ status: 200, headers: {}, body: '' }), {
      perMinute: 1_000_000, hasHeaders: () => true, now: () => new Date(0), isToken: async (digest) => { asked.push(digest); return digest === good; },
    });
    const ask = (token: string) => handle(apiRequest({ method: 'GET', target: '/', headers: { 'private-token': token }, trace: newTrace() }));
    for (let i = 0; i < 3; i++) await ask('good');
    expect(asked).toEqual([good]);
    for (let i = 0; i < 3; i++) await ask('guess');
    expect(asked).toHaveLength(4);
  });
});
