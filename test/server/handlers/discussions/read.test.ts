import { describe, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { testService } from '../../../support/service.js';
import { threads } from '../../../support/worlds.js';

const developer = {
  id: 4, name: 'Dora Developer', username: 'developer', state: 'active',
  avatar_url: 'http://service.test/uploads/-/system/user/avatar/4/avatar.png', web_url: 'http://service.test/developer',
};

describe('listing discussions', () => {
  it('returns the threads by their first note, each with its notes oldest first', async () => {
    const { get } = await testService();
    const { body } = await get<Discussion[]>('/projects/20/issues/1/discussions');
    expect(body.map(({ id, individual_note, notes }) => [id, individual_note, notes.map((note) => note.id)])).toEqual([
      [threads.comment, true, [100]], [threads.system, true, [101]], [threads.issue, false, [102, 103]],
    ]);
  });

  it.each([
    ['/projects/acme%2Fapp/issues/1', 'Issue', 30],
    ['/projects/20/snippets/40', 'Snippet', 40],
    ['/groups/acme/epics/500', 'Epic', 500],
    ['/groups/10/-/epics/500', 'Epic', 500],
    ['/projects/20/merge_requests/1', 'Merge request', 50],
    [`/projects/20/commits/${'e'.repeat(40)}`, 'Commit', expect.any(Number)],
    [`/projects/20/repository/commits/${'e'.repeat(40)}`, 'Commit', expect.any(Number)],
  ])('names the parent of each note in the words of the documentation: %s', async (path, noteable_type, noteable_id) => {
    const { get, post } = await testService();
    await post(`${path}/discussions`, { json: { body: 'hello' } });
    const { body } = await get<Discussion[]>(`${path}/discussions`);
    expect(body.at(-1)!.notes).toMatchObject([{ noteable_type, noteable_id, noteable_iid: null, body: 'hello' }]);
  });

  it('shows a note with exactly the documented fields', async () => {
    const { post } = await testService();
    const { body } = await post<Discussion>('/projects/20/issues/1/discussions', { json: { body: 'hello' } });
    expect(body.notes).toEqual([{
      id: expect.any(Number), type: 'DiscussionNote', body: 'hello', attachment: null, author: developer,
      created_at: '2024-05-01T12:00:00.000Z', updated_at: '2024-05-01T12:00:00.000Z', system: false,
      noteable_id: 30, noteable_type: 'Issue', resolvable: false, noteable_iid: null,
    }]);
  });

  it('has the fields of the live dialect that the documentation does not list', async () => {
    const { get } = await testService({ dialect: 'live' });
    const { body } = await get<Discussion[]>('/projects/20/merge_requests/1/discussions');
    expect(body[1]!.notes[0]).toMatchObject({
      noteable_type: 'MergeRequest', noteable_iid: 1, project_id: 20, resolved: true, resolved_by: { username: 'developer' },
      resolved_at: expect.any(String), confidential: false, internal: false, imported: false, imported_from: 'none',
      commands_changes: {},
    });
    expect(Object.keys(body[1]!.notes[0]!.author)).toContain('locked');
  });

  it('shows the commit of a diff note as the head of its position, and live only when the thread began on a commit', async () => {
    const path = `/projects/20/merge_requests/1/discussions/${threads.diff}`;
    const documented = await (await testService()).get<Discussion>(path);
    const live = await (await testService({ dialect: 'live' })).get<Discussion>(path);
    expect(documented.body.notes[0]).toMatchObject({ commit_id: 'c'.repeat(40) });
    expect(documented.body.notes[0]!.position).not.toHaveProperty('line_range');
    expect(live.body.notes[0]).toMatchObject({ commit_id: null, position: { line_range: null, old_line: null, new_line: 2 } });
  });

  it('is reached by the number of its commit too, as the document has it, and live by the SHA alone', async () => {
    const bySha = `/projects/20/commits/${'e'.repeat(40)}/discussions`;
    const { get, post } = await testService();
    const created = await post<Discussion>(bySha, { json: { body: 'on a commit' } });
    const byNumber = `/projects/20/repository/commits/${created.body.notes[0]!.noteable_id}/discussions`;
    expect((await get(byNumber)).body).toEqual((await get(bySha)).body);
    expect((await post(`${byNumber}/${created.body.id}/notes`, { json: { body: 'reply' } })).status).toBe(201);
    const live = await testService({ dialect: 'live' });
    expect((await live.get(byNumber)).body).toEqual({ message: '404 Commit Not Found' });
  });

  it('has no iid and no id for a live commit note', async () => {
    const { get } = await testService({ dialect: 'live' });
    const { body } = await get<Discussion[]>(`/projects/20/repository/commits/${'e'.repeat(40)}/discussions`);
    expect(body[0]!.notes[0]).toMatchObject({ noteable_id: null, noteable_iid: null, noteable_type: 'Commit' });
  });
});

describe('getting one discussion', () => {
  it('returns the thread', async () => {
    const { get } = await testService();
    const { body } = await get<Discussion>(`/projects/20/merge_requests/1/discussions/${threads.thread}`);
    expect(body).toMatchObject({ id: threads.thread, individual_note: false, notes: [{ id: 120 }, { id: 121 }] });
  });

  it.each([
    ['an unknown thread', `/projects/20/issues/1/discussions/${'0'.repeat(40)}`, '404 Discussion Not Found'],
    ['a thread of another noteable', `/projects/20/issues/1/discussions/${threads.thread}`, '404 Discussion Not Found'],
    ['an unknown issue', `/projects/20/issues/99/discussions/${threads.issue}`, '404 Not found'],
    ['an unknown merge request', '/projects/20/merge_requests/99/discussions', '404 Not found'],
    ['an unknown snippet', '/projects/20/snippets/99/discussions', '404 Not found'],
    ['an unknown commit', `/projects/20/commits/${'0'.repeat(40)}/discussions`, '404 Commit Not Found'],
    ['an unknown epic', '/groups/10/epics/99/discussions', '404 Not found'],
    ['an epic by its iid where the global id is due', '/groups/10/epics/1/discussions', '404 Not found'],
    ['an unknown project', '/projects/acme%2Fnone/issues/1/discussions', '404 Project Not Found'],
    ['a project by a path without a slash', '/projects/app/issues/1/discussions', '404 Project Not Found'],
    ['an unknown group', '/groups/none/epics/500/discussions', '404 Group Not Found'],
  ])('responds with 404 for %s', async (_, path, message) => {
    const { get } = await testService();
    expect(await get(path)).toMatchObject({ status: 404, body: { message } });
  });
});

describe('the notes of one thread', () => {
  it('come in order and unpaged', async () => {
    const { get } = await testService();
    const { body, headers } = await get<Note[]>(`/projects/20/issues/1/discussions/${threads.issue}/notes`);
    expect(body.map(({ id }) => id)).toEqual([102, 103]);
    expect(headers).not.toHaveProperty('x-total');
  });

  it('can be got one by one', async () => {
    const { get } = await testService();
    expect(await get(`/projects/20/issues/1/discussions/${threads.issue}/notes/103`)).toMatchObject({ status: 200, body: { id: 103 } });
    expect(await get(`/projects/20/issues/1/discussions/${threads.issue}/notes/100`))
      .toMatchObject({ status: 404, body: { message: '404 Note Not Found' } });
  });

  it('are looked up as records: an unknown id has the text of one', async () => {
    const { get } = await testService();
    for (const id of [99_999, 130, 0]) {
      expect(await get(`/projects/20/issues/1/discussions/${threads.issue}/notes/${id}`))
        .toMatchObject({ status: 404, body: { message: '404 Not found' } });
    }
    expect(await get(`/projects/20/issues/1/discussions/${'0'.repeat(40)}/notes/103`))
      .toMatchObject({ status: 404, body: { message: '404 Discussion Not Found' } });
  });

  it('have a text of their own when the thread is unknown', async () => {
    const { get } = await testService();
    expect(await get(`/projects/20/issues/1/discussions/${'0'.repeat(40)}/notes`))
      .toMatchObject({ status: 404, body: { message: '404 Notes Not Found' } });
  });
});
