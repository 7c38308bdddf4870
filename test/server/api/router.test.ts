import { describe, expect, it } from 'vitest';
import { testService } from '../../support/service.js';

const issue = '/projects/20/issues/1/discussions';

describe('routes', () => {
  it.each([
    ['GET', '/nothing'], ['POST', '/application/appearance'], ['PATCH', issue], ['GET', '/projects/20/merge_requests/1.5/discussions'],
    ['GET', '/projects/%ff/issues/1/discussions'], ['GET', ''],
  ])('respond alike to an unknown path or method: %s %s', async (method, path) => {
    const { call } = await testService();
    expect(await call(method, path)).toMatchObject({ status: 404, body: { error: '404 Not Found' } });
  });

  it.each([`${issue}/`, `${issue}.json`])('accept %s', async (path) => {
    const { get } = await testService();
    expect((await get(path)).status).toBe(200);
  });

  it('tell their verbs to OPTIONS', async () => {
    const { call } = await testService();
    expect(await call('OPTIONS', issue)).toMatchObject({ status: 204, text: '', headers: { allow: 'OPTIONS, HEAD, GET, POST' } });
  });
});
