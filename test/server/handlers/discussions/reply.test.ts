import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { testService } from '../../../support/service.js';
import { refs, threads } from '../../../support/worlds.js';

const thread = (path: string, id: string) => `${path}/discussions/${id}`;
const issue = '/projects/20/issues/1';
const mergeRequest = '/projects/20/merge_requests/1';

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
    'turns %s into a thread with the same id', async (_, parent, id) => {
      const { post, get } = await testService();
      await post(`${thread(parent, id)}/notes`, { json: { body: 'x' } });
      const { body } = await get<Discussion>(thread(parent, id));
      expect(body).toMatchObject({ id, individual_note: false, notes: [{ type: 'DiscussionNote' }, { type: 'DiscussionNote' }] });
      expect(body.notes[0]!.system).toBe(id === threads.system);
    });

  it.each([
    ['a snippet', '/projects/20/snippets/40', threads.snippet],
    ['a commit', `/projects/20/commits/${refs.commit}`, threads.commitComment],
  ])('is rejected for an individual note on %s', async (_, parent, id) => {
    const { post, get } = await testService();
    expect(await post(`${thread(parent, id)}/notes`, { json: { body: 'x' } }))
      .toMatchObject({ status: 400, body: { message: '400 Bad request - Discussion can not be replied to.' } });
    expect((await get<Discussion>(thread(parent, id))).body.notes).toHaveLength(1);
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
