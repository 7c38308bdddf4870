import { describe, expect, it } from 'vitest';
import type { LoggedRequest } from '../../../src/server/index.js';
import { testService } from '../../support/service.js';

const issue = '/projects/20/issues/1/discussions';

describe('the control plane', () => {
  it('reports health', async () => {
    const { get } = await testService();
    expect(await get('/-/health', { as: null })).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('serves the OpenAPI document', async () => {
    const { get } = await testService();
    expect(await get('/-/openapi.json', { as: null })).toMatchObject({ status: 200, body: { openapi: '3.1.0' } });
  });

  it('says to everybody what the service does', async () => {
    const { get } = await testService({ controlToken: 'key' });
    const { status, body } = await get('/-/assumptions', { as: null });
    expect(status).toBe(200);
    expect(body).toEqual(expect.arrayContaining([{
      id: 'pages.default', text: 'A list has 20 results a page by default.', area: 'pagination', source: 'documented',
      dialects: ['document', 'live'], from: null, to: null, tier: null,
    }]));
  });

  it('shows the requests it saw, without their secrets', async () => {
    const { post, get } = await testService();
    await post(`${issue}?private_token=secret-in-query`, { json: { body: 'hello', private_token: 'secret-in-body' } });
    const { body, text } = await get<LoggedRequest[]>('/-/requests');
    expect(body).toMatchObject([{ method: 'POST', status: 401, headers: { 'private-token': '[redacted]' } }]);
    expect(body[0]!.target).toBe('/api/v4/projects/20/issues/1/discussions?private_token=[redacted]');
    expect(text).toContain('hello');
    expect(text).not.toMatch(/secret-in|developer-token/);
  });

  it('shows who sent each request, even when the response was cached or is an error', async () => {
    const { get } = await testService();
    for (const as of ['developer', 'developer', 'owner', null]) await get(issue, { as });
    await get('/projects/99', { as: 'outsider' });
    const { body } = await get<LoggedRequest[]>('/-/requests');
    expect(body.map(({ status, user }) => [status, user])).toEqual([
      [200, 'developer'], [200, 'developer'], [200, 'owner'], [401, null], [404, 'outsider']]);
  });

  it('marks requests for routes that the server does not have', async () => {
    const { get } = await testService();
    await get('/versions?private_token=secret');
    await get('/projects/99');
    const { body } = await get<LoggedRequest[]>('/-/requests');
    expect(body.map(({ missing }) => missing)).toEqual(['GET /api/v4/versions; nearest GET /api/v4/version', null]);
  });

  it.each(['', ' \n', '\ufeff', '# later', 'null', '~', '--- # nothing\n...\n'])(
    'refuses a body without a world, and keeps the one it has: %j', async (body) => {
      const { call, get } = await testService();
      const before = (await get('/-/world')).body;
      expect(await call('PUT', '/-/world', { body })).toMatchObject({
        status: 400, body: { message: '400 Bad request - the body contains no world; send one as YAML or JSON, or {} for an empty one' },
      });
      expect((await get('/-/world')).body).toEqual(before);
    });

  it.each(['http://evil.example', 'null', 'http://service.test.evil.example', 'ftp://service.test', ''])(
    'rejects pages of the origin %j, even with the token', async (origin) => {
      const { post, get, service } = await testService();
      const [, token] = service.inspectorUrl.split('#');
      const headers = { origin, host: 'service.test', authorization: `Bearer ${token}` };
      expect((await post('/-/reset', { headers })).status).toBe(403);
      expect((await get('/-/requests', { headers })).status).toBe(403);
      expect((await get('/-/', { headers })).status).toBe(403);
    });

  it('asks its own page for the token, and other callers only where it has a control token', async () => {
    const { post, service } = await testService();
    const [, token] = service.inspectorUrl.split('#');
    const own = { origin: 'http://service.test', host: 'service.test' };
    expect((await post('/-/reset', { headers: own })).status).toBe(401);
    expect((await post('/-/reset', { headers: { ...own, authorization: 'Bearer other' } })).status).toBe(401);
    expect((await post('/-/reset', { headers: { ...own, authorization: `Bearer ${token}` } })).status).toBe(204);
    expect((await post('/-/reset')).status).toBe(204);
  });

  it('asks for its own token where it has one', async () => {
    const { post, get } = await testService({ controlToken: 'key' });
    expect((await get('/-/health')).status).toBe(200);
    expect((await post('/-/reset', { headers: { authorization: 'Bearer other' } })).status).toBe(401);
    expect((await post('/-/reset')).status).toBe(401);
    expect((await post('/-/reset', { headers: { authorization: 'Bearer key' } })).status).toBe(204);
  });

  it('knows no other paths', async () => {
    const { get, call } = await testService();
    expect(await get('/-/nothing')).toMatchObject({ status: 404, body: { error: '404 Not Found' } });
    expect((await call('DELETE', '/-/world')).status).toBe(404);
  });
});
