import { describe, expect, it } from 'vitest';
import { testService } from '../../support/service.js';
import { acme } from '../../support/worlds.js';

const issue = '/projects/20/issues/1/discussions';

describe('the order of checks', () => {
  it.each([
    ['no token and a bad body', null, '/projects/20/issues/1/discussions', {}, 401],
    ['a bad body and an unknown project', 'developer', '/projects/99/issues/1/discussions', {}, 400],
    ['an unknown project and an unknown issue', 'developer', '/projects/99/issues/99/discussions', { body: 'x' }, 404],
    ['no right and a blank body', 'outsider', '/projects/21/issues/2/discussions', { body: '' }, 403],
  ])('reports the first that fails: %s', async (_, as, path, json, status) => {
    const { post } = await testService();
    expect((await post(path, { as, json })).status).toBe(status);
  });

  it('names several problems in the order of declaration', async () => {
    const { post } = await testService();
    expect(await post('/groups/10/epics/x/epics/y', { json: {} }))
      .toMatchObject({ status: 400, body: { error: 'epic_iid is invalid, child_epic_id is invalid' } });
  });

  it('asks an appearance call for the administrator before its parameters', async () => {
    const { put } = await testService();
    expect((await put('/application/appearance', { json: { email_header_and_footer_enabled: 'maybe' } })).status).toBe(403);
    expect((await put('/application/appearance', { as: 'root', json: { email_header_and_footer_enabled: 'maybe' } })).status).toBe(400);
  });
});

describe('routes', () => {
  it.each([
    ['GET', '/nothing'], ['POST', '/application/appearance'], ['PATCH', issue], ['GET', '/projects/20/merge_requests/1.5/discussions'],
    ['GET', '/projects/%ff/issues/1/discussions'], ['GET', ''],
  ])('respond alike to an unknown path or method: %s %s', async (method, path) => {
    const { call } = await testService();
    expect(await call(method, path)).toMatchObject({ status: 404, body: { error: '404 Not Found' } });
  });

  it.each([
    ['GET', '/users?page=2', 'GET /api/v4/users; nearest GET /api/v4/user'],
    ['HEAD', '/users', 'HEAD /api/v4/users; nearest GET /api/v4/user'],
    ['OPTIONS', '/users', 'OPTIONS /api/v4/users; nearest GET /api/v4/user'],
    ['PATCH', '/projects/20', 'PATCH /api/v4/projects/20; nearest GET /api/v4/projects/:id'],
    ['GET', '/users;private_token=developer-token', 'GET /api/v4/users;private_token=[redacted]; nearest GET /api/v4/version'],
  ])('that are unknown are named in a header of the response, with the nearest one: %s %s', async (method, path, missing) => {
    const { call } = await testService();
    const { status, headers } = await call(method, path);
    expect({ status, missing: headers['x-colloquy-missing'] }).toEqual({ status: 404, missing });
  });

  it('are not called missing for missing records and without the prefix of the API', async () => {
    const { get, handle } = await testService();
    const responses = [
      await get('/projects/99'), await get('/projects/20/issues/99/discussions'), await get('/-/nothing'),
      await handle({ method: 'GET', target: '/api/v3/users', headers: {} }), await handle({ method: 'GET', target: '/users', headers: {} }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 410, 404]);
    for (const { headers } of responses) expect(headers).not.toHaveProperty('x-colloquy-missing');
  });

  it.each(['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'])('of the version before are gone: %s', async (method) => {
    const { handle } = await testService();
    for (const target of ['/api/v3', '/api/v3/', '/api/v3/projects/20/issues?private_token=x']) {
      expect(await handle({ method, target, headers: {} })).toMatchObject({
        status: 410, headers: { 'content-type': 'application/json' }, body: '{"error":"API V3 is no longer supported. Use API V4 instead."}',
      });
    }
    for (const target of ['/api/v30/user', '/api/v2/user', '/api/']) expect((await handle({ method, target, headers: {} })).status).toBe(404);
  });

  it('have targets of at most 8,192 characters', async () => {
    const { handle } = await testService();
    const ofLength = (length: number) => {
      const target = '/api/v4/user?x=';
      return { method: 'GET', target: target + 'x'.repeat(length - target.length), headers: { 'private-token': 'guest-token' } };
    };
    expect((await handle(ofLength(8_192))).status).toBe(200);
    for (const request of [ofLength(8_193), ofLength(20_000), { ...ofLength(9_000), headers: {} }]) {
      expect(await handle(request)).toMatchObject({
        status: 414, headers: { 'content-type': 'application/json' }, body: '{"message":"414 URI Too Long"}',
      });
    }
  });

  it.each([`${issue}/`, `${issue}.json`])('accept %s', async (path) => {
    const { get } = await testService();
    expect((await get(path)).status).toBe(200);
  });

  it('respond to HEAD like GET without a body', async () => {
    const { call } = await testService();
    const head = await call('HEAD', issue);
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers).toMatchObject({ 'x-total': '3' });
  });

  it('tell their verbs to OPTIONS', async () => {
    const { call } = await testService();
    expect(await call('OPTIONS', issue)).toMatchObject({ status: 204, text: '', headers: { allow: 'OPTIONS, HEAD, GET, POST' } });
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

  it.each(['[]', '', '"text"'])('count as no parameters when they are %j', async (body) => {
    const { post } = await testService();
    expect(await post(issue, { body, headers: { 'content-type': 'application/json' } }))
      .toMatchObject({ status: 400, body: { error: 'body is missing' } });
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

  it('beat the query, and the path beats them', async () => {
    const { post } = await testService();
    expect(await post(`${issue}?body=query`, { json: { body: 'json', id: 99, noteable_id: 99 } }))
      .toMatchObject({ status: 201, body: { notes: [{ body: 'json' }] } });
  });
});

describe('answers', () => {
  it('escape what could end a script or start a tag, and read back the same', async () => {
    const { post } = await testService();
    const got = await post(issue, { json: { body: '</script> & <b>' } });
    expect(got.text).toContain('\\u003c/script\\u003e \\u0026 \\u003cb\\u003e');
    expect(got.body).toMatchObject({ notes: [{ body: '</script> & <b>' }] });
  });

  it('carry the headers of the service', async () => {
    const { get } = await testService();
    const { headers } = await get(issue);
    expect(headers).toMatchObject({
      'content-type': 'application/json', vary: 'Origin', 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(JSON.parse(headers['x-gitlab-meta']!)).toEqual({ correlation_id: headers['x-request-id'], version: '1' });
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

  it('repeat every parameter of the request in their links, known or not', async () => {
    const { get } = await testService();
    const { headers } = await get(`${issue}?per_page=1&x=1+2&filter[by][name]=%26&blank=&page=2&id=99&x=3`);
    const all = 'id=20&noteable_id=1&page=3&per_page=1&x=3&filter%5Bby%5D%5Bname%5D=%26&blank=';
    expect(headers['link']).toContain(`<http://service.test/api/v4/projects/20/issues/1/discussions?${all}>; rel="next"`);
  });

  it('have links that a client can take, however long the parameters are', async () => {
    const { get } = await testService();
    const kept = await get(`${issue}?per_page=1&page=2&x=${'y'.repeat(1_990)}`);
    expect(kept.headers['link']!.match(/&x=y{1990}>/g)).toHaveLength(4);
    for (const query of [`x=${'y'.repeat(8_000)}`, `x=${'%26'.repeat(2_500)}`, `x=${'/'.repeat(1_000)}`]) {
      const { status, headers } = await get(`${issue}?per_page=1&page=2&${query}`);
      expect([status, headers['x-next-page']]).toEqual([200, '3']);
      expect(headers['link']!.length).toBeLessThan(1_000);
    }
  });

  it('are followed by their links with the same parameters', async () => {
    const { get } = await testService();
    const first = await get(`${issue}?per_page=1&x[y]=z&sort=asc`);
    const next = /<http:\/\/service\.test\/api\/v4([^>]*)>; rel="next"/.exec(first.headers['link']!)![1]!;
    const second = await get(next);
    expect(second.headers).toMatchObject({ 'x-page': '2', 'x-per-page': '1' });
    expect(second.headers['link']!.match(/x%5By%5D=z&sort=asc/g)).toHaveLength(4);
  });

  it.each(['private_token=developer-token', 'access_token=developer-token', 'private_token=developer-token&job_token=secret',
    'private_token=developer-token&job_token[x]=secret&PRIVATE_TOKEN=secret&private_token]=secret&my-secret=x&%70assword=secret&y[z][private_token]=secret'])(
    'never repeat a token in their links: %s', async (query) => {
      const { get } = await testService();
      const { headers } = await get(`${issue}?${query}&x=1`, { as: null });
      expect(headers['link']).toContain('x=1');
      expect(headers['link']).not.toMatch(/token|secret|password/i);
    });

  it('never repeat sudo in their links', async () => {
    const tokens = [{ token: 'sudoer-token', scopes: ['api' as const, 'sudo' as const] }];
    const { get } = await testService({ world: { ...acme, users: [...acme.users!, { id: 9, username: 'sudoer', admin: true, tokens }] } });
    const { status, headers } = await get(`${issue}?sudo=developer&x=1`, { as: 'sudoer' });
    expect(status).toBe(200);
    expect(headers['link']).toContain('x=1');
    expect(headers['link']).not.toContain('sudo');
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
