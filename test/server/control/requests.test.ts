import { describe, expect, it } from 'vitest';
import type { LoggedExchange } from '../../../src/server/http/request-log.js';
import { issue, afterRequests } from '../../support/logged-requests.js';
import { testService } from '../../support/service.js';

describe('GET /-/requests', () => {
  it.each([
    ['status=abc', 'invalid status "abc"'], ['since=later', 'invalid since "later"'], ['metod=GET', 'unknown parameter "metod"'],
    ['format=xml', 'invalid format: use json, har, curl'], ['wait=301', 'invalid wait'], ['wait=-1', 'invalid wait'], ['wait=', 'invalid wait'],
  ])('rejects %s', async (query, message) => {
    const { status, body } = await (await testService()).get<{ message: string }>(`/-/requests?${query}`);
    expect(status).toBe(400);
    expect(body.message).toContain(message);
  });

  it.each([['/-/requests?world=a%20b', 'invalid world name'], ['/w/a/-/requests?world=b', 'leave out world']])(
    'rejects %s', async (path, message) => {
      const { status, body } = await (await afterRequests()).get<{ message: string }>(path);
      expect(status).toBe(400);
      expect(body.message).toContain(message);
    });

  it.each(['/-/requests?world=a&', '/w/a/-/requests?'])('writes URLs with the world, asked through %s', async (path) => {
    const service = await testService();
    await service.get('/w/a/api/v4/version');
    expect((await service.get(`${path}format=curl`)).text).toContain('http://service.test/w/a/api/v4/version');
    const { body } = await service.get<{ log: { entries: { request: { url: string } }[] } }>(`${path}format=har`);
    expect(body.log.entries.map(({ request }) => request.url)).toEqual(['http://service.test/w/a/api/v4/version']);
  });

  it('writes a body with all its characters as a curl command', async () => {
    const service = await testService();
    await service.post(issue, { json: { body: 'a <b> & "c"' } });
    expect((await service.get('/-/requests?format=curl')).text).toContain(`--data-raw '{"body":"a <b> & \\"c\\""}'`);
  });

  it('shows the response of each request', async () => {
    const { get, post } = await testService();
    await post(issue, { json: { body: 'hello' } });
    const { body: [logged] } = await get<LoggedExchange[]>('/-/requests');
    expect(logged!.response).toMatchObject({ headers: { 'content-type': 'application/json' }, isTruncated: false });
    expect(JSON.parse(logged!.response.body!)).toMatchObject({ individual_note: false, notes: [{ body: 'hello' }] });
  });
});

describe('the formats of GET /-/requests', () => {
  it('are curl commands', async () => {
    const { get } = await afterRequests();
    const { text, headers } = await get('/-/requests?format=curl&method=POST');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^curl --globoff -X POST http:\/\/service\.test\/api\/v4\/projects\/20\/issues\/1\/discussions .*\n$/);
    expect(text).not.toContain('secret');
  });
});
