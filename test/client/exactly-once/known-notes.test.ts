import { expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { realTime } from '../../../src/wire/time.js';
import { noteables, type NoteableKind } from '../../../src/contract/conventions.js';
import type { Transport } from '../../../src/wire/http.js';
import { readMarker } from '../../../src/wire/note-text.js';
import { memoryHeld } from '../../support/memory.js';
import { refs } from '../../support/worlds.js';
import { json } from '../support/scripted.js';
import { now, unreliable } from '../support/unreliable.js';

const paths: Readonly<Record<NoteableKind, { id: string; noteable_id: string }>> = {
  issue: { id: 'acme/app', noteable_id: '1' }, snippet: { id: 'acme/app', noteable_id: '40' },
  epic: { id: 'acme', noteable_id: '500' }, merge_request: { id: 'acme/app', noteable_id: '1' },
  commit: { id: 'acme/app', noteable_id: refs.commit },
};
const kinds = Object.keys(noteables) as NoteableKind[];

it.each(kinds)('the marked notes are found on any page of one %s', async (kind) => {
  const world = await unreliable();
  const { client } = world.clientAs('developer');
  const create = (body: string, key?: string) => client.discussions[kind].create({ ...paths[kind], body }, { key });
  const { notes: [first] } = await create('one', 'lint');
  for (let i = 0; i < 120; i++) await create(`note ${i}`);
  await create('two', 'test');
  const { notes } = await client.markedNotes({ kind, path: paths[kind] });
  expect(notes.filter(({ marker }) => marker['key'] === 'lint')).toMatchObject([{ note: first, text: 'one' }]);
  expect(notes.map(({ text }) => text)).toEqual(['one', 'two']);
});

it('only the notes of the user and of the given authors are found', async () => {
  const world = await unreliable();
  const notes = [];
  for (const user of ['developer', 'maintainer', 'guest', 'developer']) {
    const { client } = world.clientAs(user);
    notes.push(await client.notes.issue.create({ ...paths.issue, body: `of ${user}\n\n<!-- colloquy:key=lint -->` }));
  }
  const { client } = world.clientAs('developer');
  const ids = async (authors?: string[]) =>
    (await client.markedNotes({ kind: 'issue', path: paths.issue }, authors)).notes.map(({ note }) => note.id);
  expect(await ids()).toEqual([notes[0]!.id, notes[3]!.id]);
  expect(await ids(['maintainer'])).toEqual([notes[0]!.id, notes[1]!.id, notes[3]!.id]);
});

it('a note whose id another one has, after the service was restored, is created again', async () => {
  const world = await unreliable();
  const { client } = world.clientAs('developer');
  const create = () => client.notes.issue.create({ ...paths.issue, body: 'One.' }, { key: 'lint' });
  const first = await create();
  await world.service.service.reset();
  const other = await client.notes.issue.create({ ...paths.issue, body: 'Another.' });
  expect(other.id).toBe(first.id);
  const again = await create();
  expect(await client.notes.issue.get({ ...paths.issue, note_id: again.id })).toEqual(again);
});

it('a note that no replica shows yet is not created again', async () => {
  const world = await unreliable();
  const lagging: Transport = async (request) => {
    const response = await world.send(request);
    if (request.method === 'POST' || request.target.endsWith('/user')) return response;
    return request.target.includes('?') ? json(200, []) : json(404, {});
  };
  const { client } = world.clientAs('developer', {}, lagging);
  const create = () => client.notes.issue.create({ ...paths.issue, body: 'One.' }, { key: 'lint' });
  expect((await create()).id).toBe((await create()).id);
  expect(world.posts()).toBe(1);
});

/** A service that keeps no notes. @param avatar_url of their author */
const forgetful = (avatar_url = ''): Transport => {
  let id = 0;
  return async ({ body }) => json(201, {
    id: ++id, type: null, system: false, created_at: '2024-05-01T09:00:00Z', updated_at: '2024-05-01T09:00:00Z', noteable_id: 1,
    noteable_type: 'Issue', body: (JSON.parse(String(body)) as { body: string }).body, resolvable: false,
    author: { id: 1, username: 'ada', name: 'Ada', state: 'active', avatar_url, web_url: '' },
  });
};

const service = { url: 'http://service.test', token: 'abc' };

it.each(['marker', 'text'] as const)('a client keeps no note that a later call cannot look for, with once: %s', async (once) => {
  const { notes } = createClient({ ...service, once, transport: forgetful('x'.repeat(100_000)) });
  const create = (i: number) => notes.issue.create({ ...paths.issue, body: `note ${i}` });
  await create(0);
  const before = memoryHeld().heap;
  for (let i = 1; i <= 200; i++) await create(i);
  expect(memoryHeld().heap - before).toBeLessThan(5_000_000);
});

it('no two calls have the same id, of one client or of many that begin at the same time', async () => {
  const time = { ...realTime, now: () => Date.parse(now) };
  const clients = Array.from({ length: 50 }, () => createClient({ ...service, once: 'marker', time, transport: forgetful() }));
  const created = await Promise.all(clients.flatMap(({ notes }) =>
    Array.from({ length: 40 }, () => notes.issue.create({ ...paths.issue, body: 'Done.' }))));
  const ids = created.map(({ body }) => readMarker(body).marker?.['id']);
  expect(new Set(ids).size).toBe(2_000);
  expect(ids).not.toContain(undefined);
});
