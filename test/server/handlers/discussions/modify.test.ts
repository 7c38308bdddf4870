import { describe, expect, it } from 'vitest';
import type { Note } from '../../../../src/contract/shapes/note.js';
import { testService } from '../../../support/service.js';
import { refs, threads } from '../../../support/worlds.js';

const issueNote = `/projects/20/issues/1/discussions/${threads.issue}/notes/102`;
const mergeRequestNote = `/projects/20/merge_requests/1/discussions/${threads.thread}/notes/121`;

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
      { message: '400 Bad request - Failed to save note {:note=>["can\'t be blank"]}' }],
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
