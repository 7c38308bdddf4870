import { describe, expect, it } from 'vitest';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { ran, ranIn } from '../../../support/app.js';

describe('auth token', () => {
  it('prints the token in use', async () => {
    expect(await ran('auth', 'token')).toMatchObject({ code: 0, out: 'developer-token\n', sent: [] });
    const profiles = withProfile(noProfiles, 'work', { url: 'https://w.example', token: 'work-token' });
    expect(await ranIn({ profiles, env: { COLLOQUY_TOKEN: '' } }, 'auth', 'token', '--profile', 'work', '--json')).toMatchObject({ out: '"work-token"\n' });
    expect(await ranIn({ terminal: true }, 'auth', 'token')).toMatchObject({ out: 'developer-token\n' });
  });

  it('prints the token for the named service, and never one for another service', async () => {
    const profiles = withProfile(withProfile(noProfiles, 'work', { url: 'https://w.example', token: 'work-token' }),
      'home', { url: 'https://h.example', token: 'home-token' });
    const bare = { profiles: { ...profiles, current: 'work' }, env: { COLLOQUY_TOKEN: '', COLLOQUY_URL: '' } };
    expect(await ranIn(bare, 'auth', 'token')).toMatchObject({ code: 0, out: 'work-token\n' });
    expect(await ranIn(bare, 'auth', 'token', '--url', 'https://h.example')).toMatchObject({ code: 0, out: 'home-token\n' });
    expect(await ranIn(bare, 'auth', 'token', '--url', 'https://other.example')).toMatchObject({
      code: 4, out: '', err: expect.stringContaining('is for https://w.example and is not sent to https://other.example') as string,
    });
  });

  it('prints the token of the profile that --profile names, not that of the environment', async () => {
    const profiles = withProfile(withProfile(noProfiles, 'work', { url: 'https://w.example', token: 'work-token' }), 'bare', {});
    const token = async (name: string) => ranIn({ profiles, env: { COLLOQUY_TOKEN: 'x', GITLAB_TOKEN: 'y' } }, 'auth', 'token', '--profile', name);
    expect(await token('work')).toMatchObject({ code: 0, out: 'work-token\n' });
    expect(await token('bare')).toMatchObject({ code: 4, out: '' });
  });

  it('exits with 4 if there is none', async () => {
    expect(await ranIn({ env: { COLLOQUY_TOKEN: '' } }, 'auth', 'token')).toMatchObject({ code: 4, out: '' });
  });

  it('prints its help', async () => {
    expect((await ran('auth', 'token', '--help')).out).toContain('Usage: colloquy auth token');
  });
});
