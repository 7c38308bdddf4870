import { describe, expect, it } from 'vitest';
import { testService } from '../../support/service.js';

const issue = '/projects/20/issues/1/discussions';

describe('routes', () => {
  it('respond to HEAD like GET without a body', async () => {
    const { call } = await testService();
    const head = await call('HEAD', issue);
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers).toMatchObject({ 'x-total': '3' });
  });
});

describe('answers', () => {
  it('carry the headers of the service', async () => {
    const { get } = await testService();
    const { headers } = await get(issue);
    expect(headers).toMatchObject({
      'content-type': 'application/json', vary: 'Origin', 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  it.each([['13.12', false], ['14.0', true]])('have the id of the request as JSON too in newer services: %s', async (serviceVersion, has) => {
    const service = await testService({ dialect: 'live', serviceVersion });
    for (const path of [issue, '/nowhere', '/-/health']) {
      const { headers } = await service.get(path);
      const meta = JSON.stringify({ correlation_id: headers['x-request-id'], version: '1' });
      expect([path, headers['x-gitlab-meta']]).toEqual([path, has ? meta : undefined]);
    }
  });
});
