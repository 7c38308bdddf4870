import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { testService } from '../../../support/service.js';
import { acme, refs, threads } from '../../../support/worlds.js';
import { countedService } from '../../hardening/counted-service.js';

const issue = '/projects/20/issues/1/discussions';
const mergeRequest = '/projects/20/merge_requests/1/discussions';

const kinds = [issue, mergeRequest, '/projects/20/snippets/40/discussions', '/groups/10/epics/500/discussions',
  `/projects/20/commits/${refs.commit}/discussions`];

const thread = (list: string, id: string) => `${list}/${id}`;

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

describe('adding a note to a thread', () => {
  it('responds with the note and adds it at the end', async () => {
    const { post, get, later } = await testService();
    later(1000);
    const reply = await post(`${thread(issue, threads.issue)}/notes`, { json: { body: 'me too' } });
    expect(reply).toMatchObject({ status: 201, body: { type: 'DiscussionNote', body: 'me too', created_at: '2024-05-01T12:00:01.000Z' } });
    const { body } = await get<Discussion>(thread(issue, threads.issue));
    expect(body.notes.map((note) => note.body)).toEqual(['a thread', 'a reply', 'me too']);
  });

  it.each([['the documented note_id', { note_id: 102 }], ['a note_id of null', { note_id: null }], ['no note_id', {}]])(
    'does with %s what it does without', async (_, more) => {
      const { post } = await testService();
      expect((await post(`${thread(issue, threads.issue)}/notes`, { json: { body: 'x', ...more } })).status).toBe(201);
    });

  it('checks the documented note_id in the document dialect alone: the live service has no such parameter', async () => {
    const { post } = await testService();
    expect(await post(`${thread(issue, threads.issue)}/notes`, { json: { body: 'x', note_id: 'abc' } }))
      .toMatchObject({ status: 400, body: { error: 'note_id is invalid' } });
    const live = await testService({ dialect: 'live' });
    expect((await live.post(`${thread(issue, threads.issue)}/notes`, { json: { body: 'x', note_id: 'abc' } })).status).toBe(201);
  });

  it('inherits the position of a diff thread', async () => {
    const { post, get } = await testService();
    const path = thread(mergeRequest, threads.diff);
    const reply = await post(`${path}/notes`, { json: { body: 'because' } });
    const first = (await get<Discussion>(path)).body.notes[0]!;
    expect(reply).toMatchObject({ status: 201, body: { type: 'DiffNote', position: first.position } });
  });

  it.each([['a comment', issue, threads.comment], ['a system note', issue, threads.system]])(
    'turns %s into a thread with the same id', async (_, list, id) => {
      const { post, get } = await testService();
      await post(`${thread(list, id)}/notes`, { json: { body: 'x' } });
      const { body } = await get<Discussion>(thread(list, id));
      expect(body).toMatchObject({ id, individual_note: false, notes: [{ type: 'DiscussionNote' }, { type: 'DiscussionNote' }] });
      expect(body.notes[0]!.system).toBe(id === threads.system);
    });

  it.each([
    ['a snippet', '/projects/20/snippets/40/discussions', threads.snippet],
    ['a commit', `/projects/20/commits/${refs.commit}/discussions`, threads.commitComment],
  ])('is rejected for an individual note on %s', async (_, list, id) => {
    const { post, get } = await testService();
    expect(await post(`${thread(list, id)}/notes`, { json: { body: 'x' } }))
      .toMatchObject({ status: 400, body: { message: '400 Bad request - Discussion can not be replied to.' } });
    expect((await get<Discussion>(thread(list, id))).body.notes).toHaveLength(1);
  });

  it('in a resolved thread is born resolved, by the one who replies', async () => {
    const { post, get } = await testService({ dialect: 'live' });
    const path = thread(mergeRequest, threads.resolved);
    const reply = await post(`${path}/notes`, { as: 'guest', json: { body: 'thanks' } });
    expect(reply.body).toMatchObject({ resolved: true, resolved_by: { username: 'guest' }, resolved_at: '2024-05-01T12:00:00.000Z' });
    expect((await get<Discussion>(path)).body.notes.map((note) => note.resolved_by?.username)).toEqual(['developer', 'guest']);
  });

  it.each([
    ['an unknown thread', `${thread(issue, '0'.repeat(40))}/notes`, { body: 'x' }, 404, { message: '404 Discussion Not Found' }],
    ['no body', `${thread(issue, threads.issue)}/notes`, {}, 400, { error: 'body is missing' }],
    ['a blank body', `${thread(issue, threads.issue)}/notes`, { body: ' ' }, 400,
      { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' }],
    ['no body and an unknown project', `/projects/99/issues/1/discussions/${threads.issue}/notes`, {}, 400, { error: 'body is missing' }],
  ])('is rejected with %s', async (_, path, json, status, body) => {
    const { post } = await testService();
    expect(await post(path, { json })).toMatchObject({ status, body });
  });
});

describe('a noteable full of notes', () => {
  it('accepts no more, not counting system notes', async () => {
    const notes = Array.from({ length: 4_999 }, () => ({ author: 'root', body: 'x' }));
    const { post } = await testService({ world: {
      users: [{ username: 'root', admin: true, token: 'root-token' }],
      projects: [{ id: 1, path: 'a/b', issues: [{ iid: 1, title: 'Full', discussions: [
        { notes }, { individual_note: true, notes: [{ author: 'root', body: 's', system: true }] },
      ] }] }],
    } });
    const sent = { as: 'root', json: { body: 'x' } };
    expect((await post('/projects/1/issues/1/discussions', sent)).status).toBe(201);
    expect(await post('/projects/1/issues/1/discussions', sent)).toMatchObject({
      status: 400, body: { message: '400 Bad request - Note {:base=>["Maximum number of comments exceeded"]}' },
    });
  });
});

describe('the store', () => {
  it.each([
    ['a thread', mergeRequest, 3], ['a reply', `${mergeRequest}/${threads.thread}/notes`, 5],
    ['a single comment', '/projects/20/merge_requests/1/notes', 3],
  ])('is asked as little as needed for %s', async (_, path, most) => {
    const call = await countedService(acme, 'live');
    for (const body of ['first', 'second']) {
      const { status, questions } = await call('POST', path, 'developer', { body });
      expect([status, body === 'first' || questions]).toEqual([201, body === 'first' || most]);
    }
  });
});
