import { describe, expect, it, test } from 'vitest';
import { createClient } from '../../src/index.js';
import { ranIn, testApp, usualEnv, type WorldOptions } from '../support/app.js';
import { examined } from '../support/doctor.js';
import { everyRow } from '../support/rows.js';
import { testService } from '../support/service.js';

const env = { ...usualEnv, COLLOQUY_TOKEN_TYPE: 'bearer' };
const list = ['discussions', 'list', '#1'];
const bearerHint = 'as a bearer token, as the service asks: pass --token-type bearer, or set COLLOQUY_TOKEN_TYPE=bearer';
const profile = (type: string | undefined) => ({
  current: 'work', profiles: { work: { url: 'http://service.test', token: 'developer-token', ...type && { 'token-type': type } } },
});
const stored = (type: string | undefined): WorldOptions =>
  ({ env: { COLLOQUY_PROJECT: 'acme/app' }, profiles: profile(type) });

const sentBy = async (options: WorldOptions, ...argv: string[]) => {
  const { code, err, sent } = await ranIn(options, ...argv);
  const tokens = sent.map(({ headers }) => headers['authorization'] ?? headers['private-token']);
  return { code, err, tokens: [...new Set(tokens)], both: sent.filter(({ headers }) => headers['authorization'] && headers['private-token']) };
};

const places: [name: string, options: WorldOptions, flags: string[], type: 'private' | 'bearer'][] = [
  ['nothing', {}, [], 'private'], ['a flag', {}, ['--token-type', 'bearer'], 'bearer'], ['a variable', { env }, [], 'bearer'],
  ['a profile', stored('bearer'), [], 'bearer'], ['a profile without it', stored(undefined), [], 'private'],
  ['an empty variable', { env: { ...usualEnv, COLLOQUY_TOKEN_TYPE: '' } }, [], 'private'],
  ['a flag over a variable', { env }, ['--token-type', 'private'], 'private'],
  ['a variable over a profile', { ...stored('bearer'), env: { ...stored('').env, COLLOQUY_TOKEN_TYPE: 'private' } }, [], 'private'],
  ['a flag with --token', {}, ['--token', 'developer-token', '--url', 'http://service.test', '--token-type=bearer'], 'bearer'],
  ['the profile of a pasted URL', { env: { COLLOQUY_URL: 'http://other.test' }, profiles: profile('bearer') }, [], 'bearer'],
];

test('the token is sent in one header, as the first of flag, variable and profile says', () =>
  everyRow(places, ([name]) => name, async ([name, options, flags, type]) => {
    const argv = name.includes('pasted') ? ['discussions', 'list', 'http://service.test/acme/app/-/issues/1'] : list;
    const { code, tokens, both } = await sentBy(options, ...argv, ...flags);
    expect([code, tokens, both]).toEqual([0, [type === 'bearer' ? 'Bearer developer-token' : 'developer-token'], []]);
  }));

test.each<[string, WorldOptions, string[], string]>([
  ['--token-type', {}, ['--token-type', 'oauth'], 'invalid value "oauth" for --token-type'],
  ['the variable', { env: { ...usualEnv, COLLOQUY_TOKEN_TYPE: 'Bearer' } }, [], 'invalid value "Bearer" for COLLOQUY_TOKEN_TYPE\nuse private or bearer'],
  ['the profile', stored('job'), [], 'invalid value "job" for token-type of profile work\nuse private or bearer'],
])('another value of %s is a mistake of usage, and nothing is sent', async (_, options, flags, message) => {
  const { code, err, sent } = await ranIn(options, ...list, ...flags);
  expect([code, sent]).toEqual([2, []]);
  expect(err).toContain(message);
});

describe('a service that takes bearer tokens only', () => {
  const bearerOnly = () => testService({ acceptTokens: 'bearer' });
  const commands = [list, ['notes', 'add', '#1', '-m', 'x'], ['api', 'GET', 'projects/20'], ['discussions', 'check', '!1'], ['auth', 'status']];

  it('is named with the way out, whatever the command', async () => {
    const service = await bearerOnly();
    await everyRow(commands, (argv) => argv.join(' '), async (argv) => {
      const { code, err } = await ranIn({ service }, ...argv);
      expect([code, err]).toEqual([4, expect.stringContaining(bearerHint)]);
      expect((await ranIn({ service, env }, ...argv)).code).toBe(argv[1] === 'check' ? 8 : 0);
    });
    const { code, of } = await examined({ service });
    expect([code, of('account')]).toMatchObject([1, { state: 'fail', hint: `send the token ${bearerHint}` }]);
    const found = await examined({ service, env });
    expect([found.code, found.of('token'), found.of('token kind')]).toMatchObject([0, { message: 'from COLLOQUY_TOKEN, sent as a bearer token' },
      { message: 'a bearer token without a known prefix' }]);
  });

  it.each(['expired-token', 'revoked-token'])('says what is wrong with the token itself: %s', async (token) => {
    const { err } = await ranIn({ service: await bearerOnly(), env: { ...env, COLLOQUY_TOKEN: token } }, ...list);
    expect(err).toMatch(/which has (expired|been revoked)/);
  });

  it('that does not know the token is not asked for another way', async () => {
    const { code, err } = await ranIn({ service: await bearerOnly(), env: { ...env, COLLOQUY_TOKEN: 'unknown-token' } }, ...list);
    expect([code, err]).toEqual([4, expect.stringContaining('replace the token from COLLOQUY_TOKEN with a valid one')]);
    expect(err).not.toContain('--token-type');
  });

  it.each(['Bearer', 'bearer realm="x"', 'Basic realm="y", Bearer realm="x"'])('is known by its challenge, behind a proxy too: %s', async (challenge) => {
    const answer = () => ({ status: 401, headers: { 'content-type': 'text/html', 'www-authenticate': challenge }, body: '<html>no</html>' });
    for (const argv of [list, ['auth', 'status']]) {
      expect((await ranIn({ answer }, ...argv)).err).toContain(bearerHint);
    }
    expect((await examined({ answer })).of('service')).toMatchObject({ state: 'fail', hint: `send the token ${bearerHint}` });
  });

  it('is used by the library with tokenScheme', async () => {
    const { handle } = await bearerOnly();
    const options = { url: 'http://service.test', token: 'developer-token', transport: handle };
    expect((await createClient({ ...options, tokenScheme: 'bearer' }).lookups.user({})).username).toBe('developer');
    await expect(createClient(options).lookups.user({})).rejects.toMatchObject({
      status: 401, headers: { 'www-authenticate': expect.stringMatching(/^Bearer /) },
    });
  });
});

test('a service that takes access tokens only names the other way', async () => {
  const { code, err } = await ranIn({ service: await testService({ acceptTokens: 'private' }), env }, ...list);
  expect([code, err]).toEqual([4, expect.stringContaining('pass --token-type private')]);
});

describe('auth', () => {
  const login = ['auth', 'login', '--url', 'http://service.test', '--with-token', '--insecure-storage'];

  it('login stores the type, which later commands use and status shows', async () => {
    const service = await testService({ acceptTokens: 'bearer' });
    const { run, profiles } = await testApp({ service, env: { COLLOQUY_PROJECT: 'acme/app' }, stdin: 'developer-token\n' });
    expect((await run(...login)).err).toContain(bearerHint);
    expect((await run(...login, '--token-type', 'bearer')).code).toBe(0);
    expect(profiles().profiles).toMatchObject({ default: { 'token-type': 'bearer' } });
    expect((await run(...list)).code).toBe(0);
    expect(JSON.parse((await run('auth', 'status', '--json')).out)).toMatchObject({ token_type: 'bearer', user: 'developer' });
  });

  it.each(['token-type', 'token_type'])('and config know the setting as %s', async (key) => {
    const { run } = await testApp(stored(undefined));
    expect(await run('config', 'set', key, 'oauth')).toMatchObject({ code: 2, err: 'colloquy: invalid value "oauth" for token-type\nuse private or bearer\n' });
    expect((await run('config', 'set', key, 'bearer')).code).toBe(0);
    expect((await run('config', 'get', key)).out).toBe('bearer\n');
    expect((await run(...list)).sent[0]!.headers['authorization']).toBe('Bearer developer-token');
    expect((await run('config', 'unset', key)).code).toBe(0);
    expect((await run(...list)).sent[0]!.headers['private-token']).toBe('developer-token');
  });
});

test('a bearer token is in no log, and goes to no other origin', async () => {
  for (const argv of [[...list, '--debug'], ['notes', 'add', '#1', '-m', 'x', '--dry-run'], ['api', 'GET', 'user', '--debug']]) {
    const { out, err } = await ranIn({ env }, ...argv);
    expect(out + err).not.toContain('developer-token');
  }
  const away = { status: 302, headers: { location: 'http://elsewhere.test/api/v4/x' }, body: '' };
  const { code, err, sent } = await ranIn({ env, answer: () => away }, ...list);
  expect([code, sent.length]).toEqual([10, 1]);
  expect(err).not.toContain('developer-token');
});
