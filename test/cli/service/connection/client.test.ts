import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../../src/client/errors.js';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { cacheFolder } from '../../../../src/cli/state/folders.js';
import { knownPaths } from '../../../../src/cli/service/connection/client.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { fakeTime } from '../../../client/support/fake-time.js';
import { ranIn, testApp, type WorldOptions } from '../../../support/app.js';
import { unknownRoute } from '../../../support/answers.js';
import { everyRow } from '../../../support/rows.js';
import { refs } from '../../../support/worlds.js';

const connection = async (flags: readonly string[], options: WorldOptions = {}) => {
  const world = await testApp(options);
  const ran = await world.run('discussions', 'list', '!1', ...flags);
  return { ...ran, connection: world.connections[0] };
};

const pem = (what: string) => `-----BEGIN ${what}-----\r\nMIIB\r\n-----END ${what}-----\r\n`;

describe('the connection', () => {
  it('takes timeout and retries from the flags, otherwise from the profile', async () => {
    expect((await connection(['--timeout', '1.5', '--retries', '0'])).connection).toMatchObject({ timeout: 1500, retries: 0 });
    const profiles = withProfile(noProfiles, 'default', { timeout: '3', retries: '7' });
    expect((await connection([], { profiles })).connection).toMatchObject({ timeout: 3000, retries: 7 });
    expect((await connection([])).connection).not.toHaveProperty('timeout');
  });

  it('that is refused is tried again as often as --retries says, also a comment', async () => {
    const answer = ({ method, target }: HttpRequest) => { throw new ConnectionError('refused', `${method} ${target}`, 'ECONNREFUSED', false); };
    const rows = [[[], 3], [['--retries', '0'], 1], [['--retries', '1'], 2], [['--retries', '7'], 8]] as const;
    await everyRow(rows, ([flags]) => flags.join(' '), async ([flags, attempts]) => {
      for (const words of [['notes', 'list', '!1'], ['notes', 'add', '!1', '-m', 'x']]) {
        const { code, sent } = await ranIn({ answer, time: fakeTime() }, ...words, ...flags);
        expect([words, code, sent.length]).toEqual([words, 10, attempts]);
      }
    });
  });

  it('of a conformance run ends soon by itself, unless the flags say otherwise', async () => {
    const examined = async (...flags: string[]) => {
      const world = await testApp();
      await world.run('conformance', '-p', 'acme/app', '--fact', 'threads.kinds', ...flags);
      return world.connections[0];
    };
    expect(await examined()).toMatchObject({ timeout: 10_000, responseTimeout: 30_000, retries: 1 });
    expect(await examined('--timeout', '90', '--retries', '3')).toMatchObject({ timeout: 90_000, retries: 3 });
    expect(await examined('--timeout', '90')).toMatchObject({ timeout: 90_000, responseTimeout: 90_100 });
  });

  it.each([['--timeout', '0'], ['--timeout', 'soon'], ['--retries', '1.5'], ['--retries', 'many']])('rejects %s %s', async (...flags) => {
    expect(await connection(flags)).toMatchObject({ code: 2, sent: [], connection: undefined });
  });

  it('trusts and presents the given certificates', async () => {
    const files = { 'ca.pem': pem('CERTIFICATE'), 'cert.pem': pem('CERTIFICATE'), 'key.pem': pem('EC PRIVATE KEY') };
    const flags = ['--ca-cert', 'ca.pem', '--client-cert', 'cert.pem', '--client-key', 'key.pem'];
    expect((await connection(flags, { files })).connection?.tls).toEqual({ ca: files['ca.pem'], cert: files['cert.pem'], key: files['key.pem'] });
    expect(await connection(['--client-cert', 'cert.pem'], { files })).toMatchObject({ code: 2, connection: undefined });
    expect(await connection(['--ca-cert', 'missing.pem'])).toMatchObject({ code: 2, connection: undefined });
  });

  it('takes certificates, timeout and retries from the profile whose token it sends', async () => {
    const files = Object.fromEntries(['own', 'other'].flatMap((name) =>
      ['ca', 'cert', 'key'].map((kind) => [`/${name}/${kind}.pem`, pem(kind === 'key' ? 'EC PRIVATE KEY' : 'CERTIFICATE') + name])));
    const paths = (name: string) => ({ 'ca-cert': `/${name}/ca.pem`, 'client-cert': `/${name}/cert.pem`, 'client-key': `/${name}/key.pem` });
    const tls = (name: string) => ({ ca: files[`/${name}/ca.pem`], cert: files[`/${name}/cert.pem`], key: files[`/${name}/key.pem`] });
    const other = { url: 'https://other.example', token: 'developer-token', timeout: '3', retries: '7', ...paths('other') };
    const own = { url: 'https://own.example', token: 'developer-token', ...paths('own') };
    const profiles = withProfile(withProfile(noProfiles, 'default', own), 'work', other);
    const opened = async (words: string[], given = profiles, env = {}) => {
      const world = await testApp({ env: { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined, ...env }, profiles: given, files });
      await world.run(...words);
      return world.connections[0];
    };
    const pasted = ['notes', 'list', 'https://other.example/acme/app/-/merge_requests/1'];
    expect(await opened(pasted)).toMatchObject({ timeout: 3000, retries: 7, tls: tls('other') });
    expect(await opened([...pasted, '--timeout', '9'])).toMatchObject({ timeout: 9000, retries: 7, tls: tls('other') });
    expect(await opened(['doctor', '--url', 'https://other.example'])).toMatchObject({ timeout: 3000, tls: tls('other') });
    expect(await opened(pasted, profiles, { COLLOQUY_TOKEN: 'developer-token' })).toMatchObject({ timeout: 3000, tls: tls('other') });
    const third = ['api', 'GET', 'version', '--url', 'https://third.example', '--token', 'developer-token'];
    expect((await opened(third))?.tls).toEqual({ ca: files['/own/ca.pem'] });
    expect((await opened(third, withProfile(profiles, 'default', { url: undefined, token: undefined })))?.tls).toEqual(tls('own'));
  });

  it('rejects a token that cannot be sent in a header, without repeating it', async () => {
    const { code, err, sent } = await connection([], { env: { COLLOQUY_TOKEN: 'se cret' } });
    expect({ code, sent }).toEqual({ code: 4, sent: [] });
    expect(err).not.toContain('cret');
  });
});

describe('the paths that services support', () => {
  let folder: string;
  beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'colloquy-cache-')); });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are stored, up to the last 200', async () => {
    const cache = cacheFolder(() => folder, () => new Date());
    const paths = knownPaths(cache);
    for (let i = 0; i < 205; i++) await paths.set(`key ${i}`, `path ${i}`);
    const later = knownPaths(cache);
    expect([later.get('key 4'), later.get('key 5'), later.get('key 204')]).toEqual([undefined, 'path 5', 'path 204']);
  });

  it('are not read from an invalid file', async () => {
    const cache = cacheFolder(() => folder, () => new Date());
    for (const text of ['{', '{}', '[1,["a"],["a",2]]']) {
      await cache.change('paths.json', () => text);
      expect(knownPaths(cache).get('a')).toBeUndefined();
    }
  });

  it('save the next call the failed attempt', async () => {
    const isUnknown = (target: string) => target.includes('/projects/acme%2Fapp/commits/');
    const world = await testApp({ answer: ({ target }) => isUnknown(target) ? unknownRoute : undefined });
    const list = ['discussions', 'list', `commit/${refs.commit}`, '-o', 'id'];
    expect((await world.run(...list)).sent).toHaveLength(2);
    const again = await world.run(...list);
    expect(again.sent.map(({ target }) => isUnknown(target))).toEqual([false]);
    expect(again.code).toBe(0);
  });
});
