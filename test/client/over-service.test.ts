import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.js';
import type { Client } from '../../src/client/methods.js';
import type { Dialect } from '../../src/contract/endpoint.js';
import type { NoteableKind } from '../../src/contract/conventions.js';
import type { PositionInput } from '../../src/contract/shapes/position.js';
import { startServer } from '../../src/server/index.js';
import type { Encoding } from '../../src/wire/encode.js';
import { checkAnswer } from '../support/check-answer.js';
import { everyRow } from '../support/rows.js';
import { images } from '../support/images.js';
import { testService } from '../support/service.js';
import { endWithTest } from '../support/stores.js';
import { acme, refs, threads } from '../support/worlds.js';
import { ways } from './support/ways.js';

const dialects: Dialect[] = ['document', 'live'];
const encodings: Encoding[] = ['json', 'form', 'query'];

/** A client over the test server in memory; every response is checked against the contract. */
const clientAs = async (user: string, dialect: Dialect = 'document', encoding: Encoding = 'json'): Promise<Client> => {
  const service = await testService({ dialect });
  return createClient({
    url: 'http://service.test', token: `${user}-token`, transport: (request) => service.handle(request), encoding,
    check: (endpoint, answer) => checkAnswer(endpoint, answer, dialect),
  });
};

const parents: readonly [NoteableKind, { id: string; noteable_id: string }][] = [
  ['issue', { id: 'acme/app', noteable_id: '1' }],
  ['snippet', { id: 'acme/app', noteable_id: '40' }],
  ['epic', { id: 'acme', noteable_id: '500' }],
  ['merge_request', { id: 'acme/app', noteable_id: '1' }],
  ['commit', { id: 'acme/app', noteable_id: refs.commit }],
];

describe.each(dialects)('in the %s dialect', (dialect) => {
  test.each(parents)('a thread on one %s is created, changed and deleted', async (kind, parent) => {
    const client = (await clientAs('developer', dialect)).discussions[kind];
    const thread = await client.create({ ...parent, body: 'first' });
    const at = { ...parent, discussion_id: thread.id };
    const reply = await client.addNote({ ...at, body: 'second' });
    await client.modifyNote({ ...at, note_id: reply.id, body: 'changed' });
    expect((await client.get(at)).notes.map((note) => note.body)).toEqual(['first', 'changed']);
    expect((await client.list(parent).all()).map((each) => each.id)).toContain(thread.id);
    for (const note of [thread.notes[0], reply]) await client.deleteNote({ ...at, note_id: note.id });
    expect((await client.list(parent).all()).map((each) => each.id)).not.toContain(thread.id);
  });

  test.each(encodings)('a thread on a line of a diff is started and resolved, sent as %s', async (encoding) => {
    const client = (await clientAs('developer', dialect, encoding)).discussions.merge_request;
    const parent = { id: 'acme/app', noteable_id: 1 };
    const position = {
      base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text' as const,
      old_path: 'app.js', new_path: 'app.js', new_line: 2,
    };
    const thread = await client.create({ ...parent, body: 'why?', position });
    expect(thread.notes[0]).toMatchObject({ type: 'DiffNote', position });
    const resolved = await client.resolve({ ...parent, discussion_id: thread.id, resolved: true });
    expect(resolved.notes[0]).toMatchObject({ resolved: true, resolved_by: { username: 'developer' } });
    const note = { ...parent, discussion_id: thread.id, note_id: thread.notes[0].id };
    expect(await client.modifyNote({ ...note, resolved: false })).toMatchObject({ resolved: false });
  });

  test('the edit of a draft keeps its position unless one is given', async () => {
    const path = { id: 'acme/app', noteable_id: 1 };
    const at = { base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, old_path: 'app.js', new_path: 'app.js' };
    const line = { ...at, position_type: 'text', new_line: 2 } as const;
    const end = { type: 'new', new_line: 2 };
    const range = { ...line, line_range: { start: end, end } };
    const pixel = { old_path: 'pixel.png', new_path: 'pixel.png', width: 1, height: 1, x: 0, y: 0 };
    const positions: readonly (PositionInput | undefined)[] = [
      line, range, { ...at, position_type: 'file' }, { ...at, position_type: 'image', ...pixel }, undefined,
    ];
    const rows = positions.flatMap((position) => encodings.map((encoding) => ({ position, encoding })));
    await everyRow(rows, ({ position, encoding }) => `${position?.position_type ?? 'none'} as ${encoding}`, async ({ position, encoding }) => {
      const { draftNotes } = await clientAs('developer', dialect, encoding);
      const draft = await draftNotes.create({ ...path, note: 'one', position });
      const one = { ...path, draft_note_id: draft.id };
      for (const given of [{}, { position: undefined }]) {
        expect(await draftNotes.modify({ ...one, note: 'two', ...given })).toEqual({ ...draft, note: 'two' });
      }
      expect(await draftNotes.modify({ ...one, note: 'three', position: { ...line, new_line: 1, old_line: 1 } }))
        .toMatchObject({ note: 'three', position: { new_line: 1 } });
      expect(await draftNotes.modify({ ...one, note: 'four', position: null })).toMatchObject({ position: { new_path: null } });
    });
  });

  test('an epic gets children, which are reordered and removed', async () => {
    const { epics } = await clientAs('owner', dialect);
    const parent = { id: 'acme', iid: 1 };
    const first = await epics.create({ ...parent, title: 'First', confidential: false });
    await epics.assign({ ...parent, child_epic_id: 501 });
    const ordered = await epics.reorder({ ...parent, child_epic_id: 501, move_before_id: first.id });
    expect(ordered.map((epic) => epic.id)).toEqual([first.id, 501]);
    expect(await epics.list(parent).all()).toEqual(ordered);
    expect(await epics.unassign({ ...parent, child_epic_id: 501 })).toMatchObject({ id: 501, parent_id: null });
  });

  test('the appearance is fetched and changed, with texts and with a logo', async () => {
    const { appearance } = await clientAs('root', dialect);
    await appearance.set({ title: 'T', email_header_and_footer_enabled: true });
    await appearance.set({ logo: { filename: 'logo.png', bytes: images.png } });
    expect(await appearance.get({})).toMatchObject({
      title: 'T', email_header_and_footer_enabled: true, logo: expect.stringContaining('logo.png') as string,
    });
  });
});

test('the edit of a draft keeps its position over both HTTP stacks', async () => {
  const server = await startServer({ world: acme });
  endWithTest(server.close);
  await everyRow(ways, String, async (http) => {
    const { draftNotes } = createClient({ url: server.url, token: 'developer-token', http });
    const draft = await draftNotes.create({ id: 'acme/app', noteable_id: 1, note: 'one', position: {
      base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text', new_path: 'app.js', new_line: 2,
    } });
    const edited = await draftNotes.modify({ id: 'acme/app', noteable_id: 1, draft_note_id: draft.id, note: 'two' });
    expect(edited).toEqual({ ...draft, note: 'two' });
  });
});

test('the pages of a list are in order, whatever their size', async () => {
  const client = (await clientAs('developer')).discussions.merge_request;
  const ids = async (per_page: number) => (await client.list({ id: 'acme/app', noteable_id: 1, per_page }).all()).map(({ id }) => id);
  expect(await ids(100)).toEqual([threads.thread, threads.resolved, threads.diff]);
  for (const size of [1, 2, 3]) expect(await ids(size)).toEqual(await ids(100));
});

test.each([
  ['outsider', 404, '404 Project Not Found'], ['nobody', 401, '401 Unauthorized'],
])('an error for %s has the message of the service', async (user, status, words) => {
  const call = (await clientAs(user)).discussions.issue.create({ id: 'acme/app', noteable_id: 1, body: 'a' });
  await expect(call).rejects.toMatchObject({ name: 'ApiError', status, serverMessage: words });
});
