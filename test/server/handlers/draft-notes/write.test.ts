import { describe, expect, it } from 'vitest';
import type { DraftNote } from '../../../../src/contract/lookups/draft-notes.js';
import { lineCode } from '../../../../src/diff/lines.js';
import { testService } from '../../../support/service.js';
import { acme, refs, threads } from '../../../support/worlds.js';
import { added, draftService, drafts, outside, shas } from './drafts.js';

const { answer, call, discussions, draft, list, publishAll } = draftService();

const noPosition = {
  base_sha: null, start_sha: null, head_sha: null, old_path: null, new_path: null, position_type: 'text', old_line: null, new_line: null, line_range: null,
};

const rejected = (json: object, as = 'developer') => answer('POST', drafts, { json, as });

const message = (field: string, text: string) => [400, { message: { [field]: [text] } }];

describe('a draft note', () => {
  it('is created with its keys, and shown to its author', async () => {
    const { status, body } = await call<DraftNote>('POST', drafts, { json: { note: 'first' } });
    expect([status, body]).toEqual([201, {
      id: 1, author_id: 4, merge_request_id: 50, resolve_discussion: false, discussion_id: null, note: 'first', commit_id: null,
      line_code: null, position: noPosition,
    }]);
    expect(Object.keys(body)).toEqual([
      'id', 'author_id', 'merge_request_id', 'resolve_discussion', 'discussion_id', 'note', 'commit_id', 'line_code', 'position',
    ]);
    expect(await list()).toEqual([body]);
    expect((await call('GET', `${drafts}/1`)).body).toEqual(body);
  });

  it('has a line code on the diff, and none outside it', async () => {
    expect((await draft({ note: 'on it', position: added })).line_code).toBe(lineCode('app.js', { oldLine: 3, newLine: 2 }));
    expect(await draft({ note: 'beside', position: outside })).toMatchObject({ line_code: null, position: { new_line: 400 } });
    const range = { start: { line_code: 'a_1_1', type: 'new' }, end: { line_code: 'a_1_2', type: 'new' } };
    expect((await draft({ note: 'range', position: { ...added, line_range: range } })).position).toMatchObject({ line_range: range });
    const image = { ...shas, position_type: 'image', old_path: 'pixel.png', new_path: 'pixel.png', width: 8, height: 8, x: 1, y: 2 };
    expect((await draft({ note: 'image', position: image })).position).toEqual(image);
    const file = { ...shas, position_type: 'file', old_path: 'app.js', new_path: 'app.js' };
    expect((await draft({ note: 'file', position: file })).position).toEqual(file);
  });

  it.each([
    ['a missing text', {}, [400, { error: 'note is missing' }]],
    ['a blank text', { note: ' ' }, message('note', 'can\'t be blank')],
    ['a long text', { note: 'x'.repeat(1_000_001) }, message('note', 'is too long (maximum is 1000000 characters)')],
    ['an unknown thread', { note: 'a', in_reply_to_discussion_id: 'f'.repeat(40) }, message('base', 'Thread to reply to cannot be found')],
    ['resolving without a thread', { note: 'a', resolve_discussion: true }, message('base', 'User is not allowed to resolve thread')],
    ['the position of another commit', { note: 'a', position: added, commit_id: refs.commit }, message('commit_id', 'does not match the diff refs')],
    ['a commit without a position', { note: 'a', commit_id: 'bad SHA' }, message('commit_id', 'does not match the diff refs')],
  ])('is rejected with %s', async (_, json, expected) => {
    expect(await rejected(json)).toEqual(expected);
    expect(await list()).toEqual([]);
  });

  it('is the only one of its author in a thread', async () => {
    const reply = { note: 'a', in_reply_to_discussion_id: threads.thread };
    await draft(reply);
    expect(await rejected(reply)).toEqual(message('author_id', 'has already been taken'));
    expect(await draft(reply, 'guest')).toMatchObject({ discussion_id: threads.thread });
  });

  it('cannot reply to a system note', async () => {
    const id = 'c'.repeat(40);
    const world = structuredClone(acme);
    world.projects![0]!.merge_requests![0]!.discussions!.push({ id, notes: [{ system: true, body: 'changed the title' }] });
    const other = await testService({ dialect: 'live', world });
    const { status, body } = await other.post(drafts, { json: { note: 'a', in_reply_to_discussion_id: id } });
    expect([status, body]).toEqual(message('base', 'Replies to system notes are not allowed'));
    await other.close();
  });

  it('resolves only where its author may', async () => {
    const json = { note: 'done', in_reply_to_discussion_id: threads.thread, resolve_discussion: true };
    expect(await rejected(json, 'guest')).toEqual(message('base', 'User is not allowed to resolve thread'));
    expect(await draft(json)).toMatchObject({ resolve_discussion: true });
  });

  it('is changed, and loses its position when none is sent', async () => {
    const { id } = await draft({ note: 'one', position: added });
    const { body } = await call<DraftNote>('PUT', `${drafts}/${id}`, { json: { note: 'two', position: { ...added, new_line: 1, old_line: 1 } } });
    expect(body).toMatchObject({ note: 'two', line_code: lineCode('app.js', { oldLine: 1, newLine: 1 }), position: { new_line: 1 } });
    expect((await call<DraftNote>('PUT', `${drafts}/${id}`, { json: { note: 'three' } })).body)
      .toMatchObject({ note: 'three', line_code: null, position: { new_line: null } });
    expect(await answer('PUT', `${drafts}/${id}`, { json: {} })).toEqual([400, { message: '400 Bad request - Missing params to modify' }]);
    expect(await answer('PUT', `${drafts}/${id}`, { json: { note: '' } })).toEqual([400, { error: 'note is empty' }]);
    expect(await list()).toMatchObject([{ note: 'three' }]);
  });

  it.each([
    ['that the server returned', noPosition], ['of blanks', { base_sha: '', start_sha: '', head_sha: '', position_type: 'text' }], ['without keys', {}],
    ['without a line', { ...shas, position_type: 'text', old_path: 'app.js', new_path: 'app.js' }],
  ])('has no position with one %s', async (_, position) => {
    const none = { line_code: null, position: noPosition };
    const { id, ...created } = await draft({ note: 'one', position });
    expect(created).toMatchObject({ note: 'one', ...none });
    await call('PUT', `${drafts}/${id}`, { json: { note: 'two', position: added } });
    const { status, body } = await call<DraftNote>('PUT', `${drafts}/${id}`, { json: { note: 'three', position } });
    expect([status, body]).toMatchObject([200, { note: 'three', ...none }]);
    expect(await rejected({ note: 'a', position, commit_id: refs.head })).toEqual(message('commit_id', 'does not match the diff refs'));
    expect(await publishAll()).toEqual([204, undefined]);
    expect((await discussions()).at(-1)).toMatchObject({ notes: [{ type: 'DiscussionNote', body: 'three' }] });
  });

  it('is deleted', async () => {
    const { id } = await draft({ note: 'one' });
    expect(await answer('DELETE', `${drafts}/${id}`)).toEqual([204, undefined]);
    expect(await answer('DELETE', `${drafts}/${id}`)).toEqual([404, { message: '404 Not found' }]);
    expect(await list()).toEqual([]);
  });
});

describe('the rights', () => {
  const locked = async () => {
    const world = structuredClone(acme);
    world.projects![0]!.visibility = 'public';
    world.projects![0]!.merge_requests![0]!.locked = true;
    return testService({ dialect: 'live', world });
  };

  it('are those of comments: 403 where the caller may not comment', async () => {
    const other = await locked();
    const asked = async (as: string) => (await other.post(drafts, { json: { note: 'a' }, as })).status;
    expect([await asked('outsider'), await asked('guest')]).toEqual([403, 201]);
    await other.close();
  });

  it('need a token that may write, and any token to read', async () => {
    const reader = { headers: { 'private-token': 'reader-token' } };
    expect((await call('POST', drafts, { json: { note: 'a' }, ...reader })).status).toBe(403);
    expect((await call('GET', drafts, reader)).status).toBe(200);
    expect((await call('GET', drafts, { as: null })).status).toBe(401);
  });
});
