import { describe, expect, it } from 'vitest';
import type { LoggedRequest } from '../../../src/server/index.js';
import { testService } from '../../support/service.js';

const issue = '/projects/20/issues/1/discussions';

describe('the control plane', () => {
  it('resets to the initial world', async () => {
    const { post, get } = await testService();
    const before = (await get(issue)).body;
    await post(issue, { json: { body: 'gone soon' } });
    expect((await post('/-/reset')).status).toBe(204);
    expect((await get(issue)).body).toEqual(before);
    expect((await get<LoggedRequest[]>('/-/requests')).body).toHaveLength(1);
  });

  it('replaces the world, as YAML or JSON, and dumps it', async () => {
    const { call, get } = await testService();
    const yaml = 'users: [{ username: eva, token: eva-token }]\n'
      + 'projects: [{ path: a/b, visibility: public, issues: [{ iid: 4, title: T }] }]\n';
    expect((await call('PUT', '/-/world', { body: yaml })).status).toBe(204);
    expect(await get('/projects/a%2Fb/issues/4', { as: 'eva' })).toMatchObject({ status: 200, body: { title: 'T' } });
    const dumped = await get('/-/world');
    expect((await call('PUT', '/-/world', { json: dumped.body })).status).toBe(204);
    expect((await get('/-/world')).body).toEqual(dumped.body);
  });

  it('accepts {} as an empty world', async () => {
    const { call, get } = await testService();
    expect((await call('PUT', '/-/world', { body: '{}' })).status).toBe(204);
    expect((await get('/-/world')).body).toMatchObject({ users: [{ username: 'root' }], groups: [], projects: [], appearance: {} });
  });

  it('rejects an invalid world, and keeps the current one', async () => {
    const { call, get } = await testService();
    const got = await call<{ message: string }>('PUT', '/-/world', { body: 'users:\n  - { username: eva }\n  - { nickname: eva }\n' });
    expect(got.status).toBe(422);
    expect(got.body.message).toMatch(/3.*nickname/s);
    expect((await get(issue)).status).toBe(200);
  });
});
