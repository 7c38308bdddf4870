import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Note } from '../../../src/contract/shapes/note.js';
import { ApiError } from '../../../src/client/errors.js';
import { markSeen, newsIn, readSeen } from '../../../src/cli/notes/seen.js';
import type { Target } from '../../../src/cli/service/targets/target.js';
import { stateFiles } from '../../../src/cli/state/folders.js';
import { testApp } from '../../support/app.js';

const place = { base: 'http://service.test/', user: 4, container: 'acme/app', name: 'mr/1' };
const note = (id: number) => ({ id });

it('all notes are new before the first look, and later ones after it', async () => {
  const { app } = await testApp();
  expect((await readSeen(app, place))(note(1))).toBe(true);
  await markSeen(app, {}, place, [note(7), note(5)]);
  const isNew = await readSeen(app, place);
  expect([5, 7, 8].map((id) => isNew(note(id)))).toEqual([false, false, true]);
});

it('a mark never moves back, even with two processes at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-seen-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const app = { ...(await testApp()).app, state: stateFiles(() => folder) };
  await Promise.all([markSeen(app, {}, place, [note(7)]), markSeen(app, {}, place, [note(5)])]);
  await markSeen(app, {}, place, []);
  expect((await readSeen(app, place))(note(7))).toBe(false);
});

it.each(Object.entries({ base: 'http://other.test/', user: 5, container: 'acme/site', name: 'mr/2' }))(
  'another %s has marks of its own', async (key, value) => {
    const { app } = await testApp();
    await markSeen(app, {}, place, [note(7)]);
    expect((await readSeen(app, { ...place, [key]: value }))(note(7))).toBe(true);
  });

it('a damaged file counts as missing', async () => {
  const { app, state } = await testApp();
  await markSeen(app, {}, place, [note(7)]);
  const files = state as Map<string, Uint8Array>;
  for (const name of files.keys()) files.set(name, Buffer.from('{'));
  expect((await readSeen(app, place))(note(7))).toBe(true);
});

it('notes of the owner of the token are not new after a look', async () => {
  const { app } = await testApp();
  await markSeen(app, {}, place, [note(7)]);
  const user = async () => ({ id: place.user, username: 'ada' });
  const target = { client: { lookups: { user } }, base: place.base, path: { id: place.container }, name: place.name } as unknown as Target;
  const isNew = newsIn(app, target);
  const from = (...authors: number[]) => isNew({ notes: authors.map((id, i) => ({ id: 8 + i, system: false, author: { id } } as Note)) });
  expect([await from(place.user), await from(place.user, 5), await from(5, place.user)]).toEqual([false, true, true]);
});

it('notes of the owner of the token are not new before a look either, unless the service does not report the owner', async () => {
  const { app } = await testApp();
  const newsFor = async (user: () => Promise<unknown>) => {
    const target = { client: { lookups: { user } }, base: place.base, path: { id: place.container }, name: place.name } as unknown as Target;
    const isNew = newsIn(app, target);
    return Promise.all([place.user, 5].map((id) => isNew({ notes: [{ id: 8, system: false, author: { id } } as Note] })));
  };
  let asked = 0;
  expect(await newsFor(async () => {
    asked++;
    return { id: place.user, username: 'ada' };
  })).toEqual([false, true]);
  expect(asked).toBe(1);
  const refused = (status: number) => async () => {
    throw new ApiError(status, 'no', 'GET /user', { message: 'no' }, {});
  };
  for (const status of [401, 403, 404]) expect(await newsFor(refused(status))).toEqual([true, true]);
  await expect(newsFor(refused(500))).rejects.toMatchObject({ status: 500 });
});
