import { describe, expect, it } from 'vitest';
import { testService } from '../support/service.js';

const path = '/projects/21/issues/1/discussions';
const unauthorized = { status: 401, body: { message: '401 Unauthorized' } };

describe('credentials', () => {
  it.each([
    ['the PRIVATE-TOKEN header', { headers: { 'private-token': 'guest-token' } }, ''],
    ['a bearer', { headers: { authorization: 'Bearer guest-token' } }, ''],
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

  it('of a blocked user are refused with the reason', async () => {
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
  });

  it('is for administrators, with a scope of its own, and for users that exist', async () => {
    const { get } = await testService({ world });
    expect(await get('/user?sudo=1', { as: 'ada' }))
      .toMatchObject({ status: 403, body: { message: '403 Forbidden - Must be admin to use sudo' } });
    expect(await get('/user?sudo=2', { as: 'root' })).toMatchObject({ status: 403, body: { error: 'insufficient_scope', scope: 'sudo' } });
    expect(await get('/user?sudo=none', { as: 'sudo' }))
      .toMatchObject({ status: 404, body: { message: "404 User with ID or username 'none' Not Found" } });
  });
});
