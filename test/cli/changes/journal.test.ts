import { describe, expect, it } from 'vitest';
import { noJournal, openJournal } from '../../../src/cli/changes/journal.js';
import { testApp, type WorldOptions } from '../../support/app.js';

interface Head { readonly version: 1; readonly file: string }
type Entry = { readonly type: string };

const isHead = (value: unknown): value is Head => (value as Partial<Head> | null)?.version === 1;
const isEntry = (value: unknown): value is Entry => typeof (value as Partial<Entry>).type === 'string';
const hint = 'check the object, then remove that file';

const opened = async (state: NonNullable<WorldOptions['state']> = new Map<string, Uint8Array>(), ...key: string[]) => {
  const { app } = await testApp({ state });
  return openJournal<Head, Entry>(app, { area: 'things', key, isHead, isEntry, hint });
};
const files = (state: Map<string, Uint8Array>) => [...state.values()].map((file) => String(Buffer.from(file)));

describe('a journal', () => {
  it('has its head and entries in their order, and a new run replaces the last one', async () => {
    const state = new Map<string, Uint8Array>();
    const journal = await opened(state);
    expect(await journal.read()).toBeNull();
    await journal.begin({ version: 1, file: 'a\nb' });
    await journal.add({ type: 'start' });
    await journal.add({ type: 'end' });
    expect(await (await opened(state)).read()).toEqual({ head: { version: 1, file: 'a\nb' }, entries: [{ type: 'start' }, { type: 'end' }] });
    await journal.begin({ version: 1, file: 'c' });
    expect(await journal.read()).toEqual({ head: { version: 1, file: 'c' }, entries: [] });
    await journal.remove();
    expect([await journal.read(), state.size]).toEqual([null, 0]);
  });

  it('is one for each object', async () => {
    const state = new Map<string, Uint8Array>();
    const keys = [['a', 'b'], ['ab'], ['a,b'], ['a']];
    for (const key of keys) await (await opened(state, ...key)).begin({ version: 1, file: key.join(' ') });
    expect([...state.keys()].every((name) => /^things\/[0-9a-f]{16}\/run\.ndjson$/.test(name))).toBe(true);
    expect(state.size).toBe(keys.length);
    expect(await (await opened(state, 'a', 'b')).read()).toMatchObject({ head: { file: 'a b' } });
  });

  it('loses only the line that was cut off when a run was killed', async () => {
    const state = new Map<string, Uint8Array>();
    const journal = await opened(state);
    await journal.begin({ version: 1, file: 'a' });
    for (const type of ['start', 'done']) await journal.add({ type });
    const [[name, whole]] = [...state] as [[string, Uint8Array]];
    for (let length = whole.length - 1; length > whole.length - '{"type":"done"}'.length; length--) {
      state.set(name, whole.slice(0, length));
      await journal.add({ type: 'next' });
      expect((await journal.read())!.entries).toEqual([{ type: 'start' }, { type: 'next' }]);
    }
  });

  it.each([
    '', '{', 'null', '{"version":2}', '[1]\n{"type":"start"}', '{"version":1}\n5',
  ])('is refused if it is of another program or version: %j', async (text) => {
    const state = new Map<string, Uint8Array>();
    const journal = await opened(state);
    await journal.begin({ version: 1, file: 'a' });
    state.set([...state.keys()][0]!, Buffer.from(text));
    await expect(journal.read()).rejects.toMatchObject({ message: `${journal.path} is not a journal of this version`, hint });
    expect(files(state)).toEqual([text]);
  });

  it('that cannot be written is an error before anything is sent', async () => {
    const journal = await opened(Object.assign(new Error('read-only'), { code: 'EROFS' }));
    const error = { code: 'failure', message: `cannot write the journal ${journal.path}: the disk is read-only`,
      hint: 'set XDG_STATE_HOME to a writable folder' };
    await expect(journal.begin({ version: 1, file: 'a' })).rejects.toMatchObject(error);
    await expect(journal.add({ type: 'start' })).rejects.toMatchObject(error);
    let isRun = false;
    await expect(journal.locked(async () => { isRun = true; })).rejects.toMatchObject(error);
    expect(isRun).toBe(false);
  });

  it('returns the result of the work that needs it alone', async () => {
    expect(await (await opened()).locked(async () => 5)).toBe(5);
  });
});

it('no journal keeps nothing, and works', async () => {
  await noJournal.begin();
  await noJournal.add();
  expect([await noJournal.read(), await noJournal.locked(async () => 5)]).toEqual([null, 5]);
});
