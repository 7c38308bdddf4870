import { describe, expect, it } from 'vitest';
import type { GlobalFlags } from '../../../../../src/cli/command-line/flags.js';
import {
  removeToken, settingsOf, storageOf, storedToken, storeToken, tokenFor,
} from '../../../../../src/cli/service/settings/settings.js';
import { noProfiles, withProfile } from '../../../../../src/cli/service/settings/profiles.js';
import { readBaseUrl } from '../../../../../src/client/base-url.js';
import { ranIn, testApp } from '../../../../support/app.js';

const bare = { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined, COLLOQUY_PROJECT: undefined, COLLOQUY_GROUP: undefined };
const page = '/acme/app/-/merge_requests/1';
const profiles = { ...withProfile(noProfiles, 'work', { url: 'https://work.example' }), current: 'default' };
const verbs = [
  (link: string) => ['notes', 'list', link], (link: string) => ['discussions', 'list', link], (link: string) => ['notes', 'add', link, '-m', 'x'],
  (link: string) => ['epics', 'list', link.replace('/acme/app/-/merge_requests/', '/groups/acme/-/epics/')],
];

describe('a token from the environment, without a configured service,', () => {
  it.each(['COLLOQUY_TOKEN', 'GITLAB_TOKEN'])('is not sent to the host of a pasted URL: %s', async (name) => {
    for (const verb of verbs) {
      const { code, out, err, sent } = await ranIn({ env: { ...bare, [name]: 'env-token' } }, ...verb(`https://evil.example${page}`));
      expect({ code, out, sent }).toEqual({ code: 4, out: '', sent: [] });
      expect(err).toMatch(new RegExp(`^colloquy: cannot tell whether ${name} is for https://evil\\.example, which the pasted URL names\n`
        + 'confirm it with --url https://evil\\.example or COLLOQUY_URL, or log in with `colloquy auth login --url https://evil\\.example`\n'));
    }
  });

  it.each([
    `http://work.example${page}`, `https://work.example:8443${page}`, `https://work.example.${page}`, `https://work.example.evil.example${page}`,
    `https://work.example@evil.example${page}`, `https://wörk.example${page}`, `https://evil.example/https://work.example${page}`,
    `https://evil.example\\@work.example${page}`,
  ])('is not sent to %s if a profile is for https://work.example', async (link) => {
    expect(await ranIn({ env: { ...bare, COLLOQUY_TOKEN: 'env-token' }, profiles }, 'notes', 'list', link)).toMatchObject({ code: 4, out: '', sent: [] });
  });

  it.each([
    `https://work.example${page}`, `HTTPS://WORK.EXAMPLE${page}`, `https://work.example:443${page}`, `https://ada:secret@work.example${page}`,
    `https://work.example\\@evil.example${page}`,
  ])('is sent to %s if a profile is for https://work.example', async (link) => {
    const world = await testApp({ env: { ...bare, COLLOQUY_TOKEN: 'developer-token' }, profiles });
    await world.run('notes', 'list', link);
    expect(world.connections).toMatchObject([{ url: { origin: 'https://work.example' }, token: 'developer-token' }]);
  });

  it.each([
    ['--url', {}, ['--url', 'https://named.example']],
    ...['COLLOQUY_URL', 'GITLAB_HOST', 'GITLAB_URI', 'CI_API_V4_URL', 'CI_SERVER_URL'].map((name) => [name, { [name]: 'https://named.example' }, []] as const),
  ] as const)('is sent to the host that %s names, and to no other one', async (_, env, words) => {
    const world = await testApp({ env: { ...bare, COLLOQUY_TOKEN: 'developer-token', ...env } });
    await world.run('notes', 'list', `https://named.example${page}`, ...words);
    expect(world.connections).toMatchObject([{ url: { origin: 'https://named.example' }, token: 'developer-token' }]);
    for (const link of [`https://evil.example${page}`, `http://named.example${page}`]) {
      expect(await world.run('notes', 'list', link, ...words)).toMatchObject({ code: 4, sent: [] });
    }
  });

  it('is sent to the host of a git remote only if a profile is for it', async () => {
    const at = async (host: string) => {
      const world = await testApp({ env: { ...bare, COLLOQUY_TOKEN: 'developer-token' }, profiles, remotes: [{ name: 'origin', url: `https://${host}/acme/app.git` }] });
      const { code } = await world.run('notes', 'list', '!1');
      return { code, asked: world.connections.map(({ url }) => url.href) };
    };
    expect(await at('work.example')).toMatchObject({ asked: ['https://work.example'] });
    expect(await at('evil.example')).toEqual({ code: 4, asked: [] });
  });
});

describe('a token on the command line', () => {
  it('is sent to the host named on the command line', async () => {
    const world = await testApp({ env: bare });
    await world.run('notes', 'list', `https://pasted.example${page}`, '--token', 'developer-token');
    expect(world.connections).toMatchObject([{ url: { origin: 'https://pasted.example' }, token: 'developer-token' }]);
  });

  it('is not sent to a host named by a git remote alone', async () => {
    const remotes = [{ name: 'origin', url: 'https://evil.example/acme/app.git' }];
    const { code, err, sent } = await ranIn({ env: bare, remotes }, 'notes', 'list', '!1', '--token', 'flag-token');
    expect({ code, sent }).toEqual({ code: 4, sent: [] });
    expect(err).toContain('cannot tell whether --token is for https://evil.example, which git remote origin names\n');
  });
});

describe('the token for a service', () => {
  const twoProfiles = withProfile(
    withProfile(noProfiles, 'default', { url: 'https://profile.example/git', token: 'profile-token' }), 'work', { url: 'https://work.example', token: 'work-token' });
  const tokenAt = async (href: string, env: Record<string, string>, flags: GlobalFlags = {}, stored = twoProfiles) => {
    const { app } = await testApp({ env: { ...bare, ...env }, profiles: stored });
    return (await tokenFor(app, await settingsOf(app, flags), readBaseUrl(href))).token;
  };

  it('is the profile\'s only for the profile\'s origin', async () => {
    expect(await tokenAt('https://profile.example/other/path', {})).toBe('profile-token');
    await expect(tokenAt('https://elsewhere.example', {})).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(tokenAt('http://profile.example', {})).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(tokenAt('https://profile.example:8443', {})).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('is not the profile\'s if --url names another service', async () => {
    await expect(tokenAt('https://flag.example', {}, { url: 'https://flag.example' })).rejects.toMatchObject({
      message: 'the token from profile default is for https://profile.example and is not sent to https://flag.example' });
  });

  it('is not taken from a profile without a URL', async () => {
    await expect(tokenAt('https://flag.example', {}, { url: 'https://flag.example' }, withProfile(noProfiles, 'default', { token: 't' })))
      .rejects.toMatchObject({ code: 'unauthenticated', message: 'cannot tell whether profile default is for https://flag.example, which --url names' });
  });

  it('may come from another profile for the same origin', async () => {
    expect(await tokenAt('https://work.example', {})).toBe('work-token');
  });

  it.each<readonly [string, string, Record<string, string>, readonly string[]]>([
    ['is selected', 'work', {}, []], ['is named by --profile', 'admin', {}, ['--profile', 'work']],
    ['is named by COLLOQUY_PROFILE', 'admin', { COLLOQUY_PROFILE: 'work' }, []],
  ])('is not that of another profile for the same origin if the profile that %s has none', async (_, current, env, words) => {
    const without = { url: 'http://service.test' };
    const stored = { ...withProfile(withProfile(noProfiles, 'admin', { ...without, token: 'owner-token' }), 'work', without), current };
    const missing = { code: 4, out: '', sent: [],
      err: 'colloquy: no token for http://service.test in profile work\nlog in with `colloquy auth login`, or set COLLOQUY_TOKEN\n' };
    for (const command of [['notes', 'add', 'acme/app!1', '-m', 'x'], ['notes', 'list', `http://service.test${page}`], ['auth', 'status']]) {
      expect(await ranIn({ env: { ...bare, ...env }, profiles: stored }, ...command, ...words)).toEqual(missing);
    }
    expect(await ranIn({ env: { ...bare, ...env }, profiles: stored }, 'auth', 'token', ...words)).toMatchObject({ code: 4, out: '' });
    expect((await ranIn({ env: { ...bare, ...env }, profiles: stored }, 'doctor', ...words)).out).toMatch(/^token\tfail\tno token for /m);
  });

  it('is that of another profile if a pasted address is for that one alone', async () => {
    const stored = withProfile(withProfile(noProfiles, 'default', { url: 'https://a.example/git' }), 'other', { url: 'https://a.example', token: 'other-token' });
    expect(await tokenAt('https://a.example', {}, {}, stored)).toBe('other-token');
    await expect(tokenAt('https://a.example/git', {}, {}, stored)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('is sent wherever the command goes if it is a flag of the command', async () => {
    expect(await tokenAt('https://pasted.example', {}, { token: 'flag' })).toBe('flag');
    await expect(tokenAt('https://pasted.example', {}, { token: 'flag', url: 'https://flag.example' })).rejects.toThrow();
  });

  it('cannot be the token of a CI job; the hint suggests another one', async () => {
    await expect(tokenAt('https://a.example', { CI_JOB_TOKEN: 'job' }, {}, noProfiles)).rejects.toMatchObject({
      code: 'unauthenticated', message: expect.stringContaining('CI_JOB_TOKEN') as string,
      hint: expect.stringContaining('COLLOQUY_TOKEN') as string });
    await expect(tokenAt('https://a.example', {}, {}, noProfiles)).rejects.toMatchObject({
      message: 'no token for https://a.example' });
  });

  it('is recognized as a CI job\'s by its prefix if the job\'s own variables are missing', async () => {
    await expect(tokenAt('https://a.example', { COLLOQUY_URL: 'https://a.example', COLLOQUY_TOKEN: 'glcbt-64_x' }, {}, noProfiles)).rejects.toMatchObject({
      code: 'unauthenticated', message: 'the token is a CI job token, which can only read notes of merge requests',
      hint: expect.stringContaining('COLLOQUY_TOKEN') as string });
  });
});

describe('the value of a token', () => {
  const read = async (token: string) => {
    const { app } = await testApp({ env: { ...bare, COLLOQUY_URL: 'https://a.example', COLLOQUY_TOKEN: undefined } });
    const settings = await settingsOf(app, { token, url: 'https://a.example' });
    return { app, token: tokenFor(app, settings, readBaseUrl('https://a.example')) };
  };

  it.each(['a b', 'a\nb', 'ä', '\ta', 'a\u202e'])('that no header can carry is rejected and not repeated: %j', async (value) => {
    await expect((await read(value)).token).rejects.toMatchObject({
      code: 'unauthenticated', message: 'the token from --token contains invalid characters, such as a space or a line break',
      hint: 'check where it comes from; its value is not shown',
    });
  });

  it('that is empty is no token', async () => {
    await expect((await read('')).token).rejects.toMatchObject({ code: 'unauthenticated', message: 'the token is empty' });
  });

  it('becomes a secret of the run before it is checked', async () => {
    const { app, token } = await read('se cret');
    await token.catch(() => undefined);
    expect([...app.secrets]).toContain('se cret');
  });
});

describe('a token in the system keyring', () => {
  const url = 'https://a.example/git';
  const stored = { keyring: true, url } as const;

  it('is stored for one profile and one origin, and found again at any path of it', async () => {
    const keyring = new Map<string, string>();
    const { app } = await testApp({ keyring });
    expect(await storeToken(app, 'work', url, 'secret')).toEqual({ entry: { keyring: true }, reason: null });
    expect([...keyring.keys()]).toEqual(['work https://a.example /config/config.json']);
    expect(await storedToken(app, 'work', { keyring: true, url: 'https://a.example' })).toBe('secret');
    for (const [name, profile] of [['home', stored], ['work', { ...stored, url: 'https://b.example' }], ['work', { keyring: true }]] as const) {
      await expect(storedToken(app, name, profile)).rejects.toMatchObject({
        code: 'unauthenticated', message: `the token of profile ${name} is no longer in the system keyring`, hint: 'log in again with `colloquy auth login`',
      });
    }
  });

  it('is left to the profile file if there is no keyring, with the reason', async () => {
    const { app } = await testApp();
    expect(await storeToken(app, 'work', url, 'secret')).toEqual({ entry: { token: 'secret' }, reason: 'no keyring here' });
    expect(await storedToken(app, 'work', { token: 'secret', url })).toBe('secret');
  });

  it('that cannot be read says why, and how to store it elsewhere', async () => {
    const { app } = await testApp();
    await expect(storedToken(app, 'work', stored)).rejects.toMatchObject({
      code: 'unauthenticated', message: 'cannot read the token of profile work from the system keyring: no keyring here',
      hint: 'unlock the keyring, or log in again with `colloquy auth login --insecure-storage`',
    });
  });

  it('is removed from there alone, and a failure is reported', async () => {
    const keyring = new Map([['work https://a.example /config/config.json', 'secret']]);
    const { app } = await testApp({ keyring });
    expect(await removeToken(app, 'work', { token: 'secret', url })).toBeNull();
    expect(keyring.size).toBe(1);
    expect(await removeToken(app, 'work', stored)).toBeNull();
    expect(keyring.size).toBe(0);
    expect(await removeToken((await testApp()).app, 'work', stored)).toBe('no keyring here');
  });

  it('has a name in messages', async () => {
    const { app } = await testApp();
    expect([storageOf(app, stored), storageOf(app, {})]).toEqual(['the system keyring', '/config/config.json, which only you can read']);
  });
});

describe('a token with a line break at its end', () => {
  it.each([
    ['COLLOQUY_TOKEN', { COLLOQUY_TOKEN: 'developer-token\n' }, []], ['GITLAB_TOKEN', { COLLOQUY_TOKEN: undefined, GITLAB_TOKEN: 'developer-token\r\n' }, []],
    ['--token', {}, ['--token', 'developer-token\n']],
  ] as const)('is sent without it: %s', async (_, env, words) => {
    const world = await testApp({ env });
    expect(await world.run('notes', 'list', '!1', ...words)).toMatchObject({ code: 0 });
    expect(world.connections).toMatchObject([{ token: 'developer-token' }]);
    expect((await world.run('auth', 'token', ...words)).out).toBe('developer-token\n');
  });

  it('is redacted in output with and without it', async () => {
    const { err } = await ranIn({ env: { COLLOQUY_TOKEN: 'developer-token\n' } }, 'notes', 'list', '!1', '-o', 'developer-token');
    expect(err).not.toContain('developer-token');
  });

  it('is invalid with one in the middle, and the error names its source', async () => {
    expect(await ranIn({ env: { COLLOQUY_TOKEN: 'devel\noper' } }, 'notes', 'list', '!1')).toMatchObject({ code: 4, sent: [],
      err: 'colloquy: the token from COLLOQUY_TOKEN contains invalid characters, such as a space or a line break\n'
        + 'check where it comes from; its value is not shown\n' });
    expect(await ranIn({ env: { COLLOQUY_TOKEN: '\n' } }, 'notes', 'list', '!1')).toMatchObject({ code: 4, sent: [],
      err: 'colloquy: the token is empty\nset it, or omit --token\n' });
  });
});

describe('a variable that was not expanded', () => {
  it.each([
    ['$COLLOQUY_TOKEN', 'COLLOQUY_TOKEN'], ['${PROJECT_TOKEN}', 'PROJECT_TOKEN'], ['$(BOT_TOKEN)', 'BOT_TOKEN'], ['%BOT_TOKEN%', 'BOT_TOKEN'],
    ['$env:BOT_TOKEN', 'BOT_TOKEN'], ['$BOT_TOKEN\n', 'BOT_TOKEN'],
  ])('is named instead of being sent as a token: %j', async (value, name) => {
    const message = (from: string) => `colloquy: the token from ${from} is ${value.trim()}, a variable that was not expanded\n`;
    const hint = `set ${name} for this job or shell; GitLab keeps protected variables from jobs of unprotected branches\n`;
    const env = await ranIn({ env: { COLLOQUY_TOKEN: value } }, 'notes', 'list', '!1');
    expect(env).toMatchObject({ code: 4, sent: [], err: message('COLLOQUY_TOKEN') + hint });
    expect(await ranIn({}, 'notes', 'list', '!1', '--token', value)).toMatchObject({ code: 4, sent: [], err: message('--token') + hint });
  });

  it('is what a command prints about it, not a secret', async () => {
    expect((await ranIn({ env: { COLLOQUY_TOKEN: '$A_TOKEN' } }, 'auth', 'status')).err).toContain('$A_TOKEN');
  });
});

describe('in a CI job', () => {
  const ci = { CI: 'true', GITLAB_CI: 'true' };

  it.each<readonly [string, Record<string, string | undefined>, readonly string[], string]>([
    ['no token', { COLLOQUY_TOKEN: undefined }, ['notes', 'list', '!1'], 'store a token with scope api in the masked variable COLLOQUY_TOKEN'],
    ['an unknown token', { COLLOQUY_TOKEN: 'unknown-token' }, ['notes', 'list', '!1'],
      'replace the token from COLLOQUY_TOKEN with a valid one in the masked variable COLLOQUY_TOKEN'],
    ['no address', { COLLOQUY_URL: undefined }, ['notes', 'list', '!1'], 'pass --url or set COLLOQUY_URL'],
    ['an unknown profile', {}, ['notes', 'list', '!1', '--profile', 'x'], 'set COLLOQUY_URL and COLLOQUY_TOKEN instead'],
    ['another host', {}, ['notes', 'list', `https://evil.example${page}`], 'set COLLOQUY_URL and COLLOQUY_TOKEN for that service'],
    ['no service for the token', { COLLOQUY_URL: undefined }, ['notes', 'list', `https://evil.example${page}`],
      'confirm it with --url https://evil.example or COLLOQUY_URL'],
  ])('no hint suggests to log in: %s', async (_, env, words, hint) => {
    const { code, err } = await ranIn({ env: { ...ci, ...env } }, ...words);
    expect(code).not.toBe(0);
    expect(err.split('\n').slice(1).join('\n')).toBe(`${hint}\n`);
    expect((await ranIn({ env }, ...words)).err).toContain('colloquy auth login');
  });

  it('no hint of doctor suggests to log in', async () => {
    for (const env of [{ COLLOQUY_URL: undefined }, { COLLOQUY_TOKEN: 'unknown-token' }, { COLLOQUY_TOKEN: undefined }]) {
      expect((await ranIn({ env: { ...ci, ...env } }, 'doctor')).out).not.toContain('auth login');
      expect((await ranIn({ env }, 'doctor')).out).toContain('auth login');
    }
  });
});
