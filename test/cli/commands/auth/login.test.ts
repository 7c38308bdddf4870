import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../../src/cli/app.js';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { json, unknownRoute } from '../../../support/answers.js';
import { ran, testApp } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';

const bare = { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined };
const login = ['auth', 'login', '--url', 'http://service.test'];

describe('auth login', () => {
  it('checks a token from standard input and stores it in the profile', async () => {
    const world = await testApp({ env: bare, stdin: 'developer-token\n' });
    const { code, out, err, sent } = await world.run(...login, '--with-token');
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(sent).toMatchObject([{ method: 'GET', target: '/api/v4/user' }]);
    expect(err).toBe('logged in to http://service.test as developer; no system keyring is available, '
      + 'so the token of profile default is stored in /config/config.json, which only you can read\n');
    expect(world.profiles()).toEqual({
      current: 'default', profiles: { default: { url: 'http://service.test', token: 'developer-token' } } });
    expect(await world.run('discussions', 'list', '!1')).toMatchObject({ code: 0 });
  });

  it('names the whole command for a token that is piped without --with-token', async () => {
    const world = await testApp({ env: bare, stdin: 'developer-token\n' });
    const told = (command: string) => ({ code: 2, sent: [],
      err: `colloquy: no token given, and prompting is not possible\npipe it to \`colloquy ${command} --with-token\`\n` });
    expect(await world.run(...login)).toMatchObject(told('auth login --url http://service.test'));
    expect(await world.run(...login, '--profile', 'my work')).toMatchObject(told("auth login --url http://service.test --profile 'my work'"));
  });

  const good = withProfile(noProfiles, 'default', { url: 'http://old.test', token: 'good' });
  const page = { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>File not found</html>' };

  it('stores nothing, and keeps the former login, where something else than the service responds', async () => {
    await everyRow([
      page, { ...page, status: 200 }, { ...page, status: 403 }, json(404, {}), json(404, { error: 'Not Found' }), json(404, { detail: 'Not found.' }),
      json(200, { status: 'ok' }), json(200, []), json(200, null), { ...page, body: '', headers: {} }, json(401, { error: 'Unauthorized' }),
      json(405, { message: 'Method Not Allowed' }), unknownRoute,
      { status: 200, headers: {}, body: 'OK' }, json(200, { id: 1 }), json(200, { id: 1, username: 7 }),
    ], ({ status, body }) => `${status} ${String(body)}`, async (response) => {
      const world = await testApp({ env: bare, stdin: 'developer-token', profiles: good, answer: () => response });
      const { code, out, err } = await world.run(...login, '--with-token');
      expect({ code, out }).toEqual({ code: 10, out: '' });
      expect(err).toMatch(/^colloquy: this is not the API: GET \/api\/v4\/user: .*\ncheck --url: it is the part of the address before \/api\/v4\n$/);
      expect(world.profiles()).toEqual(good);
    });
  });

  it('stores a token that may not look up its user, if the service says so in its own words', async () => {
    await everyRow([
      json(403, { error: 'insufficient_scope', error_description: 'The request requires higher privileges than provided by the access token.' }),
      json(403, { error: 'insufficient_granular_scope', error_description: 'Access denied' }),
    ], ({ body }) => String(body), async (response) => {
      const world = await testApp({ env: bare, stdin: 'developer-token', answer: () => response });
      expect(await world.run(...login, '--with-token')).toMatchObject({ code: 0,
        err: expect.stringContaining('logged in to http://service.test (user not reported by the service)') as string });
      expect(world.profiles().profiles['default']).toMatchObject({ token: 'developer-token' });
    });
  });

  it('stores nothing when the service rejects the token', async () => {
    for (const [response, code] of [[json(401, { message: '401 Unauthorized' }), 4], [json(403, { message: '403 Forbidden - blocked' }), 5]] as const) {
      const world = await testApp({ env: bare, stdin: 'developer-token', profiles: good, answer: () => response });
      expect(await world.run(...login, '--with-token')).toMatchObject({ code });
      expect(world.profiles()).toEqual(good);
    }
  });

  it('says with --debug why no keyring is used', async () => {
    const login = async (...flags: string[]) =>
      (await testApp({ env: bare, stdin: 'developer-token' })).run('auth', 'login', '--url', 'http://service.test', '--with-token', ...flags);
    expect((await login()).err).not.toContain('no keyring here');
    expect((await login('--debug')).err).toContain('keyring: no keyring here\n');
  });

  it('keeps the certificates that it was called with, as absolute paths', async () => {
    const pem = '-----BEGIN CERTIFICATE-----\n';
    const files = { 'ca.pem': pem, '../me.pem': pem, '/keys/me.key': '-----BEGIN PRIVATE KEY-----\n' };
    const world = await testApp({ env: bare, stdin: 'developer-token', folder: '/home/ada', files });
    const flags = ['--ca-cert', 'ca.pem', '--client-cert', '../me.pem', '--client-key', '/keys/me.key'];
    expect((await world.run(...login, '--with-token', ...flags)).code).toBe(0);
    expect(world.profiles().profiles['default']).toMatchObject({
      'ca-cert': '/home/ada/ca.pem', 'client-cert': '/home/me.pem', 'client-key': '/keys/me.key' });
  });

  it('uses the certificates of the profile that it logs in, and never the client certificate of another one', async () => {
    const kinds = { ca: 'CERTIFICATE', cert: 'CERTIFICATE', key: 'PRIVATE KEY' };
    const files = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [`/${name}.pem`, `-----BEGIN ${kind}-----\n${name}`]));
    const presented = { 'client-cert': '/cert.pem', 'client-key': '/key.pem' };
    const profiles = withProfile(withProfile(noProfiles, 'default', { url: 'http://old.test', token: 'good', ...presented }),
      'corp', { 'ca-cert': '/ca.pem', ...presented });
    const tlsOf = async (name: string) => {
      const world = await testApp({ env: bare, stdin: 'developer-token', files, profiles });
      expect(await world.run(...login, '--with-token', '--profile', name)).toMatchObject({ code: 0 });
      return world.connections[0]?.tls;
    };
    expect(await tlsOf('corp')).toEqual({ ca: files['/ca.pem'], cert: files['/cert.pem'], key: files['/key.pem'] });
    expect(await tlsOf('new')).toEqual({});
    expect(await tlsOf('default')).toEqual({});
  });

  it('sends the token to the service of the profile that --profile names, and names a variable that overrides the profile', async () => {
    const profiles = withProfile(noProfiles, 'work', { url: 'http://service.test' });
    const world = await testApp({ env: { ...bare, GITLAB_HOST: 'other.test', GITLAB_TOKEN: 'x' }, stdin: 'developer-token', profiles });
    const { code, err } = await world.run('auth', 'login', '--profile', 'work', '--with-token');
    expect({ code, urls: world.connections.map(({ url }) => url.href) }).toEqual({ code: 0, urls: ['http://service.test'] });
    expect(err).toContain('GITLAB_TOKEN is set and overrides profile work\n');
  });

  it('selects its profile if the selected one has neither url nor token', async () => {
    const current = async (profile: Profile) => {
      const profiles = withProfile(noProfiles, 'default', profile);
      const world = await testApp({ env: bare, stdin: 'developer-token', profiles });
      await world.run(...login, '--with-token', '--profile', 'work');
      return world.profiles().current;
    };
    expect(await current({ timeout: '30' })).toBe('work');
    expect(await current({ url: 'http://old.test' })).toBe('default');
  });

  it('asks for address and token on a terminal', async () => {
    const world = await testApp({ env: bare, terminal: true, answers: ['http://service.test', 'developer-token'] });
    expect(await world.run('auth', 'login', '--profile', 'work')).toMatchObject({ code: 0 });
    expect(world.asked).toEqual(['Base URL of the service', 'Access token for http://service.test (scope api)']);
    expect(world.profiles()).toMatchObject({ current: 'work', profiles: { work: { token: 'developer-token' } } });
  });

  it('names the prompt or standard input as the source of a token that cannot be used', async () => {
    const typed = async (token: string) => (await testApp({ env: bare, terminal: true, answers: [token] })).run(...login);
    expect((await typed('devel oper')).err).toContain('colloquy: the token from the prompt contains invalid characters');
    expect((await typed('unknown-token')).err).toContain('replace the token from the prompt with a valid one: paste another token\n');
    expect((await typed('$COLLOQUY_TOKEN')).err).toContain('the token from the prompt is $COLLOQUY_TOKEN, a variable that was not expanded');
    const piped = await testApp({ env: bare, stdin: 'unknown-token' });
    expect((await piped.run(...login, '--with-token')).err).toContain('replace the token from standard input with a valid one: pass another token\n');
    expect((await piped.run(...login, '--token', 'unknown-token')).err).toContain('replace the token from --token with a valid one');
  });

  it('stores the token only in the system keyring if one works', async () => {
    const keyring = new Map<string, string>();
    const world = await testApp({ env: bare, stdin: 'developer-token', keyring });
    expect((await world.run(...login, '--with-token')).err).toBe(
      'logged in to http://service.test as developer; the token of profile default is stored in the system keyring\n');
    expect(JSON.stringify(world.profiles())).not.toContain('developer-token');
    expect([...keyring.values()]).toEqual(['developer-token']);
    expect(await world.run('discussions', 'list', '!1', '-o', 'id')).toMatchObject({ code: 0 });
    expect(await world.run('auth', 'token')).toMatchObject({ out: 'developer-token\n' });
    expect((await world.run('auth', 'status', '--json=stored_in')).out).toBe('{"stored_in":"the system keyring"}\n');
  });

  it('stores the token in the file on request, and removes the old one from the keyring', async () => {
    const keyring = new Map<string, string>();
    const world = await testApp({ env: bare, stdin: 'developer-token', keyring });
    await world.run(...login, '--with-token');
    expect((await world.run(...login, '--with-token', '--insecure-storage')).err).toContain('stored in /config/config.json');
    expect(world.profiles().profiles['default']).toEqual({ url: 'http://service.test', token: 'developer-token' });
    expect(keyring.size).toBe(0);
  });

  it('keeps tokens of two services apart in the keyring, so that a changed address finds none', async () => {
    const keyring = new Map<string, string>();
    const world = await testApp({ env: bare, stdin: 'developer-token', keyring });
    await world.run(...login, '--with-token');
    await world.app.profiles.change(() => ({ current: 'default', profiles: { default: { url: 'https://evil.example', keyring: true } } }));
    expect(await world.run('discussions', 'list', '!1', '-p', '1')).toMatchObject({
      code: 4, sent: [], err: expect.stringContaining('no longer in the system keyring') as string });
  });

  it('explains that the keyring was locked after the login', async () => {
    const profiles = withProfile(noProfiles, 'default', { url: 'http://service.test', keyring: true });
    expect(await (await testApp({ env: bare, profiles })).run('auth', 'token')).toMatchObject({
      code: 4, out: '', err: expect.stringContaining('--insecure-storage') as string });
  });

  it.each([
    ['COLLOQUY_URL', 'http://service.test'], ['GITLAB_HOST', 'http://service.test'], ['GITLAB_URI', 'http://service.test'],
    ['CI_API_V4_URL', 'http://service.test/api/v4'], ['CI_SERVER_URL', 'http://service.test'],
  ])('prefers the service from %s to the one of the profile', async (variable, url) => {
    const profiles = withProfile(noProfiles, 'default', { url: 'http://old.test', token: 'old' });
    const world = await testApp({ env: { ...bare, [variable]: url }, profiles, stdin: 'developer-token' });
    expect(await world.run('auth', 'login', '--with-token')).toMatchObject({ code: 0 });
    expect(world.profiles().profiles['default']).toEqual({ url: 'http://service.test', token: 'developer-token' });
  });

  it('suggests the service of a git remote, but only to a person', async () => {
    const remotes = [{ name: 'origin', url: 'http://service.test/acme/app.git' }];
    const world = await testApp({ env: bare, terminal: true, remotes, answers: ['', 'developer-token'] });
    expect(await world.run('auth', 'login')).toMatchObject({ code: 0 });
    expect(world.asked[0]).toBe('Base URL of the service (http://service.test)');
    expect(await (await testApp({ env: bare, remotes, stdin: 'developer-token' })).run('auth', 'login', '--with-token')).toMatchObject({ code: 2, sent: [] });
  });

  it('keeps the other settings and the current profile', async () => {
    const profiles = withProfile(noProfiles, 'default', { url: 'http://old.test', token: 'old', project: 'acme/app' });
    const world = await testApp({ env: bare, profiles, stdin: 'developer-token' });
    await world.run(...login, '--with-token', '--profile', 'second');
    expect(world.profiles()).toMatchObject({ current: 'default', profiles: { default: { token: 'old' }, second: { token: 'developer-token' } } });
    await world.run(...login, '--with-token');
    expect(world.profiles().profiles['default']).toEqual({ url: 'http://service.test', token: 'developer-token', project: 'acme/app' });
  });

  it('says whose token it replaces when the profile was for another service', async () => {
    const profiles = withProfile(noProfiles, 'default', { url: 'http://old.test/git', token: 'old' });
    const world = await testApp({ env: bare, profiles, stdin: 'developer-token' });
    const told = 'replaced the token for http://old.test/git; use --profile NAME to keep both\n';
    expect((await world.run(...login, '--with-token')).err).toContain(told);
    expect((await world.run(...login, '--with-token')).err).not.toContain('replaced');
    expect((await world.run(...login, '--with-token', '--profile', 'new')).err).not.toContain('replaced');
    const tokenless = withProfile(noProfiles, 'default', { url: 'http://old.test' });
    expect((await (await testApp({ env: bare, profiles: tokenless, stdin: 'developer-token' })).run(...login, '--with-token')).err).not.toContain('replaced');
  });

  it('creates the profile that the environment names', async () => {
    const world = await testApp({ env: { ...bare, COLLOQUY_PROFILE: 'new' }, stdin: 'developer-token' });
    expect(await world.run(...login, '--with-token')).toMatchObject({ code: 0 });
    expect(Object.keys(world.profiles().profiles)).toEqual(['new']);
  });

  it('stores nothing when the service rejects the token', async () => {
    const world = await testApp({ env: bare, stdin: 'wrong' });
    expect(await world.run(...login, '--with-token')).toMatchObject({ code: 4 });
    expect(world.profiles()).toEqual(noProfiles);
  });

  it('stores the token if the service lacks only the route that tells whose it is', async () => {
    const world = await testApp({ env: bare, stdin: 'developer-token', answer: ({ target }) => target.endsWith('/user') ? unknownRoute : undefined });
    expect(await world.run(...login, '--with-token')).toMatchObject({ code: 0, err: expect.stringContaining('not reported by the service') as string });
  });

  it('requires a token and an address, and does not ask without a terminal', async () => {
    expect(await ran(...login, '--with-token')).toMatchObject({ code: 4, sent: [] });
    const world = await testApp({ env: bare });
    expect(await world.run('auth', 'login')).toMatchObject({ code: 2, sent: [] });
    expect(await world.run(...login)).toMatchObject({ code: 2, err: expect.stringContaining('--with-token') as string });
  });

  it('prints its help', async () => {
    expect((await ran('auth', 'login', '--help')).out).toContain('--with-token < token.txt');
  });
});
