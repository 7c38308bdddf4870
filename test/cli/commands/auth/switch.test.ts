import { describe, expect, it } from 'vitest';
import type { Profiles } from '../../../../src/cli/app.js';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { ran, testApp } from '../../../support/app.js';

const two = withProfile(withProfile(noProfiles, 'default', { url: 'https://a.example' }), 'work', { url: 'https://a.example', project: 'x/y' });
const three = withProfile(two, 'admin', {});
const env = { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined };
const switched = async (profiles: Profiles, options: Parameters<typeof testApp>[0], ...words: string[]) => {
  const world = await testApp({ env, profiles, ...options });
  const { code, err } = await world.run('auth', 'switch', ...words);
  return { code, err, current: world.profiles().current };
};

describe('auth switch', () => {
  it('switches to another profile', async () => {
    expect(await switched(three, {}, 'admin')).toEqual({ code: 0, current: 'admin', err: 'switched to profile admin\n' });
    expect(await switched(three, {}, '--profile', 'work')).toMatchObject({ code: 0, current: 'work',
      err: expect.stringContaining('https://a.example') as string });
  });

  it('switches to the other one of two profiles', async () => expect(await switched(two, {})).toMatchObject({ code: 0, current: 'work' }));

  it('asks which of several profiles on a terminal, and fails without one', async () => {
    expect(await switched(three, { terminal: true, answers: ['work'] })).toMatchObject({ code: 0, current: 'work' });
    expect(await switched(three, {})).toMatchObject({ code: 2, current: 'default', err: expect.stringContaining('default, work, admin') as string });
  });

  it('suggests the right name for a mistyped one', async () => {
    expect(await switched(three, {}, 'wrok')).toMatchObject({ code: 2, current: 'default', err: expect.stringContaining('did you mean work?') as string });
    expect(await switched(noProfiles, {}, 'x')).toMatchObject({ code: 2 });
  });

  it('warns when the environment overrides it', async () => {
    expect((await switched(two, { env: { ...env, COLLOQUY_TOKEN: 'x' } }, 'work')).err).toContain('COLLOQUY_TOKEN is set and overrides it');
    expect((await switched(two, { env: { ...env, GITLAB_TOKEN: 'x' } }, 'work')).err).toContain('GITLAB_TOKEN is set and overrides it');
    expect((await switched(two, { env: { ...env, GITLAB_HOST: 'b.example' } }, 'work')).err).toContain('GITLAB_HOST is set and overrides it');
    expect((await switched(two, { env: { ...env, GITLAB_HOST: 'a.example' } }, 'work')).err).not.toContain('overrides');
  });

  it('prints its help', async () => {
    expect((await ran('auth', 'switch', '--help')).out).toContain('Usage: colloquy auth switch [options] [profile]');
  });
});
