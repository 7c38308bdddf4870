import { describe, expect, it } from 'vitest';
import type { DraftNote } from '../../../../src/contract/lookups/draft-notes.js';
import type { Note } from '../../../../src/contract/shapes/note.js';
import { testService } from '../../../support/service.js';
import { threads } from '../../../support/worlds.js';
import { added, draftService, drafts, mergeRequest, outside } from './drafts.js';

const { answer, call, discussions, draft, faults, list, publishAll } = draftService();

describe('a draft note', () => {
  it('does not exist for others, administrators included', async () => {
    await draft({ note: 'mine' });
    for (const as of ['root', 'maintainer', 'guest']) {
      expect(await list(as)).toEqual([]);
      for (const [method, path] of [['GET', ''], ['PUT', ''], ['DELETE', ''], ['PUT', '/publish']]) {
        expect(await answer(method!, `${drafts}/1${path}`, { as, ...method === 'PUT' && { json: { note: 'theirs' } } }))
          .toEqual([404, { message: '404 Not found' }]);
      }
      expect(await publishAll(as)).toEqual([204, undefined]);
    }
    expect(await answer('GET', drafts, { as: 'outsider' })).toEqual([404, { message: '404 Project Not Found' }]);
    expect(await list()).toMatchObject([{ note: 'mine' }]);
  });

  it('is not in the lists of discussions and notes, not even for its author', async () => {
    const before = await discussions();
    const notes = await call<Note[]>('GET', `${mergeRequest}/notes`);
    await draft({ note: 'unpublished' });
    await draft({ note: 'unpublished', in_reply_to_discussion_id: threads.thread });
    expect(await discussions()).toEqual(before);
    const after = await call<Note[]>('GET', `${mergeRequest}/notes`);
    expect([after.body, after.headers['x-total']]).toEqual([notes.body, notes.headers['x-total']]);
  });

  it('belongs to one merge request', async () => {
    await draft({ note: 'here' });
    expect(await answer('GET', '/projects/20/merge_requests/2/draft_notes/1')).toEqual([404, { message: '404 Not found' }]);
    expect(await answer('GET', '/projects/20/merge_requests/9/draft_notes')).toEqual([404, { message: '404 Not found' }]);
    expect(await answer('GET', '/projects/20/merge_requests/x/draft_notes')).toEqual([400, { error: 'merge_request_iid is invalid' }]);
  });
});

describe('older services', () => {
  const statuses = async (options: Parameters<typeof testService>[0]) => {
    const other = await testService(options);
    const asked = [(await other.get(drafts)).status, (await other.post(drafts, { json: { note: 'a' } })).status];
    await other.close();
    return asked;
  };

  it('have no drafts, and those between can only read them', async () => {
    expect(await statuses({ dialect: 'live', serviceVersion: '15.8' })).toEqual([404, 404]);
    expect(await statuses({ dialect: 'live', serviceVersion: '15.9' })).toEqual([200, 404]);
    expect(await statuses({ dialect: 'live', serviceVersion: '15.10' })).toEqual([200, 201]);
    expect(await statuses({ dialect: 'document', serviceVersion: '15.8' })).toEqual([404, 404]);
    expect(await statuses({ dialect: 'document' })).toEqual([200, 201]);
  });
});

describe('the server around them', () => {
  it('caches them for their author, and never shows old ones', async () => {
    const get = async (headers = {}) => call<DraftNote[]>('GET', drafts, { headers });
    const { headers: { etag } } = await get();
    expect((await get({ 'if-none-match': etag! })).status).toBe(304);
    const { id } = await draft({ note: 'one' });
    expect((await get({ 'if-none-match': etag! })).body).toMatchObject([{ note: 'one' }]);
    await call('PUT', `${drafts}/${id}`, { json: { note: 'two' } });
    expect((await get()).body).toMatchObject([{ note: 'two' }]);
    expect(await list('guest')).toEqual([]);
    await publishAll();
    expect((await get()).body).toEqual([]);
  });

  it('applies faults by operation and path, before or after publishing', async () => {
    await draft({ note: 'one' });
    const path = 'POST /projects/*/merge_requests/*/draft_notes/bulk_publish';
    await faults(['draftNotes.publishAll => status 503 before times=1', `${path} => status 502 after times=1`]);
    expect((await publishAll())[0]).toBe(503);
    expect(await list()).toHaveLength(1);
    expect((await publishAll())[0]).toBe(502);
    expect(await list()).toEqual([]);
  });

  it('logs the requests', async () => {
    await draft({ note: 'one' });
    await publishAll();
    const { body } = await call<{ method: string; path: string; status: number }[]>('GET', '/-/requests');
    expect(body.map(({ method, status }) => [method, status])).toEqual([['POST', 201], ['POST', 204]]);
  });

  it('keeps them apart in isolated worlds, and drops them with a reset', async () => {
    await call('POST', `/w/test-1/api/v4${drafts}`, { json: { note: 'there' } });
    expect(await list()).toEqual([]);
    await draft({ note: 'here' });
    await call('POST', '/-/reset');
    expect(await list()).toEqual([]);
    expect((await call('GET', `/w/test-1/api/v4${drafts}`)).body).toMatchObject([{ note: 'there' }]);
  });

  it('exports them with the world, which seeds the same', async () => {
    await draft({ note: 'on the diff', position: added });
    await draft({ note: 'beside it', position: outside });
    await draft({ note: 'resolve', in_reply_to_discussion_id: threads.thread, resolve_discussion: true });
    await draft({ note: 'of the guest' }, 'guest');
    const before = [await list(), await list('guest')];
    const { body: world, text } = await call('GET', '/-/world');
    expect((await call('PUT', '/-/world', { json: world })).status).toBe(204);
    expect([await list(), await list('guest')]).toEqual(before);
    expect((await call('GET', '/-/world')).text).toBe(text);
    expect((await draft({ note: 'next' })).id).toBe(5);
  });
});
