import { describe, expect, it } from 'vitest';
import type { DraftNote } from '../../../../src/contract/lookups/draft-notes.js';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { openService } from '../../../../src/server/index.js';
import { childServers } from '../../hardening/child-server.js';
import { sampleOf } from '../../../support/extent.js';
import { newStore } from '../../../support/stores.js';
import { acme, threads } from '../../../support/worlds.js';
import { added, draftService, drafts, mergeRequest, outside } from './drafts.js';

const { answer, call, discussions, draft, list, publishAll, thread } = draftService();

describe('publishing', () => {
  it('makes a thread, a note on the diff and a reply of the drafts, in their order', async () => {
    const before = await discussions();
    await draft({ note: 'a thread <!-- marker -->' });
    await draft({ note: 'on the diff', position: added });
    await draft({ note: 'a reply', in_reply_to_discussion_id: threads.thread });
    expect(await publishAll()).toEqual([204, undefined]);
    expect(await list()).toEqual([]);
    const after = await discussions();
    const [general, diff] = after.slice(before.length);
    expect(general).toMatchObject({ individual_note: false, notes: [{ type: 'DiscussionNote', body: 'a thread <!-- marker -->', resolvable: true }] });
    expect(diff).toMatchObject({ notes: [{ type: 'DiffNote', body: 'on the diff', position: added, author: { username: 'developer' } }] });
    expect((await thread(threads.thread)).notes.map(({ body }) => body)).toEqual(['please explain', 'see below', 'a reply']);
    expect(after).toHaveLength(before.length + 2);
  });

  it('of one leaves the others', async () => {
    const { id } = await draft({ note: 'this' });
    await draft({ note: 'not this' });
    expect(await answer('PUT', `${drafts}/${id}/publish`)).toEqual([204, undefined]);
    expect(await list()).toMatchObject([{ note: 'not this' }]);
    expect(await answer('PUT', `${drafts}/${id}/publish`)).toEqual([404, { message: '404 Not found' }]);
    expect((await discussions()).at(-1)).toMatchObject({ notes: [{ body: 'this' }] });
  });

  it('of none succeeds', async () => {
    expect(await publishAll()).toEqual([204, undefined]);
  });

  it('leaves the drafts of others', async () => {
    await draft({ note: 'of the guest' }, 'guest');
    await draft({ note: 'mine' });
    await publishAll();
    expect(await list('guest')).toMatchObject([{ note: 'of the guest' }]);
  });

  it('resolves the thread where asked, and unresolves it otherwise', async () => {
    await draft({ note: 'done', in_reply_to_discussion_id: threads.thread, resolve_discussion: true });
    await draft({ note: 'not yet', in_reply_to_discussion_id: threads.resolved });
    await publishAll();
    const resolved = async (id: string) => (await thread(id)).notes.map((note) => note.resolved);
    expect(await resolved(threads.thread)).toEqual([true, true, true]);
    expect(await resolved(threads.resolved)).toEqual([false, false]);
  });

  it('runs quick actions, and creates no note of them alone', async () => {
    const before = await discussions();
    await draft({ note: 'Text.\n/title New' });
    await draft({ note: '/close' });
    expect(await publishAll()).toEqual([204, undefined]);
    const [text, ...systemNotes] = (await discussions()).slice(before.length);
    expect(text).toMatchObject({ notes: [{ body: 'Text.' }] });
    expect(systemNotes).toMatchObject([
      { notes: [{ system: true, body: 'changed title from **{-Change-}** to **{+New+}**' }] }, { notes: [{ system: true, body: 'closed' }] },
    ]);
    expect((await call('GET', mergeRequest)).body).toMatchObject({ state: 'closed', title: 'New' });
    expect(await list()).toEqual([]);
  });

  it('converts a single comment that a draft replies to', async () => {
    const { body: comment } = await call<Note>('POST', `${mergeRequest}/notes`, { json: { body: 'alone' } });
    const { id } = (await discussions()).find(({ notes }) => notes[0]!.id === comment.id)!;
    await draft({ note: 'together', in_reply_to_discussion_id: id });
    await publishAll();
    expect(await thread(id)).toMatchObject({ individual_note: false, notes: [{ body: 'alone' }, { body: 'together' }] });
  });

  it('that fails is 500 with a message for all, and without a body for one, and nothing of it is stored', async () => {
    const before = await discussions();
    await draft({ note: 'fine' });
    await draft({ note: '/spend 1d\nwith a system note' });
    await draft({ note: 'outside the diff', position: outside });
    const failed = await call('POST', `${drafts}/bulk_publish`);
    expect([failed.status, failed.body]).toEqual([500, { message: expect.stringMatching(/^Unable to save Note: /) }]);
    expect(await discussions()).toEqual(before);
    expect((await list()).map(({ note }) => note)).toEqual(['fine', '/spend 1d\nwith a system note', 'outside the diff']);
    expect(await answer('PUT', `${drafts}/3/publish`)).toEqual([500, undefined]);
    await call('DELETE', `${drafts}/3`);
    expect(await publishAll()).toEqual([204, undefined]);
    expect((await discussions()).flatMap(({ notes }) => notes.map(({ body }) => body))).toEqual(expect.arrayContaining(['fine', 'with a system note']));
  });

  it('fails when the thread is gone', async () => {
    const { body } = await call<Discussion>('POST', `${mergeRequest}/discussions`, { json: { body: 'soon gone' } });
    await draft({ note: 'too late', in_reply_to_discussion_id: body.id });
    await call('DELETE', `${mergeRequest}/discussions/${body.id}/notes/${body.notes[0]!.id}`);
    expect(await publishAll()).toEqual([500, { message: 'Unable to save Note: Thread is not found' }]);
    expect(await list()).toMatchObject([{ note: 'too late' }]);
  });
});

const place = '/api/v4/projects/20/merge_requests/1';
const headers = { 'private-token': 'developer-token', 'content-type': 'application/json', host: 'localhost' };
const texts = Array.from({ length: 20 }, (_, i) => `draft ${i}`);

it('publishes each draft once when two servers on one store publish all at once', async () => {
  const data = await newStore();
  const open = () => openService({ world: acme, data, dialect: 'live' });
  const services = [await open(), await open()];
  const call = async (which: number, method: string, path: string, body?: object) => {
    const sent = { method, target: place + path, headers, ...body && { body: JSON.stringify(body) } };
    const { status, body: text } = await services[which % 2]!.handle(sent);
    return { status, json: JSON.parse(String(text) || 'null') as unknown };
  };
  for (const [i, note] of texts.entries()) expect((await call(i, 'POST', '/draft_notes', { note })).status).toBe(201);
  const results = await Promise.all(Array.from({ length: 6 }, (_, i) => call(i, 'POST', '/draft_notes/bulk_publish')));
  expect(results.map(({ status }) => status)).toEqual(results.map(() => 204));
  for (const which of [0, 1]) {
    const { json } = await call(which, 'GET', '/discussions?per_page=100');
    const bodies = (json as Discussion[]).map(({ notes }) => notes[0]!.body).filter((body) => body.startsWith('draft'));
    expect(bodies.sort()).toEqual([...texts].sort());
    expect((await call(which, 'GET', '/draft_notes')).json).toEqual([]);
  }
  for (const service of services) await service.close();
});

const serve = childServers();

/** Kills after so many milliseconds, before, during or after the transaction. */
const moments = sampleOf([2, 0, 5, 13], 3);

it('publishes all drafts or none when the server is killed at the same time', async () => {
  const data = await newStore();
  for (const moment of moments) {
    const { url, kill } = await serve('', data, 'live');
    const ask = (method: string, path: string, body?: object) =>
      fetch(url + place + path, { method, headers, ...body && { body: JSON.stringify(body) } });
    const read = async <T>(path: string) => await (await ask('GET', path)).json() as T;
    const waiting = await read<DraftNote[]>('/draft_notes');
    const made = texts.slice(waiting.length).map((text) => `${moment} ${text}`);
    for (const note of made) await ask('POST', '/draft_notes', { note });
    const before = (await ask('GET', '/notes?per_page=1')).headers.get('x-total');
    const published = ask('POST', '/draft_notes/bulk_publish').then(({ status }) => status, () => null);
    await new Promise((resolve) => { setTimeout(resolve, moment); });
    await kill();
    const status = await published;

    const again = await serve('', data, 'live');
    const get = (path: string) => fetch(again.url + place + path, { headers });
    const left = (await (await get('/draft_notes')).json() as DraftNote[]).length;
    const count = Number((await get('/notes?per_page=1')).headers.get('x-total')) - Number(before);
    expect([[0, texts.length], [texts.length, 0]]).toContainEqual([left, count]);
    expect(status === 204 ? left : 0).toBe(0);
    await again.kill();
  }
}, 120_000);
