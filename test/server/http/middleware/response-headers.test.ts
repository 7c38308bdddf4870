import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { missingRouteValue } from '../../../../src/server/http/middleware.js';
import { missingRouteHeader, nearestRouteIn } from '../../../../src/wire/http.js';
import { testService } from '../../../support/service.js';

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

const nearest = 'GET /api/v4/projects/:id';

it('the header of a missing route names the request and the nearest route', () => {
  expect(missingRouteValue({ method: 'GET' }, '/api/v4/users', nearest)).toBe(`GET /api/v4/users; nearest ${nearest}`);
});

it('the header of a missing route is short printable ASCII from which the nearest route can be read, whatever the request', () => {
  const text = fc.string({ unit: 'binary', maxLength: 500 });
  const forged = fc.constantFrom('; nearest GET /evil', '\r\nset-cookie: a=b', '\ud800', 'ü'.repeat(300));
  fc.assert(fc.property(text, fc.oneof(text, forged), (method, path) => {
    const value = missingRouteValue({ method }, path, nearest);
    expect(value).toMatch(/^[\x20-\x7e]{1,2500}$/);
    expect(nearestRouteIn({ [missingRouteHeader]: value })).toBe(nearest);
    expect(value.split('; nearest ')).toHaveLength(2);
  }));
});

it('the header of a missing route contains no token of the path', () => {
  expect(missingRouteValue({ method: 'GET' }, '/api/v4/users&private_token=S3cret', nearest)).not.toContain('S3cret');
});
