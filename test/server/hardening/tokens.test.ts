import crypto from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Discussion } from '../../../src/contract/shapes/note.js';
import { givenToken } from '../../../src/server/api/request.js';
import { hashToken } from '../../../src/server/repositories/world.js';
import type { World } from '../../../src/server/world-file/schema.js';
import { testService, type Sent } from '../../support/service.js';

const world: World = {
  users: [
    { id: 1, username: 'root', admin: true, tokens: [{ token: 'root-all', scopes: ['api', 'sudo'] }, { token: 'root-api' }] },
    { id: 2, username: 'ada', tokens: [
      { token: 'good' }, { token: 'reading', scopes: ['read_api'] }, { token: 'user-only', scopes: ['read_user'] }, { token: 'none', scopes: [] },
      { token: 'both', scopes: ['read_user', 'api'] }, { token: 'tomorrow', expires_at: '2024-05-02' }, { token: 'today', expires_at: '2024-05-01' },
      { token: 'second', expires_at: '2024-05-01T12:00:00.001Z' }, { token: 'over', expires_at: '2024-05-01T12:00:00Z' },
      { token: 'revoked', revoked: true }, { token: 'revoked-and-over', revoked: true, expires_at: '2020-01-01' },
    ] },
    { id: 3, username: 'bea', state: 'blocked', token: 'blocked' },
    { id: 4, username: 'dan', state: 'deactivated', token: 'deactivated' },
  ],
  projects: [{ id: 20, path: 'a/b', visibility: 'public', issues: [{ iid: 1 }] }],
};
const path = '/projects/20/issues/1/discussions';

/** Every token with what reading and writing by it is answered. */
const fates: readonly (readonly [string, number, number])[] = [
  ['good', 200, 201], ['reading', 200, 403], ['user-only', 403, 403], ['none', 403, 403], ['both', 200, 201], ['tomorrow', 200, 201],
  ['today', 401, 401], ['second', 200, 201], ['over', 401, 401], ['revoked', 401, 401], ['revoked-and-over', 401, 401], ['blocked', 403, 403],
  ['deactivated', 403, 403], ['unknown', 401, 401], ['Good', 401, 401], ['good ', 401, 401], ['goo', 401, 401], ['goodd', 401, 401],
];

/** Every way that a token can travel, for a reading and for a writing call. */
const ways: Readonly<Record<string, (token: string) => { readonly query?: string; readonly sent: Sent }>> = {
  header: (token) => ({ sent: { headers: { 'private-token': token } } }),
  bearer: (token) => ({ sent: { headers: { authorization: `Bearer ${token}` } } }),
  'query parameter': (token) => ({ query: `private_token=${encodeURIComponent(token)}`, sent: {} }),
  'OAuth parameter': (token) => ({ query: `access_token=${encodeURIComponent(token)}`, sent: {} }),
};

describe.each(Object.keys(ways))('a token as %s', (way) => {
  it.each(fates)('%s: reading returns %i, writing %i', async (token, reads, writes) => {
    const { call } = await testService({ world });
    const { query = '', sent } = ways[way]!(token);
    const expected = way === 'bearer' && token === 'good ' ? [200, 201] : [reads, writes];
    expect((await call('GET', `${path}?${query}`, { as: null, ...sent })).status).toBe(expected[0]);
    expect((await call('HEAD', `${path}?${query}`, { as: null, ...sent })).status).toBe(expected[0]);
    expect((await call('POST', `${path}?${query}`, { as: null, json: { body: 'x' }, ...sent })).status).toBe(expected[1]);
  });
});

describe('which token counts', () => {
  it('is the parameter before the header, the header before the bearer, and that before the OAuth parameter', () => {
    const places = ['private_token', 'private-token', 'authorization', 'access_token'] as const;
    fc.assert(fc.property(fc.subarray([...places]), (present) => {
      const has = (place: typeof places[number]) => present.includes(place);
      const headers = {
        ...(has('private-token') && { 'private-token': 'private-token' }), ...(has('authorization') && { authorization: 'Bearer authorization' }),
      };
      const given = { ...(has('private_token') && { private_token: 'private_token' }), ...(has('access_token') && { access_token: 'access_token' }) };
      expect(givenToken(headers, given)).toBe(places.find(has) ?? null);
    }));
  });

  it.each([[['good']], [{ good: 1 }], [7], [true], [null], ['']])('is never a value that is not text: %j', async (value) => {
    const { post } = await testService({ world });
    expect((await post(path, { as: null, json: { body: 'x', private_token: value } })).status).toBe(401);
  });

  it.each([[['good']], [{ good: 1 }], [[]], [{}]])('is not the one in the header where a parameter cannot be read: %j', async (value) => {
    const { post } = await testService({ world });
    expect((await post(path, { as: null, headers: { 'private-token': 'good' }, json: { body: 'x', private_token: value } })).status).toBe(401);
  });

  it('is not the one in the header where a parameter is a file or a hash in a form', async () => {
    const { post } = await testService({ world });
    const sent = (body: string, type: string) => ({ as: null, body, headers: { 'private-token': 'good', 'content-type': type } });
    const file = '--b\r\nContent-Disposition: form-data; name="private_token"; filename="a"\r\n\r\ngood\r\n'
      + '--b\r\nContent-Disposition: form-data; name="body"\r\n\r\nx\r\n--b--\r\n';
    expect((await post(path, sent(file, 'multipart/form-data; boundary=b'))).status).toBe(401);
    expect((await post(path, sent('body=x&private_token[a]=good', 'application/x-www-form-urlencoded'))).status).toBe(401);
  });

  it('is the one in the header where the parameter is blank', async () => {
    const { post } = await testService({ world });
    for (const value of [null, '']) {
      expect((await post(path, { as: null, headers: { 'private-token': 'good' }, json: { body: 'x', private_token: value } })).status).toBe(201);
    }
  });

  it.each([true, 123456])('that is %j in JSON is the same as in a query', async (value) => {
    const { call } = await testService({ world: { ...world, users: [{ username: 'eve', token: String(value) }] } });
    for (const name of ['private_token', 'access_token']) {
      expect((await call('POST', path, { as: null, json: { body: 'x', [name]: value } })).status).toBe(201);
      expect((await call('POST', `${path}?${name}=${value}`, { as: null, json: { body: 'x' } })).status).toBe(201);
    }
  });

  it.each([['good'], [['good']], [{ good: 1 }], [null], [7]])('is never a job token, in a body or a query: %j', async (value) => {
    const { call } = await testService({ world });
    expect((await call('POST', path, { as: null, json: { body: 'x', job_token: value } })).status).toBe(401);
    expect((await call('POST', `${path}?job_token=good`, { as: null, json: { body: 'x' } })).status).toBe(401);
    expect((await call('POST', path, { as: null, headers: { 'private-token': 'good' }, json: { body: 'x', job_token: value } })).status).toBe(201);
  });

  it('is of several parameters of one name the last, and the body’s before the query’s', async () => {
    const { call } = await testService({ world });
    const user = (query: string, sent: Sent = {}) => call('POST', `${path}?${query}`, { as: null, json: { body: 'x' }, ...sent });
    expect((await user('private_token=unknown&private_token=good')).status).toBe(201);
    expect((await user('private_token=good&private_token=unknown')).status).toBe(401);
    expect((await user('private_token=unknown', { json: { body: 'x', private_token: 'good' } })).status).toBe(201);
    expect((await user('private_token=good', { json: { body: 'x', private_token: 'unknown' } })).status).toBe(401);
  });

  it.each(['Basic Z29vZA==', 'Bearer', 'Bearer good good', 'Bearer,good', 'bearergood', 'Token good', 'good', 'Digest good', 'Bearer\tgood x'])(
    'is none in the authorization %j', async (authorization) => {
      const { get } = await testService({ world });
      expect((await get(path, { as: null, headers: { authorization } })).status).toBe(401);
    });
});

describe('a token in a header', () => {
  const large = 'x'.repeat(100_000);
  const json = (text: string) => ({ body: text, headers: { 'content-type': 'application/json' } });
  const unreadable: readonly (readonly [string, Sent])[] = [
    ['broken JSON', json('{"body":"x"')], ['broken JSON, large', json(`{"body":"${large}"`)],
    ['another type', { body: 'x', headers: { 'content-type': 'a/b' } }],
    ['another type, large', { body: large, headers: { 'content-type': 'a/b' } }],
    ['too many parameters', { body: 'a&'.repeat(201), headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['a broken multipart form', { body: large, headers: { 'content-type': 'multipart/form-data; boundary=b' } }],
  ];
  const withHeader = (header: Record<string, string>, { headers, ...sent }: Sent): Sent => ({ as: null, ...sent, headers: { ...headers, ...header } });

  it.each(unreadable)('has to be good before the body is looked at: %s', async (_, sent) => {
    const { post } = await testService({ world });
    for (const [token, status] of [['unknown', 401], ['revoked', 401], ['over', 401], ['blocked', 403]] as const) {
      expect((await post(path, withHeader({ 'private-token': token }, sent))).status).toBe(status);
      expect((await post(path, withHeader({ authorization: `Bearer ${token}` }, sent))).status).toBe(status);
    }
    expect([400, 415]).toContain((await post(path, withHeader({ 'private-token': 'good' }, sent))).status);
    expect([400, 415]).toContain((await post(path, withHeader({}, sent))).status);
  });

  it('gets the body parsed once', async () => {
    const { handle } = await testService({ world, rateLimit: 1_000 });
    const parse = vi.spyOn(JSON, 'parse');
    const body = JSON.stringify({ body: large, private_token: 'good' });
    const headers = { 'private-token': 'good', 'content-type': 'application/json' };
    expect((await handle({ method: 'POST', target: `/api/v4${path}`, headers, body })).status).toBe(201);
    expect(parse.mock.calls.filter(([text]) => text === body)).toHaveLength(1);
    parse.mockRestore();
  });

  it.each(['x', large])('gives way to one in the body, whether it is good itself or not: %#', async (body) => {
    const { post } = await testService({ world });
    const authorOf = async (header: string, private_token: string) => {
      const got = await post<Discussion>(path, withHeader({ 'private-token': header }, { json: { body, private_token } }));
      return got.status === 201 ? got.body.notes[0]!.author.username : got.status;
    };
    expect(await authorOf('good', 'root-all')).toBe('root');
    expect(await authorOf('reading', 'good')).toBe('ada');
    expect(await authorOf('good', 'unknown')).toBe(401);
    expect(await authorOf('unknown', 'good')).toBe('ada');
    expect(await authorOf('revoked', 'good')).toBe('ada');
    expect(await authorOf('blocked', 'good')).toBe('ada');
  });

  it('counts for nothing where the query names another', async () => {
    const { post } = await testService({ world });
    for (const body of ['x', large]) {
      expect((await post(`${path}?private_token=good`, withHeader({ 'private-token': 'unknown' }, { json: { body } }))).status).toBe(201);
      expect((await post(`${path}?private_token=unknown`, withHeader({ 'private-token': 'good' }, { json: { body } }))).status).toBe(401);
    }
  });
});

describe('a token', () => {
  it('is nowhere in the store: its digest alone is', async () => {
    const { get } = await testService({ world });
    const { text } = await get('/-/world');
    for (const token of ['user-only', 'tomorrow', 'second', 'revoked-and-over', 'root-all']) expect(text).not.toContain(token);
    expect(text).toContain(hashToken('good'));
    expect(hashToken('good')).toBe(crypto.createHash('sha256').update('good').digest('hex'));
  });

  it('is not its digest', async () => {
    const { get } = await testService({ world });
    expect((await get(path, { as: null, headers: { 'private-token': hashToken('good') } })).status).toBe(401);
  });

  it('is compared in constant time', async () => {
    const compared = vi.spyOn(crypto, 'timingSafeEqual');
    const { syncBuiltinESMExports } = await import('node:module');
    syncBuiltinESMExports();
    const { get } = await testService({ world });
    await get(path, { as: null, headers: { 'private-token': 'good' } });
    expect(compared).toHaveBeenCalledWith(Buffer.from(hashToken('good')), Buffer.from(hashToken('good')));
    compared.mockRestore();
    syncBuiltinESMExports();
  });

  it.each(['x'.repeat(1_000_000), '\0', '\ud800', "' OR 1=1 --", '%', '_', '*', 'é', '{"$ne":null}', '__proto__'])(
    'of any kind is unknown, no fault: %#', async (token) => {
    const { get, post } = await testService({ world });
    expect((await get(path, { as: null, headers: { 'private-token': token } })).status).toBe(401);
    const isText = !token.includes('\0') && token.isWellFormed();
    expect((await post(path, { as: null, json: { body: 'x', private_token: token } })).status).toBe(isText ? 401 : 400);
  });
});

describe('acting for another', () => {
  it.each(['9007199254740993', '99999999999999999999999999', '1e3', '-1', '0x2', '\0', '\ud800', 'é', "' OR 1=1 --", 'x'.repeat(100_000), '__proto__'])(
    'who can not exist is answered 404, no fault: %#', async (sudo) => {
      const { get } = await testService({ world });
      expect((await get('/user', { as: null, headers: { 'private-token': 'root-all', sudo } })).status).toBe(404);
    });

  it('needs the scope and the right in every place that it can be asked in', async () => {
    const { call } = await testService({ world });
    for (const token of ['good', 'root-api']) {
      for (const sent of [{ headers: { sudo: '1' } }, { json: { sudo: '1', body: 'x' } }]) {
        const got = await call('POST', path, { as: null, ...sent, headers: { 'private-token': token, ...sent.headers } });
        expect(got.status).toBe(403);
      }
      expect((await call('GET', `/user?sudo=1`, { as: null, headers: { 'private-token': token } })).status).toBe(403);
    }
  });
});
