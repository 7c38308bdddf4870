import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { testService } from '../../../support/service.js';
import { refs } from '../../../support/worlds.js';

const issue = '/projects/20/issues/1/discussions';
const mergeRequest = '/projects/20/merge_requests/1/discussions';

const kinds = [issue, mergeRequest, '/projects/20/snippets/40/discussions', '/groups/10/epics/500/discussions',
  `/projects/20/commits/${refs.commit}/discussions`];

describe('creating a thread', () => {
  it.each(kinds)('creates a thread that is not an individual note, on %s', async (path) => {
    const { post, get } = await testService();
    const created = await post<Discussion>(path, { json: { body: 'hello' } });
    expect(created).toMatchObject({ status: 201, body: { individual_note: false, notes: [{ type: 'DiscussionNote' }] } });
    expect(created.body.id).toMatch(/^[0-9a-f]{40}$/);
    expect((await get(`${path}/${created.body.id}`)).body).toEqual(created.body);
  });

  it.each([
    ['JSON', { json: { body: 'a & b' } }, ''],
    ['a form', { form: { body: 'a & b' } }, ''],
    ['the query', {}, '?body=a+%26%20b'],
  ])('reads the body from %s', async (_, sent, query) => {
    const { post } = await testService();
    expect(await post(issue + query, sent)).toMatchObject({ status: 201, body: { notes: [{ body: 'a & b' }] } });
  });

  it('ignores null for an absent position', async () => {
    const { post } = await testService();
    expect(await post(mergeRequest, { json: { body: 'x', position: null, commit_id: null, created_at: null } }))
      .toMatchObject({ status: 201, body: { notes: [{ type: 'DiscussionNote' }] } });
  });

  it.each([
    ['missing', {}, { error: 'body is missing' }],
    ['of a wrong type', { body: { text: 'x' } }, { error: 'body is invalid' }],
    ['empty', { body: '' }, { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' }],
    ['blank', { body: ' \n\t' }, { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' }],
    ['null', { body: null }, { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' }],
    ['too long', { body: 'x'.repeat(1_000_001) },
      { message: '400 Bad request - Note {:note=>["is too long (maximum is 1000000 characters)"]}' }],
    ['with a NUL', { body: 'a\0b' }, { error: 'body is invalid' }],
  ])('rejects a body that is %s, and stores nothing', async (_, json, body) => {
    for (const path of kinds) {
      const { post, get } = await testService();
      const before = (await get(path)).body;
      expect(await post(path, { json })).toMatchObject({ status: 400, body });
      expect((await get(path)).body).toEqual(before);
    }
  });

  it('counts characters, not UTF-16 units, against the limit', async () => {
    const { post } = await testService();
    expect((await post('/projects/20/snippets/40/discussions', { json: { body: '😀'.repeat(1_000_000) } })).status).toBe(201);
  });

  it('cuts carriage returns and white space at the end everywhere but on snippets', async () => {
    for (const path of kinds) {
      const { post } = await testService();
      const { body } = await post<Discussion>(path, { json: { body: ' a\r\nb \n' } });
      expect(body.notes[0]!.body).toBe(path.includes('snippets') ? ' a\r\nb \n' : ' a\nb');
    }
  });
});

describe('created_at', () => {
  const at = '2016-03-11T03:45:40+01:00';

  it.each(['owner', 'root'])('is stored for %s, as time of creation and of change', async (as) => {
    const { post } = await testService();
    expect(await post(issue, { as, json: { body: 'x', created_at: at } })).toMatchObject({
      status: 201, body: { notes: [{ created_at: '2016-03-11T02:45:40.000Z', updated_at: '2016-03-11T02:45:40.000Z' }] },
    });
  });

  it.each(['maintainer', 'developer', 'guest'])('is dropped without a word for %s', async (as) => {
    const { post } = await testService();
    expect(await post(issue, { as, json: { body: 'x', created_at: at } }))
      .toMatchObject({ status: 201, body: { notes: [{ created_at: '2024-05-01T12:00:00.000Z' }] } });
  });

  it('counts a group owner as owner of its epics', async () => {
    const { post } = await testService();
    expect(await post('/groups/10/epics/500/discussions', { as: 'owner', json: { body: 'x', created_at: at } }))
      .toMatchObject({ body: { notes: [{ created_at: '2016-03-11T02:45:40.000Z' }] } });
  });

  it('that is not a time is ignored', async () => {
    const { post } = await testService();
    expect(await post(issue, { as: 'root', json: { body: 'x', created_at: 'yesterday' } }))
      .toMatchObject({ status: 201, body: { notes: [{ created_at: '2024-05-01T12:00:00.000Z' }] } });
  });

  it.each([
    '2024-02-30', '2024-02-30T10:00:00Z', '2023-02-29', '9999-12-31T23:59:59-01:00', '9999-12-31T24:00:00Z', '+010000-01-01T00:00:00Z', '2024-05-01T10:61',
  ])('that is outside of the years 0 to 9999 is ignored: %s', async (created_at) => {
    const { post } = await testService();
    expect(await post(issue, { as: 'root', json: { body: 'x', created_at } }))
      .toMatchObject({ status: 201, body: { notes: [{ created_at: '2024-05-01T12:00:00.000Z', updated_at: '2024-05-01T12:00:00.000Z' }] } });
  });

  it.each([
    ['20240229T101112Z', '2024-02-29T10:11:12.000Z'],
    ['20240229', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29T10:11:12+05', '2024-02-29T05:11:12.000Z'],
    ['2024-02-29T10:11:12,5Z', '2024-02-29T10:11:12.500Z'],
    ['2024-02-29 10:11:12 -0130', '2024-02-29T11:41:12.000Z'],
  ])('may be any form of ISO 8601: %s', async (created_at, at) => {
    const { post } = await testService();
    expect(await post(issue, { as: 'root', json: { body: 'x', created_at } })).toMatchObject({ status: 201, body: { notes: [{ created_at: at }] } });
  });

  it('never keeps the exported world from being loaded again', async () => {
    const { post, get, call } = await testService();
    for (const created_at of ['9999-12-31T23:59:59-01:00', '9999-12-31T23:59:59.999Z', '20240229T10+05']) {
      await post(issue, { as: 'root', json: { body: 'x', created_at } });
    }
    const dumped = await get('/-/world', { as: null });
    expect((await call('PUT', '/-/world', { json: dumped.body })).status).toBe(204);
  });

  it('before 1970 is rejected', async () => {
    const { post } = await testService();
    expect(await post(issue, { as: 'root', json: { body: 'x', created_at: '1969-12-31T23:59:59Z' } })).toMatchObject({
      status: 400,
      body: { message: '400 Bad request - Note {:created_at=>["The created date provided is too far in the past."]}' },
    });
  });

  it('puts the thread where its first note belongs', async () => {
    const { post, get } = await testService();
    const created = await post<Discussion>(issue, { as: 'root', json: { body: 'x', created_at: at } });
    expect((await get<Discussion[]>(issue)).body[0]!.id).toBe(created.body.id);
  });
});

describe('who may comment', () => {
  it.each([
    ['a guest on a private issue', 'guest', '/projects/20/issues/1', 201],
    ['an outsider on a private issue', 'outsider', '/projects/20/issues/1', 404],
    ['an outsider on a public issue', 'outsider', '/projects/21/issues/1', 201],
    ['an outsider on a locked public issue', 'outsider', '/projects/21/issues/2', 403],
    ['a member on a locked issue', 'guest', '/projects/20/issues/3', 201],
    ['an administrator on a locked issue', 'root', '/projects/21/issues/2', 201],
    ['the owner of an archived project', 'owner', '/projects/22/issues/1', 403],
    ['a guest on a confidential issue of another', 'guest', '/groups/10/epics/501', 404],
    ['the author of a confidential issue', 'guest', '/projects/20/issues/2', 201],
    ['a reporter on a confidential issue', 'reporter', '/projects/20/issues/2', 201],
    ['a developer on a confidential epic', 'developer', '/groups/10/epics/501', 201],
  ])('%s', async (_, as, path, status) => {
    const { post } = await testService();
    expect((await post(`${path}/discussions`, { as, json: { body: 'x' } })).status).toBe(status);
  });
});
