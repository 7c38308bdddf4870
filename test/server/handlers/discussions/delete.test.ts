import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { testService } from '../../../support/service.js';
import { threads } from '../../../support/worlds.js';

const thread = `/projects/20/issues/1/discussions/${threads.issue}`;
const comment = `/projects/20/issues/1/discussions/${threads.comment}`;

describe('deleting a note', () => {
  it('responds with 204 without a body, and 404 the second time', async () => {
    const { delete: remove } = await testService();
    expect(await remove(`${thread}/notes/103`)).toMatchObject({ status: 204, text: '' });
    expect(await remove(`${thread}/notes/103`)).toMatchObject({ status: 404, body: { message: '404 Not found' } });
  });

  it('leaves the rest of the thread, also when it was the first', async () => {
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
