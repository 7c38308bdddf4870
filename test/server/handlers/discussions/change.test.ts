import { describe, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { testService } from '../../../support/service.js';
import { refs, threads } from '../../../support/worlds.js';

const issueNote = `/projects/20/issues/1/discussions/${threads.issue}/notes/102`;
const mergeRequestNote = `/projects/20/merge_requests/1/discussions/${threads.thread}/notes/121`;

const mergeRequest = '/projects/20/merge_requests/1/discussions';
const open = `${mergeRequest}/${threads.thread}`;
const resolved = `${mergeRequest}/${threads.resolved}`;

const resolvers = ({ notes }: Discussion) => notes.map((note) => note.resolved_by?.username ?? null);

const thread = `/projects/20/issues/1/discussions/${threads.issue}`;
const comment = `/projects/20/issues/1/discussions/${threads.comment}`;

describe('modifying a note', () => {
  it('changes its text and its time of change', async () => {
    const { put, later } = await testService();
    later(5000);
    expect(await put(issueNote, { as: 'guest', json: { body: 'better' } })).toMatchObject({
      status: 200, body: { id: 102, body: 'better', updated_at: '2024-05-01T12:00:05.000Z' },
    });
  });

  it('looks the note up by its own id, whatever thread the path names', async () => {
    const { put } = await testService();
    const path = `/projects/20/issues/1/discussions/${threads.comment}/notes/102`;
    expect((await put(path, { as: 'guest', json: { body: 'x' } })).status).toBe(200);
  });

  it('leaves everything as it is for a body of null', async () => {
    const { put, later } = await testService();
    later(5000);
    const { status, body } = await put<Note>(issueNote, { as: 'guest', json: { body: null } });
    expect(status).toBe(200);
    expect(body.body).toBe('a thread');
    expect(body.updated_at < '2024-05-01T12:00:05.000Z').toBe(true);
  });

  it.each([
    ['neither body nor resolved', mergeRequestNote, {},
      { error: 'body, resolved are missing, exactly one parameter must be provided' }],
    ['both body and resolved', mergeRequestNote, { body: 'x', resolved: true }, { error: 'body, resolved are mutually exclusive' }],
    ['body null and resolved', mergeRequestNote, { body: null, resolved: true }, { error: 'body, resolved are mutually exclusive' }],
    ['neither, on an issue', issueNote, {}, { error: 'body, resolved are missing, exactly one parameter must be provided' }],
    ['a resolved that is no boolean', mergeRequestNote, { resolved: 'maybe' }, { error: 'resolved is invalid' }],
    ['a blank body', mergeRequestNote, { body: '' },
      { message: '400 Bad request - Note {:note=>["can\'t be blank"]}' }],
    ['resolved on an issue', `/projects/20/issues/1/discussions/${threads.issue}/notes/103`, { resolved: true },
      { message: '400 Bad request - Note is not resolvable' }],
  ])('is rejected with %s, and nothing changes', async (_, path, json, body) => {
    const { put, get } = await testService();
    const before = await get(path);
    expect(await put(path, { json })).toMatchObject({ status: 400, body });
    expect((await get(path)).body).toEqual(before.body);
  });

  it('with resolved on a commit is 400 too, for the author of the note', async () => {
    const { post, put } = await testService();
    const path = `/projects/20/commits/${refs.commit}/discussions`;
    const { body } = await post<{ id: string; notes: Note[] }>(path, { json: { body: 'x' } });
    expect(await put(`${path}/${body.id}/notes/${body.notes[0]!.id}`, { json: { resolved: true } }))
      .toMatchObject({ status: 400, body: { message: '400 Bad request - Note is not resolvable' } });
  });

  it.each([
    ['an unknown note', `/projects/20/issues/1/discussions/${threads.issue}/notes/9999`, '404 Not found'],
    ['a note of another noteable', `/projects/20/issues/1/discussions/${threads.issue}/notes/121`, '404 Not found'],
  ])('responds with 404 for %s', async (_, path, message) => {
    const { put } = await testService();
    expect(await put(path, { as: 'root', json: { body: 'x' } })).toMatchObject({ status: 404, body: { message } });
  });

  it('rejects a note id that is not a number', async () => {
    const { put } = await testService();
    expect(await put(`/projects/20/issues/1/discussions/${threads.issue}/notes/abc`, { json: { body: 'x' } }))
      .toMatchObject({ status: 400, body: { error: 'note_id is invalid' } });
  });

  it.each([
    ['its author', 'guest', issueNote, 200],
    ['a developer who did not write it', 'developer', issueNote, 403],
    ['a maintainer', 'maintainer', issueNote, 200],
    ['an administrator', 'root', issueNote, 200],
    ['an outsider', 'outsider', issueNote, 404],
    ['a maintainer, when it is a system note', 'maintainer', `/projects/20/issues/1/discussions/${threads.system}/notes/101`, 403],
    ['its author, in an archived project', 'developer', `/projects/22/issues/1/discussions/${'9'.repeat(40)}/notes/140`, 403],
  ])('is for %s', async (_, as, path, status) => {
    const { put } = await testService();
    const got = await put(path, { as, json: { body: 'x' } });
    expect(got.status).toBe(status);
    if (status === 403) expect(got.body).toEqual({ message: '403 Forbidden' });
  });
});

describe('resolving a thread', () => {
  it('resolves all its notes and leaves their times of change', async () => {
    const { put, get, later } = await testService({ dialect: 'live' });
    const before = (await get<Discussion>(open)).body;
    later(1000);
    const { status, body } = await put<Discussion>(open, { json: { resolved: true } });
    expect(status).toBe(200);
    expect(resolvers(body)).toEqual(['developer', 'developer']);
    expect(body.notes.map((note) => note.resolved_at)).toEqual(['2024-05-01T12:00:01.000Z', '2024-05-01T12:00:01.000Z']);
    expect(body.notes.map((note) => note.updated_at)).toEqual(before.notes.map((note) => note.updated_at));
  });

  it('keeps the resolver of what is resolved already, even when said twice', async () => {
    const { put } = await testService();
    expect(resolvers((await put<Discussion>(resolved, { as: 'maintainer', json: { resolved: true } })).body)).toEqual(['developer']);
  });

  it('can be undone', async () => {
    const { put } = await testService();
    expect(resolvers((await put<Discussion>(resolved, { json: { resolved: false } })).body)).toEqual([null]);
  });

  it('is undone by a blank value, as the service does', async () => {
    const { put } = await testService();
    expect((await put<Discussion>(`${resolved}?resolved=`)).body.notes[0]!.resolved).toBe(false);
  });

  it.each([
    ['missing', {}, 'resolved is missing'], ['no boolean', { resolved: 2 }, 'resolved is invalid'],
  ])('is rejected when resolved is %s', async (_, json, error) => {
    const { put } = await testService();
    expect(await put(open, { json })).toMatchObject({ status: 400, body: { error } });
  });

  it('responds with 404 for an unknown thread', async () => {
    const { put } = await testService();
    expect(await put(`${mergeRequest}/${'0'.repeat(40)}`, { json: { resolved: true } }))
      .toMatchObject({ status: 404, body: { message: '404 Discussion Not Found' } });
  });

  it('is forbidden for a single comment', async () => {
    const { post, get, put } = await testService();
    await post('/projects/20/merge_requests/1/notes', { json: { body: 'single' } });
    const comment = (await get<Discussion[]>(mergeRequest)).body.find(({ individual_note }) => individual_note)!;
    expect(comment.notes).toMatchObject([{ resolvable: false, resolved: false }]);
    expect(await put(`${mergeRequest}/${comment.id}`, { json: { resolved: true } }))
      .toMatchObject({ status: 403, body: { message: '403 Forbidden' } });
  });

  it.each([
    ['the author of the merge request', 'developer', 200], ['a maintainer', 'maintainer', 200],
    ['a reporter', 'reporter', 403], ['a guest', 'guest', 403], ['an outsider', 'outsider', 404],
  ])('is for %s', async (_, as, status) => {
    const { put } = await testService();
    expect((await put(open, { as, json: { resolved: true } })).status).toBe(status);
  });

  it.each(['/projects/20/issues/1', '/projects/20/snippets/40', '/groups/10/epics/500', `/projects/20/commits/${refs.commit}`])(
    'exists on merge requests alone in old versions: %s', async (path) => {
      const { put } = await testService({ serviceVersion: '13.12' });
      expect(await put(`${path}/discussions/${threads.issue}`, { json: { resolved: true } }))
        .toMatchObject({ status: 404, body: { error: '404 Not Found' } });
    });
});

describe('resolving one note', () => {
  it('moves its time of change and leaves the others', async () => {
    const { put, get, later } = await testService();
    later(1000);
    expect(await put(`${open}/notes/120`, { json: { resolved: true } }))
      .toMatchObject({ status: 200, body: { resolved: true, updated_at: '2024-05-01T12:00:01.000Z' } });
    expect(resolvers((await get<Discussion>(open)).body)).toEqual(['developer', null]);
  });

  it('is for the author of the note too', async () => {
    const { put } = await testService();
    expect((await put(`${open}/notes/120`, { as: 'guest', json: { resolved: 'yes' } })).status).toBe(200);
    expect((await put(`${open}/notes/121`, { as: 'guest', json: { resolved: true } })).status).toBe(403);
  });
});

describe('deleting a note', () => {
  it('responds with 204 without a body, and 404 the second time', async () => {
    const { delete: remove } = await testService();
    expect(await remove(`${thread}/notes/103`)).toMatchObject({ status: 204, text: '' });
    expect(await remove(`${thread}/notes/103`)).toMatchObject({ status: 404, body: { message: '404 Not found' } });
  });

  it('leaves the rest of the thread, even when it was the first', async () => {
    const { delete: remove, get } = await testService();
    await remove(`${thread}/notes/102`, { as: 'guest' });
    expect((await get<Discussion>(thread)).body).toMatchObject({ id: threads.issue, individual_note: false, notes: [{ id: 103 }] });
  });

  it('deletes the thread with its last note', async () => {
    const { delete: remove, get } = await testService();
    await remove(`${comment}/notes/100`, { as: 'guest' });
    expect(await get(comment)).toMatchObject({ status: 404, body: { message: '404 Discussion Not Found' } });
    expect((await get<Discussion[]>('/projects/20/issues/1/discussions')).body.map(({ id }) => id)).not.toContain(threads.comment);
  });

  it.each([
    ['the author', 'guest', 204], ['a maintainer', 'maintainer', 204], ['a developer who did not write it', 'developer', 403],
    ['an outsider', 'outsider', 404],
  ])('is for %s', async (_, as, status) => {
    const { delete: remove } = await testService();
    expect((await remove(`${comment}/notes/100`, { as })).status).toBe(status);
  });

  it('rejects deleting a system note', async () => {
    const { delete: remove } = await testService();
    expect(await remove(`/projects/20/issues/1/discussions/${threads.system}/notes/101`, { as: 'root' }))
      .toMatchObject({ status: 403, body: { message: '403 Forbidden' } });
  });

  it('stops when the note changed after If-Unmodified-Since', async () => {
    const { delete: remove, put, later } = await testService();
    later(60_000);
    await put(`${thread}/notes/103`, { json: { body: 'changed' } });
    const headers = { 'if-unmodified-since': 'Wed, 01 May 2024 12:00:30 GMT' };
    expect(await remove(`${thread}/notes/103`, { headers })).toMatchObject({ status: 412, body: { message: '412 Precondition Failed' } });
    expect((await remove(`${thread}/notes/103`, { headers: { 'if-unmodified-since': 'Wed, 01 May 2024 12:01:00 GMT' } })).status).toBe(204);
  });

  it('knows no deletion of a whole discussion', async () => {
    const { delete: remove } = await testService();
    expect(await remove(thread)).toMatchObject({ status: 404, body: { error: '404 Not Found' } });
  });
});
