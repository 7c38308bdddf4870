import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testService, type Sent, type TestService } from '../../../support/service.js';

const path = '/projects/21/issues/1/discussions';
const unauthorized = { status: 401, body: { message: '401 Unauthorized' } };

describe('credentials', () => {
  it.each([
    ['the PRIVATE-TOKEN header', { headers: { 'private-token': 'guest-token' } }, ''],
    ['a bearer', { headers: { authorization: 'Bearer guest-token' } }, ''],
    ['a bearer in lower case', { headers: { authorization: 'bearer guest-token' } }, ''],
    ['a query parameter', {}, '?private_token=guest-token'],
    ['an OAuth query parameter', {}, '?access_token=guest-token'],
  ])('are accepted as %s', async (_, sent, query) => {
    const { get } = await testService();
    expect((await get(path + query, { as: null, ...sent })).status).toBe(200);
  });

  it('are accepted as a body parameter', async () => {
    const { post } = await testService();
    expect((await post(path, { as: null, json: { body: 'x', private_token: 'guest-token' } })).status).toBe(201);
  });

  it('as a parameter are looked at before the header', async () => {
    const { get } = await testService();
    expect(await get(`${path}?private_token=wrong`, { as: 'guest' })).toMatchObject(unauthorized);
  });

  it.each([
    ['none', {}], ['an unknown token', { headers: { 'private-token': 'nobody' } }],
    ['a job token', { headers: { 'job-token': 'guest-token' } }], ['an empty token', { headers: { 'private-token': '' } }],
    ['basic authentication', { headers: { authorization: 'Basic Z3Vlc3QtdG9rZW46' } }],
  ])('are demanded even for what is public: %s', async (_, sent) => {
    const { get } = await testService();
    const got = await get(path, { as: null, ...sent });
    expect(got).toMatchObject(unauthorized);
    expect(got.headers).not.toHaveProperty('www-authenticate');
  });

  it.each([
    ['expired', 'Token is expired. You can either do re-authorization or token refresh.'],
    ['revoked', 'Token was revoked. You have to re-authorize from the user.'],
  ])('that are %s say so', async (as, error_description) => {
    const { get } = await testService();
    expect(await get(path, { as })).toMatchObject({
      status: 401, body: { error: 'invalid_token', error_description },
      headers: {
        'www-authenticate':
          `Bearer realm="Protected by OAuth 2.0", error="invalid_token", error_description="${error_description}"`,
      },
    });
  });

  it('that may only read, read', async () => {
    const { get, post } = await testService();
    expect((await get(path, { as: 'reader' })).status).toBe(200);
    expect(await post(path, { as: 'reader', json: { body: 'x' } })).toMatchObject({
      status: 403, body: {
        error: 'insufficient_scope', scope: 'api',
        error_description: 'The request requires higher privileges than provided by the access token.',
      },
    });
  });

  it('of a blocked user are rejected with the reason', async () => {
    const { get } = await testService();
    expect(await get(path, { as: 'blocked' }))
      .toMatchObject({ status: 403, body: { message: '403 Forbidden - Your account has been blocked.' } });
  });

  it('are stored as digests alone', async () => {
    const { get } = await testService();
    const world = await get('/-/world');
    expect(world.status).toBe(200);
    expect(world.text).not.toContain('root-token');
  });
});

describe('sudo', () => {
  const world = {
    users: [
      { id: 1, username: 'root', admin: true,
        tokens: [{ token: 'root-token' }, { token: 'sudo-token', scopes: ['api' as const, 'sudo' as const] }] },
      { id: 2, username: 'ada', token: 'ada-token' },
    ],
  };

  it.each(['2', 'ada'])('makes an administrator act as another user: %s', async (sudo) => {
    const { get } = await testService({ world });
    expect(await get('/user', { as: 'sudo', headers: { sudo } })).toMatchObject({ status: 200, body: { username: 'ada' } });
    expect(await get(`/user?sudo=${sudo}`, { as: 'sudo' })).toMatchObject({ status: 200, body: { username: 'ada' } });
    expect(await get(`/user?sudo=${sudo}`, { as: 'sudo', headers: { sudo: 'none' } })).toMatchObject({ status: 200, body: { username: 'ada' } });
  });

  it('is for administrators, with a scope of its own, and for users that exist', async () => {
    const { get } = await testService({ world });
    expect(await get('/user?sudo=1', { as: 'ada' }))
      .toMatchObject({ status: 403, body: { message: '403 Forbidden - Must be admin to use sudo' } });
    expect(await get('/user?sudo=2', { as: 'root' })).toMatchObject({ status: 403, body: { error: 'insufficient_scope', scope: 'sudo' } });
    expect(await get('/user?sudo=none', { as: 'sudo' }))
      .toMatchObject({ status: 404, body: { message: "404 User with ID or username 'none' Not Found" } });
  });

  const title = { title: 'Changed' };
  const isUnchanged = async (get: TestService['get']) => {
    const { body } = await get<{ title: string }>('/application/appearance', { as: 'root' });
    return body.title !== title.title;
  };
  const part = (head: string, value: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  const multipart = (...parts: string[]) => ({
    body: `${parts.join('')}${part('name="title"', 'Changed')}--b--\r\n`, headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });

  it('means the same as a number in JSON, as text and in every other place', async () => {
    const { put } = await testService({ world });
    const path = '/application/appearance';
    const ways: readonly (readonly [string, Sent])[] = [
      [path, { headers: { sudo: '2' }, json: title }], [`${path}?sudo=2`, { json: title }], [path, { json: { ...title, sudo: '2' } }],
      [path, { json: { ...title, sudo: 2 } }], [path, { body: '{"title":"Changed","sudo":2.0}', headers: { 'content-type': 'application/json' } }],
      [path, { form: { ...title, sudo: '2' } }], [path, multipart(part('name="sudo"', '2'))],
    ];
    for (const [target, sent] of ways) {
      expect(await put(target, { as: 'root', ...sent })).toMatchObject({ status: 403, body: { error: 'insufficient_scope', scope: 'sudo' } });
      expect(await put(target, { as: 'sudo', ...sent })).toMatchObject({ status: 403, body: { message: '403 Forbidden' } });
      expect(await put(target, { as: 'ada', ...sent })).toMatchObject({ status: 403, body: { message: '403 Forbidden - Must be admin to use sudo' } });
    }
  });

  it.each([
    ['null', { json: { ...title, sudo: null } }], ['a list', { json: { ...title, sudo: [] } }], ['a list of one', { json: { ...title, sudo: [2] } }],
    ['a hash', { json: { ...title, sudo: {} } }], ['a hash with a name', { json: { ...title, sudo: { id: 2 } } }],
    ['a hash in a form', { form: { ...title, 'sudo[id]': '2' } }], ['a list in a form', { form: { ...title, 'sudo[]': '2' } }],
    ['a hash in a multipart form', multipart(part('name="sudo[id]"', '2'))],
    ['a file', multipart(part('name="sudo"; filename="a"', '2'))],
  ] as readonly (readonly [string, Sent])[])('that cannot be read never falls back to the rights of the caller: %s', async (_, sent) => {
    const { put, get } = await testService({ world });
    expect(await put('/application/appearance', { as: 'sudo', ...sent })).toMatchObject({ status: 400, body: { error: 'sudo is invalid' } });
    expect((await put('/application/appearance', { as: 'root', ...sent })).status).toBe(403);
    expect((await put('/application/appearance', { as: 'ada', ...sent })).status).toBe(403);
    expect(await isUnchanged(get)).toBe(true);
  });

  it.each([['true', true], ['false', false], ['4.5', 4.5], ['', '']])('of an unknown user is a 404: %j', async (name, value) => {
    const { put, get } = await testService({ world });
    expect(await put('/application/appearance', { as: 'sudo', json: { ...title, sudo: value } }))
      .toMatchObject({ status: 404, body: { message: `404 User with ID or username '${name}' Not Found` } });
    expect(await isUnchanged(get)).toBe(true);
  });

  it('in a query cannot be a hash or a list either, nor blank', async () => {
    const { get } = await testService({ world });
    for (const query of ['sudo[id]=2', 'sudo[]=2']) expect((await get(`/user?${query}`, { as: 'sudo' })).status).toBe(400);
    expect((await get('/user?sudo=', { as: 'sudo' })).status).toBe(404);
    expect((await get('/user', { as: 'sudo', headers: { sudo: '' } })).status).toBe(404);
  });

  it('of any other JSON value never changes anything with the rights of the caller', async () => {
    const { put, get } = await testService({ world });
    const administrator: readonly unknown[] = [1, '1', 'root'];
    await fc.assert(fc.asyncProperty(fc.jsonValue().filter((sudo) => !administrator.includes(sudo)), async (sudo) => {
      for (const as of ['sudo', 'root', 'ada']) {
        expect((await put('/application/appearance', { as, json: { ...title, sudo } })).status).toBeGreaterThanOrEqual(400);
      }
    }), { numRuns: 200, examples: [[1.5], ['ada'], [2]] });
    expect(await isUnchanged(get)).toBe(true);
  });
});

describe('a server that accepts one kind of token', () => {
  const ways = {
    header: { headers: { 'private-token': 'developer-token' } }, parameter: { query: '?private_token=developer-token' },
    bearer: { headers: { authorization: 'Bearer developer-token' } }, 'OAuth parameter': { query: '?access_token=developer-token' },
  };
  it.each(['private', 'bearer'] as const)('takes %s tokens, and treats others as none', async (acceptTokens) => {
    const { get } = await testService({ acceptTokens });
    const challenge = acceptTokens === 'bearer' ? 'Bearer realm="Protected by OAuth 2.0"' : undefined;
    for (let round = 0; round < 2; round++) {
      for (const [way, sent] of Object.entries(ways)) {
        const isTaken = (way === 'header' || way === 'parameter') === (acceptTokens === 'private');
        const { query = '', headers } = { headers: {}, ...sent } as { query?: string; headers: Record<string, string> };
        const { status, headers: got } = await get(`/projects/20/issues/1/discussions${query}`, { as: null, headers });
        expect([way, status, got['www-authenticate']]).toEqual([way, isTaken ? 200 : 401, isTaken ? undefined : challenge]);
      }
    }
  });

  it('takes the accepted one of several', async () => {
    const { get } = await testService({ acceptTokens: 'bearer' });
    const headers = { authorization: 'Bearer developer-token', 'private-token': 'guest-token' };
    expect((await get<{ username: string }>('/user', { as: null, headers })).body.username).toBe('developer');
  });

  it('takes none of the body either', async () => {
    const { post } = await testService({ acceptTokens: 'bearer' });
    expect(await post('/projects/20/issues/1/notes', { as: null, json: { body: 'x', private_token: 'developer-token' } })).toMatchObject({ status: 401 });
  });
});
