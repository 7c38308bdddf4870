import { describe, expect, it } from 'vitest';
import { noProfiles, withProfile } from '../../../src/cli/service/settings/profiles.js';
import { ran, ranIn, testApp } from '../../support/app.js';

const profiles = withProfile(withProfile(noProfiles, 'default', { url: 'https://a.example', token: 'secret', project: 'acme/app' }),
  'work', { group: 'acme' });
const config = (...words: string[]) => ranIn({ profiles }, 'config', ...words);

describe('config get', () => {
  it('prints one setting', async () => {
    expect(await config('get', 'project')).toMatchObject({ code: 0, out: 'acme/app\n', err: '', sent: [] });
    expect(await config('get', 'group', '--profile', 'work', '--json')).toMatchObject({ out: '"acme"\n' });
    expect(await ranIn({ profiles, terminal: true }, 'config', 'get', 'project')).toMatchObject({ out: 'acme/app\n' });
  });

  it('fails for an unset setting, an unknown setting and the token', async () => {
    expect(await config('get', 'timeout')).toMatchObject({ code: 6, out: '' });
    expect(await config('get', 'token')).toMatchObject({ code: 2, out: '' });
  });
});

describe('config set and unset', () => {
  it('change one setting of one profile', async () => {
    const world = await testApp({ profiles });
    expect(await world.run('config', 'set', 'timeout', '2.5')).toMatchObject({ code: 0, out: '', err: 'set timeout in profile default\n' });
    expect(await world.run('config', 'unset', 'project')).toMatchObject({ code: 0, err: 'removed project from profile default\n' });
    expect(await world.run('config', 'unset', 'project')).toMatchObject({ code: 0, err: 'project is not set in profile default\n' });
    expect(await world.run('config', 'set', 'group', 'other', '--profile', 'new')).toMatchObject({ code: 0 });
    expect(world.profiles().profiles).toEqual({
      default: { url: 'https://a.example', token: 'secret', timeout: '2.5' }, work: { group: 'acme' }, new: { group: 'other' } });
  });

  it.each(['', ' '])('reject an empty profile name: %j', async (name) => {
    const world = await testApp({ profiles });
    for (const words of [['config', 'set', 'group', 'acme'], ['config', 'unset', 'project'], ['auth', 'logout']]) {
      expect(await world.run(...words, '--profile', name)).toMatchObject({ code: 2, err: expect.stringContaining('--profile is empty') as string });
    }
    expect(Object.keys(world.profiles().profiles)).toEqual(['default', 'work']);
  });

  it('never send a token to another origin', async () => {
    const world = await testApp({ profiles });
    await world.run('config', 'set', 'url', 'https://a.example/git');
    expect(world.profiles().profiles['default']).toMatchObject({ token: 'secret' });
    expect((await world.run('config', 'set', 'url', 'https://b.example')).err).toContain('removed its token for https://a.example/git');
    expect(world.profiles().profiles['default']).not.toHaveProperty('token');
    const other = await testApp({ profiles });
    await other.run('config', 'unset', 'url');
    expect(other.profiles().profiles['default']).toEqual({ project: 'acme/app' });
  });

  it.each([['url', 'ftp://x'], ['timeout', 'soon'], ['retries', '-1'], ['project', ''], ['token', 'secret']])(
    'reject %s %j', async (key, value) => {
      const world = await testApp({ profiles });
      expect(await world.run('config', 'set', key, value)).toMatchObject({ code: 2 });
      expect(world.profiles()).toEqual(profiles);
    });
});

describe('config list and path', () => {
  it('print all settings except the token', async () => {
    expect((await config('list')).out).toBe('url\thttps://a.example\nproject\tacme/app\n');
    expect((await config('list', '--json')).out).toBe('{"url":"https://a.example","project":"acme/app"}\n');
    expect((await ranIn({ profiles, terminal: true }, 'config', 'list')).out).toBe('url      https://a.example\nproject  acme/app\n');
    expect(await ran('config', 'list')).toMatchObject({ code: 0, out: '' });
  });

  it('print the path of the settings', async () => {
    expect(await config('path')).toMatchObject({ code: 0, out: '/config/config.json\n' });
  });

  it('reject unknown fields and formats', async () => {
    expect(await config('list', '--json=token')).toMatchObject({ code: 2, out: '' });
  });
});

it.each(['get', 'set', 'unset', 'list', 'path'])('config %s prints its help', async (verb) => {
  expect((await ran('config', verb, '--help')).out).toContain(`Usage: colloquy config ${verb}`);
});
