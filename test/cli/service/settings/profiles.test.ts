import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noProfiles, withProfile, configFolder, profileStore } from '../../../../src/cli/service/settings/profiles.js';
import { testApp } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';

const profiles = withProfile(
  withProfile(noProfiles, 'default', { url: 'https://a.example', token: 'secret', project: 'acme/app' }), 'work', { group: 'acme' });

it.each([
  [['config', 'set', 'project', 'acme/other'], 'would set project in profile default'],
  [['config', 'set', 'url', 'https://b.example'], 'would set url in profile default'],
  [['config', 'unset', 'project'], 'would remove project from profile default'],
  [['auth', 'logout'], 'would remove the token from profile default'],
  [['auth', 'switch', 'work'], 'would switch to profile work'],
])('%j with --dry-run prints what it would do and stores nothing', async (words, told) => {
  const world = await testApp({ profiles });
  expect(await world.run(...words, '--dry-run'))
    .toMatchObject({ code: 0, out: '', err: `${told}; nothing is stored with --dry-run\n`, sent: [] });
  expect(world.profiles()).toEqual(profiles);
});

let folder: string;
beforeEach(async () => { folder = join(await mkdtemp(join(tmpdir(), 'colloquy-test-')), 'config', 'colloquy'); });
afterEach(() => rm(join(folder, '..', '..'), { recursive: true }));

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('the profile file', () => {
  it('is read back as it was written', async () => {
    const store = profileStore(folder);
    expect(await store.read()).toEqual(noProfiles);
    const profiles = withProfile(noProfiles, 'a.b', { url: 'https://a.example', token: 't', 'ca-cert': '/ca.pem' });
    await store.change(() => profiles);
    expect(await store.read()).toEqual(profiles);
    await store.change(() => withProfile(profiles, 'a.b', { token: undefined }));
    expect(await readFile(store.path, 'utf8')).not.toContain('token');
  });

  it('is readable by its owner only, and so is its folder', async () => {
    const store = profileStore(folder);
    await store.change(() => withProfile(noProfiles, 'default', { token: 't' }));
    expect([await mode(folder), await mode(store.path)]).toEqual(['700', '600']);
  });

  it('does not change the mode of an existing folder', async () => {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o755);
    const store = profileStore(folder);
    await store.change(() => withProfile(noProfiles, 'default', { token: 't' }));
    expect([await mode(folder), await mode(store.path)]).toEqual(['755', '600']);
  });

  it('is exposed if others can read it and search its folder', async () => {
    const store = profileStore(folder);
    await store.change(() => noProfiles);
    const rows = [[0o644, 0o755, true], [0o640, 0o750, true], [0o644, 0o700, false], [0o640, 0o701, false], [0o600, 0o755, false]] as const;
    await everyRow(rows, ([file, own]) => `${file.toString(8)} in ${own.toString(8)}`, async ([file, own, isExposed]) => {
      await chmod(store.path, file);
      await chmod(folder, own);
      expect(store.isExposed()).toBe(isExposed);
    });
  });

  it('that is not JSON causes an error with the place and is not overwritten', async () => {
    const store = profileStore(folder);
    await store.change(() => noProfiles);
    await everyRow([
      ['{ "profiles": ', 1, 15], ['', 1, 1], ['{\n  "current": x\n}', 2, 14], ['{\n  "current": "a",\n}', 3, 1], ['{}}', 1, 3],
    ] as const, ([text]) => text, async ([text, line, column]) => {
      await writeFile(store.path, text);
      await expect(store.read()).rejects.toMatchObject({
        code: 'failure', message: `${store.path} is not JSON: line ${line}, column ${column}`, hint: 'fix or remove it' });
    });
  });

  it('with unknown keys is read, and the keys are named once on stderr and by doctor', async () => {
    const store = profileStore(folder);
    await store.change(() => noProfiles);
    const good = { url: 'http://service.test', token: 't' };
    await writeFile(store.path, JSON.stringify({ profiles: { default: { ...good, projct: 'a/b' } }, profils: {}, group: 'a', zzzzzz: 1 }));
    const profiles = await store.read();
    const at = store.path;
    const lines = [`unknown key profils in ${at}: did you mean profiles?`, `unknown key group in ${at}: move it into a profile`,
      `unknown key zzzzzz in ${at}: use one of: current, profiles`, `unknown key projct in profile default of ${at}: did you mean project?`];
    const world = await testApp({ profiles });
    expect(await world.run('notes', 'list', '!1', '-o', 'id')).toMatchObject({ code: 0, err: `${lines.join('\n')}\n` });
    expect(await world.run('config', 'get', 'url')).toMatchObject({ code: 0, err: `${lines.join('\n')}\n` });
    expect(await world.run('notes', 'list', '!1', '-o', 'id', '--quiet')).toMatchObject({ code: 0, err: '' });
    const { code, out } = await world.run('doctor', '--json', '--quiet');
    expect(code).toBe(1);
    expect((JSON.parse(out) as { check: string }[]).filter(({ check }) => check === 'profile file')).toHaveLength(4);
    await store.change((all) => withProfile(all, 'work', good));
    expect(await readFile(store.path, 'utf8')).not.toContain('unknown');
  });

  it.each([
    ['null', 'expected an object of profiles'], ['[]', 'expected an object of profiles'], ['3', 'expected an object of profiles'],
    ['{"current":1}', 'current is not a string'],
    ['{"profiles":null}', 'expected an object of profiles'], ['{"profiles":{"a":null}}', 'profile a is not an object'],
    ['{"profiles":{"a":"b"}}', 'profile a is not an object'],
    ['{"profiles":{"a":{"url":5}}}', 'url of profile a is not a string'], ['{"profiles":{"a":{"timeout":30}}}', 'timeout of profile a is not a string'],
    ['{"profiles":{"a":{"keyring":"yes"}}}', 'keyring of profile a is not true or false'],
  ])('that holds %s is reported with the reason', async (text, wrong) => {
    const store = profileStore(folder);
    await store.change(() => noProfiles);
    await writeFile(store.path, text);
    await expect(store.read()).rejects.toMatchObject({
      code: 'failure', message: `${store.path} is not a valid profile file: ${wrong}`, hint: 'fix or remove it' });
  });

  it('can be an empty object', async () => {
    const store = profileStore(folder);
    await store.change(() => noProfiles);
    await writeFile(store.path, '{}');
    expect(await store.read()).toEqual(noProfiles);
  });

  it('that cannot be created causes an error that suggests another folder', async () => {
    const store = profileStore(join('/dev/null', 'colloquy'));
    expect(await store.read()).toEqual(noProfiles);
    await expect(store.change(() => noProfiles)).rejects.toMatchObject({
      code: 'failure', message: 'cannot write profiles to /dev/null/colloquy: no such folder',
      hint: expect.stringContaining('COLLOQUY_CONFIG_DIR') as string,
    });
  });

  it('that cannot be read causes an error with a hint', async () => {
    const store = profileStore(folder);
    await mkdir(store.path, { recursive: true });
    await expect(store.read()).rejects.toMatchObject({
      code: 'failure', message: `cannot read ${store.path}: it is a folder`,
      hint: expect.stringContaining('COLLOQUY_CONFIG_DIR') as string,
    });
  });
});

describe('the configuration folder', () => {
  it.each([
    [{ COLLOQUY_CONFIG_DIR: '/c', XDG_CONFIG_HOME: '/x' }, 'linux', '/c'],
    [{ XDG_CONFIG_HOME: '/x' }, 'linux', '/x/colloquy'],
    [{ XDG_CONFIG_HOME: 'relative' }, 'linux', '/home/u/.config/colloquy'],
    [{}, 'linux', '/home/u/.config/colloquy'],
    [{ APPDATA: '/roaming' }, 'win32', '/roaming/colloquy'],
  ])('with %j on %s is %s', (env, platform, path) => {
    expect(configFolder(env, () => '/home/u', platform)).toBe(path);
  });
});
