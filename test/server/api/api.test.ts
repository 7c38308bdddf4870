import { describe, expect, it } from 'vitest';
import { testService } from '../../support/service.js';

const issue = '/projects/20/issues/1/discussions';

describe('routes', () => {
  it.each([
    ['GET', '/versions?page=2', 'GET /api/v4/versions; nearest GET /api/v4/version'],
    ['HEAD', '/versions', 'HEAD /api/v4/versions; nearest GET /api/v4/version'],
    ['OPTIONS', '/versions', 'OPTIONS /api/v4/versions; nearest GET /api/v4/version'],
    ['PATCH', '/projects/20', 'PATCH /api/v4/projects/20; nearest GET /api/v4/projects/:id'],
    ['GET', '/users;private_token=developer-token', 'GET /api/v4/users;private_token=[redacted]; nearest GET /api/v4/version'],
  ])('that are unknown are named in a header of the response, with the nearest one: %s %s', async (method, path, missing) => {
    const { call } = await testService();
    const { status, headers } = await call(method, path);
    expect({ status, missing: headers['x-colloquy-missing'] }).toEqual({ status: 404, missing });
  });
});

describe('bodies', () => {
  it.each([
    ['text/plain', 415, "The provided content-type 'text/plain' is not supported."],
    ['application/vnd.api+json', 415, "The provided content-type 'application/vnd.api+json' is not supported."],
    ['', 415, "The provided content-type '' is not supported."],
  ])('of the type "%s" are rejected', async (type, status, error) => {
    const { post } = await testService();
    expect(await post(issue, { body: '{"body":"x"}', headers: type ? { 'content-type': type } : {} }))
      .toMatchObject({ status, body: { error } });
  });

  it('that are malformed JSON are rejected', async () => {
    const { post } = await testService();
    const got = await post<{ error: string }>(issue, { body: '{"body":', headers: { 'content-type': 'application/json' } });
    expect(got.status).toBe(400);
    expect(got.body.error).toContain('message body does not match declared format');
  });

  it('may say their charset', async () => {
    const { post } = await testService();
    expect((await post(issue, { body: '{"body":"ä"}', headers: { 'content-type': 'application/json; charset=utf-8' } })).status).toBe(201);
  });

  it('can be multipart', async () => {
    const { post } = await testService();
    const body = '--b\r\nContent-Disposition: form-data; name="body"\r\n\r\nhello\r\n--b--\r\n';
    expect(await post(issue, { body, headers: { 'content-type': 'multipart/form-data; boundary=b' } }))
      .toMatchObject({ status: 201, body: { notes: [{ body: 'hello' }] } });
  });
});

describe('pages', () => {
  it('are described by headers and links', async () => {
    const { get } = await testService();
    const { headers, body } = await get(`${issue}?per_page=1&page=2`);
    expect(body).toHaveLength(1);
    const url = 'http://service.test/api/v4/projects/20/issues/1/discussions?id=20&noteable_id=1';
    expect(headers).toMatchObject({
      'x-page': '2', 'x-per-page': '1', 'x-next-page': '3', 'x-prev-page': '1', 'x-total': '3', 'x-total-pages': '3',
      link: `<${url}&page=1&per_page=1>; rel="prev", <${url}&page=3&per_page=1>; rel="next", `
        + `<${url}&page=1&per_page=1>; rel="first", <${url}&page=3&per_page=1>; rel="last"`,
    });
  });

  it.each([
    ['per_page=500', '1', '100'], ['per_page=-5', '1', '20'], ['page=0', '1', '20'], ['page=-1', '1', '20'], ['page=&per_page=', '1', '20'],
    ['pagination=keyset', '1', '20'],
  ])('are bounded: %s', async (query, page, perPage) => {
    const { get } = await testService();
    expect((await get(`${issue}?${query}`)).headers).toMatchObject({ 'x-page': page, 'x-per-page': perPage });
  });

  it('after the end are empty', async () => {
    const { get } = await testService();
    expect(await get(`${issue}?page=9`)).toMatchObject({
      status: 200, body: [], headers: { 'x-page': '9', 'x-next-page': '', 'x-prev-page': '', 'x-total': '3' },
    });
  });

  it('of an empty list number one', async () => {
    const { get } = await testService();
    expect((await get('/projects/20/issues/2/discussions', { as: 'root' })).headers)
      .toMatchObject({ 'x-total': '0', 'x-total-pages': '1', 'x-next-page': '' });
  });

  it.each([
    ['per_page=0', 'per_page has a value not allowed'], ['page=abc', 'page is invalid'],
    ['page=abc&per_page=abc', 'page is invalid, per_page is invalid'],
  ])('reject %s', async (query, error) => {
    const { get } = await testService();
    expect(await get(`${issue}?${query}`)).toMatchObject({ status: 400, body: { error } });
  });

  it('are followed by their links with the same parameters', async () => {
    const { get } = await testService();
    const first = await get(`${issue}?per_page=1&x[y]=z&sort=asc`);
    const next = /<http:\/\/service\.test\/api\/v4([^>]*)>; rel="next"/.exec(first.headers['link']!)![1]!;
    const second = await get(next);
    expect(second.headers).toMatchObject({ 'x-page': '2', 'x-per-page': '1' });
    expect(second.headers['link']!.match(/x%5By%5D=z&sort=asc/g)).toHaveLength(4);
  });
});

describe('the rate limit', () => {
  it('rejects requests over the limit in plain text, with the real headers', async () => {
    const { get } = await testService({ rateLimit: 2 });
    expect((await get(issue)).headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-observed': '1', 'ratelimit-remaining': '1' });
    await get(issue);
    expect(await get(issue)).toMatchObject({
      status: 429, text: 'Retry later\n',
      headers: {
        'content-type': 'text/plain', 'retry-after': '60', 'ratelimit-remaining': '0',
        'ratelimit-reset': '1714564860', 'ratelimit-resettime': 'Wed, 01 May 2024 12:01:00 GMT',
      },
    });
  });

  it('counts each token separately and restarts every minute', async () => {
    const { get, later } = await testService({ rateLimit: 1 });
    await get(issue);
    expect((await get(issue, { as: 'guest' })).status).toBe(200);
    expect((await get(issue)).status).toBe(429);
    later(60_000);
    expect((await get(issue)).status).toBe(200);
  });
});
