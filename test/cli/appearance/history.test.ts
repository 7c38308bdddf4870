import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  editHistory, forgetChange, isInEffect, markUndone, readHistory, recordChange, recordedUpload, updateChange, withInstanceLock, type RecordedImage,
} from '../../../src/cli/appearance/history.js';
import { openAppearance, readLiveAppearance } from '../../../src/cli/appearance/live.js';
import type { AppearanceChanges } from '../../../src/cli/appearance/values.js';
import type { GlobalFlags } from '../../../src/cli/command-line/flags.js';
import { otherPng, png, sha256 } from '../../support/appearance.js';
import { testApp, type WorldOptions } from '../../support/app.js';
import { multipart } from '../../support/images.js';
import { written } from '../../support/written.js';

const root = { COLLOQUY_TOKEN: 'root-token' };
const logo = (comment: string) => ({ filename: `${comment}.png`, bytes: otherPng(comment), content_type: 'image/png' });

const opened = async (options: WorldOptions = {}, flags: GlobalFlags = {}) => {
  const state = options.state ?? new Map<string, Uint8Array>();
  const world = await testApp({ env: root, ...options, state });
  const { app, texts } = written(world.app);
  const service = await openAppearance(app, flags);
  const files = () => [...(state as Map<string, Uint8Array>).keys()].map((name) => name.replace(/[0-9a-f]{16}/, 'ID'));
  return {
    service, texts, files,
    record: async (changes: AppearanceChanges, undoes?: number) =>
      recordChange(service, { command: 'appearance set', ...(undoes !== undefined && { undoes }) }, await readLiveAppearance(service), changes),
    states: async () => (await readHistory(service)).map(({ number, state: one }) => `${number} ${one}`),
  };
};

describe('a recorded change', () => {
  it('has the values before and after it, and is sent until it is verified', async () => {
    const { service, record } = await opened();
    const change = (await record({ title: 'New', email_header_and_footer_enabled: true, logo: logo('a') }))!;
    expect(change).toEqual({ number: 1, time: '2024-05-01T12:00:00.000Z', command: 'appearance set', state: 'sent', fields: {
      title: { before: '', after: 'New' }, email_header_and_footer_enabled: { before: false, after: true },
      logo: { before: null, after: { sha256: sha256(otherPng('a')), filename: 'a.png', content_type: 'image/png' } },
    } });
    expect(await readHistory(service)).toEqual([change]);
    await updateChange(service, change, { state: 'done' });
    expect(await readHistory(service)).toEqual([{ ...change, state: 'done' }]);
    await forgetChange(service, change);
    expect(await readHistory(service)).toEqual([]);
  });

  it('has the former image with its bytes, or why it was not read', async () => {
    const broken: WorldOptions['answer'] = ({ target }) => target.startsWith('/uploads/') ? { status: 404, headers: {}, body: '' } : undefined;
    const { service } = await testApp();
    await service.put('/application/appearance', { as: 'root', ...multipart({ logo: ['old.png', png] }) });
    const readable = await opened({ service });
    const before = (await readable.record({ logo: logo('a') }))!.fields['logo']!.before as RecordedImage;
    expect(await recordedUpload(readable.service, before)).toMatchObject({ filename: 'old.png', content_type: 'image/png' });
    expect(Buffer.from((await recordedUpload(readable.service, before))!.bytes).equals(png)).toBe(true);
    const unread = await opened({ service, answer: broken });
    expect((await unread.record({ logo: logo('a') }))!.fields['logo']!.before).toEqual({ unread: expect.stringContaining('HTTP 404') as string });
  });

  it('is not recorded in the sandbox, or where the state folder is not writable', async () => {
    const sandbox = await opened({}, { sandbox: true });
    expect([await sandbox.record({ title: 'A' }), sandbox.files(), sandbox.texts.err]).toEqual([null, [], '']);
    const readOnly = await opened({ state: Object.assign(new Error('no'), { code: 'EROFS' }) });
    expect(await readOnly.record({ title: 'A' })).toBeNull();
    expect(readOnly.texts.err).toBe('cannot record this change, so `appearance undo` will not be possible: the disk is read-only\n');
  });
});

describe('the state of a change', () => {
  it('is undone, and done again if its undo is undone', async () => {
    const { service, record, states } = await opened();
    const [change, undo] = [(await record({ title: 'A' }))!, (await record({ title: '' }, 1))!];
    await markUndone(service, change, undo);
    expect(await states()).toEqual(['1 undone', '2 sent']);
    await updateChange(service, undo, { state: 'done' });
    const redo = (await record({ title: 'A' }, 2))!;
    await markUndone(service, undo, redo);
    expect(await states()).toEqual(['1 done', '2 undone', '3 sent']);
  });

  it('is that of the other change if an undo was killed before', async () => {
    const { service, record, states } = await opened();
    const change = (await record({ title: 'A' }))!;
    await record({ title: '' }, 1);
    const undo = (await record({ title: '' }, 1))!;
    await markUndone(service, change, undo);
    expect(await states()).toEqual(['1 undone', '3 sent']);
    const other = await opened();
    const killed = (await other.record({ title: 'A' }))!;
    await other.record({ title: '' }, 1);
    await markUndone(other.service, killed, null);
    expect(await other.states()).toEqual(['1 undone', '2 done']);
  });

  it('does not change in a new history that uses its number again', async () => {
    const { service, record, states } = await opened();
    const change = { ...(await record({ title: 'A' }))!, time: '2020-01-01T00:00:00.000Z' };
    await markUndone(service, change, null);
    await updateChange(service, change, { state: 'done' });
    await forgetChange(service, change);
    expect(await states()).toEqual(['1 sent']);
  });
});

describe('a history', () => {
  it('keeps the last ten changes in effect with their images, and the twenty others after the first of them', async () => {
    const { service, record, states, files } = await opened();
    for (let i = 1; i <= 12; i++) await record({ logo: logo(String(i)) });
    expect(await states()).toEqual(Array.from({ length: 10 }, (_, i) => `${i + 3} sent`));
    expect(files().filter((name) => name.includes('/images/'))).toHaveLength(10);
    for (let i = 0; i < 25; i++) await record({ title: String(i) }, 12);
    const all = await readHistory(service);
    expect([all.filter(isInEffect).length, all.length, all.at(-1)!.number]).toEqual([10, 30, 37]);
  });

  it('removes the images that no change has any more', async () => {
    const { service, record, files } = await opened();
    await record({ logo: logo('a') });
    await record({ header_logo: logo('a'), title: 'A' });
    expect(files()).toEqual([`appearance/ID/images/${sha256(otherPng('a'))}`, 'appearance/ID/changes.json']);
    await editHistory(service, (changes) => changes.slice(1));
    expect(files()).toHaveLength(2);
    await editHistory(service, () => []);
    expect(files()).toEqual(['appearance/ID/changes.json']);
  });

  it('is one for each instance', async () => {
    const state = new Map<string, Uint8Array>();
    await (await opened({ state })).record({ title: 'A' });
    const other = await opened({ state, env: { ...root, COLLOQUY_URL: 'http://other.test' } });
    expect(await other.states()).toEqual([]);
    const [name] = [...state.keys()];
    const text = String(Buffer.from(state.get(name!)!));
    state.set(name!, Buffer.from(text.replace('service.test', 'former\\u001b.test')));
    await expect((await opened({ state })).states()).rejects.toMatchObject({
      message: expect.stringMatching(/is of another service, http:\/\/former\\u001b\.test$/) as string, hint: 'remove the file to start a new history' });
  });

  it('returns no image whose file is missing or altered', async () => {
    const state = new Map<string, Uint8Array>();
    const { service, record } = await opened({ state });
    const image = (await record({ logo: logo('a') }))!.fields['logo']!.after as RecordedImage;
    const name = [...state.keys()].find((one) => one.includes('/images/'))!;
    state.set(name, Buffer.from('altered'));
    expect(await recordedUpload(service, image)).toBeNull();
    state.delete(name);
    expect(await recordedUpload(service, image)).toBeNull();
  });
});

it('a lock of an instance is not needed in the sandbox, in a dry run, or where it cannot be had', async () => {
  const readOnly = await opened({ state: new Error('EROFS') });
  for (const { service } of [await opened({}, { sandbox: true }), await opened({}, { dryRun: true }), readOnly, await opened()]) {
    expect(await withInstanceLock(service, async () => 5)).toBe(5);
  }
});

describe('a history that an earlier version wrote', () => {
  const folder = join(import.meta.dirname, '../../fixtures/histories');
  const url = 'http://127.0.0.1:18999';

  /** The service as that version left it: its last change was stored, and the program killed before it knew. */
  const found = async () => {
    const state = new Map(readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), new Uint8Array(readFileSync(path))];
    }));
    const world = await testApp({ state, env: { ...root, COLLOQUY_URL: url } });
    await world.service.put('/application/appearance', { as: 'root', json: { title: 'New', header_message: 'Killed' } });
    await world.service.put('/application/appearance', { as: 'root', ...multipart({ logo: ['b.png', otherPng('b')] }) });
    const appearance = async () =>
      (await world.service.get<{ title: string; header_message: string; logo: string }>('/application/appearance', { as: 'root' })).body;
    const logoBytes = async () => {
      const { body } = await world.service.handle({ method: 'GET', target: (await appearance()).logo, headers: {} });
      return Buffer.from(body);
    };
    return { ...world, appearance, logoBytes, undo: (...words: string[]) => world.run('appearance', 'undo', '--yes', ...words) };
  };

  it('is listed', async () => {
    const { run } = await found();
    expect((await run('appearance', 'undo', '--list', '--json=number,state,undoes')).out.replace(/\s/g, '')).toBe(JSON.stringify([
      { number: 4, state: 'sent', undoes: null }, { number: 3, state: 'undone', undoes: null },
      { number: 2, state: 'done', undoes: null }, { number: 1, state: 'done', undoes: null }]));
  });

  it('is undone change by change, also images and the change whose outcome was unknown', async () => {
    const { undo, appearance, logoBytes } = await found();
    expect(await undo()).toMatchObject({ code: 0, err: expect.stringContaining('header_message: "Killed" → (empty)') as string });
    expect(await undo()).toMatchObject({ code: 0 });
    expect([(await appearance()).title, (await logoBytes()).equals(png)]).toEqual(['Old', true]);
    expect(await undo()).toMatchObject({ code: 1, err: expect.stringContaining('logo was not set before') as string });
    expect(await appearance()).toMatchObject({ title: '', header_message: '' });
  });

  it('gets the next changes, with the numbers after its own', async () => {
    const { run, undo } = await found();
    expect((await run('appearance', 'set', '--title', 'Newest')).code).toBe(0);
    expect((await undo()).err).toContain('undid change 5 (appearance set, ');
  });
});
