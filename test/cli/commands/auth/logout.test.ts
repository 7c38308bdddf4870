import { describe, expect, it } from 'vitest';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { ran, testApp } from '../../../support/app.js';

const profiles = withProfile(noProfiles, 'default', { url: 'http://service.test', token: 't', project: 'acme/app' });

describe('auth logout', () => {
  it('removes only the token', async () => {
    const world = await testApp({ profiles });
    expect(await world.run('auth', 'logout', '--yes')).toMatchObject({ code: 0, out: '', sent: [] });
    expect(world.profiles().profiles['default']).toEqual({ url: 'http://service.test', project: 'acme/app' });
  });

  it('names the other profiles that have a token', async () => {
    const other = { url: 'http://service.test', keyring: true } as const;
    const several = withProfile(withProfile(withProfile(profiles, 'work', other), 'home', { token: 't' }), 'none', { project: 'a/b' });
    const world = await testApp({ profiles: several });
    const still = (text: string) => `${text} a token; run \`colloquy auth logout --profile NAME\` to remove it\n`;
    expect((await world.run('auth', 'logout', '--yes')).err).toContain(`on the service\n${still('work, home still have')}`);
    expect((await world.run('auth', 'logout', '--yes', '--profile', 'home')).err).toContain(`on the service\n${still('work still has')}`);
    expect((await (await testApp({ profiles })).run('auth', 'logout', '--yes')).err).not.toContain('still');
  });

  it('removes it from the system keyring too', async () => {
    const keyring = new Map([['default http://service.test /config/config.json', 'secret'], ['other', 'stays']]);
    const world = await testApp({ keyring, profiles: withProfile(noProfiles, 'default', { url: 'http://service.test', keyring: true }) });
    expect(await world.run('auth', 'logout', '--yes')).toMatchObject({ code: 0 });
    expect([...keyring]).toEqual([['other', 'stays']]);
    expect(world.profiles().profiles['default']).toEqual({ url: 'http://service.test' });
  });

  it('reports that the system keyring did not delete the token', async () => {
    const world = await testApp({ profiles: withProfile(noProfiles, 'default', { url: 'http://service.test', keyring: true }) });
    const { code, err } = await world.run('auth', 'logout', '--yes');
    expect(code).toBe(1);
    expect(err).toMatch(/but not from the system keyring: no keyring here\n.*revoke the token on the service\n$/);
    expect(world.profiles().profiles['default']).toEqual({ url: 'http://service.test' });
  });

  it('asks on a terminal and requires --yes without one', async () => {
    const asked = await testApp({ profiles, terminal: true, answers: [false] });
    expect(await asked.run('auth', 'logout')).toMatchObject({ code: 3 });
    expect(asked.profiles()).toEqual(profiles);
    expect(await (await testApp({ profiles })).run('auth', 'logout')).toMatchObject({ code: 2 });
  });

  it('fails if there is no token', async () => {
    expect(await ran('auth', 'logout', '-y')).toMatchObject({ code: 4 });
  });

  it('names the profiles if there is no such one', async () => {
    expect(await (await testApp({ profiles })).run('auth', 'logout', '-y', '--profile', 'nope'))
      .toMatchObject({ code: 2, err: 'colloquy: no profile named nope\nuse one of: default\n' });
  });

  it('prints its help', async () => {
    expect((await ran('auth', 'logout', '--help')).out).toContain('auth logout --profile work --yes');
  });
});
