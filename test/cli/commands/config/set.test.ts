import { describe, expect, it } from 'vitest';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { ran, testApp } from '../../../support/app.js';

const profiles = withProfile(withProfile(noProfiles, 'default', { url: 'https://a.example', token: 'secret', project: 'acme/app' }),
  'work', { group: 'acme' });

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

  it.each(['--sandbox', '--dry-run'])('store nothing with %s, as other commands that change profiles', async (option) => {
    const changes = [
      ['config', 'set', 'project', 'other/x'], ['config', 'set', 'url', 'https://b.example'], ['config', 'unset', 'project'],
      ['config', 'unset', 'url'], ['auth', 'switch', 'work'], ['auth', 'logout', '--yes'],
    ];
    for (const words of changes) {
      const world = await testApp({ profiles });
      expect(await world.run(...words, option)).toMatchObject({
        code: 0, err: expect.stringMatching(new RegExp(`^would .*; nothing is stored with ${option}\\n$`)) as string });
      expect(world.profiles()).toEqual(profiles);
    }
  });

  it.each(['ca-cert', 'client-cert', 'client-key'])('make the path of %s absolute', async (key) => {
    const world = await testApp({ profiles, folder: '/home/ada' });
    await world.run('config', 'set', key, 'tls/a.pem');
    expect(world.profiles().profiles['default']).toMatchObject({ [key]: '/home/ada/tls/a.pem' });
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

it.each(['set', 'unset'])('config %s prints its help', async (verb) => {
  expect((await ran('config', verb, '--help')).out).toContain(`Usage: colloquy config ${verb}`);
});
