import { describe, expect, it } from 'vitest';
import { testService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

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

describe('bodies', () => {
  it.each(['[]', '', '"text"'])('count as no parameters when they are %j', async (body) => {
    const { post } = await testService();
    expect(await post(issue, { body, headers: { 'content-type': 'application/json' } }))
      .toMatchObject({ status: 400, body: { error: 'body is missing' } });
  });

  it('beat the query, and the path beats them', async () => {
    const { post } = await testService();
    expect(await post(`${issue}?body=query`, { json: { body: 'json', id: 99, noteable_id: 99 } }))
      .toMatchObject({ status: 201, body: { notes: [{ body: 'json' }] } });
  });
});

describe('pages', () => {
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
