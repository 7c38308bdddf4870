import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { testService } from '../../../support/service.js';
import { refs, threads } from '../../../support/worlds.js';

const mergeRequest = '/projects/20/merge_requests/1/discussions';
const open = `${mergeRequest}/${threads.thread}`;
const resolved = `${mergeRequest}/${threads.resolved}`;

const resolvers = ({ notes }: Discussion) => notes.map((note) => note.resolved_by?.username ?? null);

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

  it('keeps the resolver of what is resolved already, also when said twice', async () => {
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
    'exists on merge requests alone: %s', async (path) => {
      const { put } = await testService();
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
