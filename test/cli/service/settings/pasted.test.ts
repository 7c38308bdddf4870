import { describe, expect, it } from 'vitest';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { ranIn, testApp } from '../../../support/app.js';

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
        + 'if it is, pass --url https://evil\\.example, set COLLOQUY_URL, or log in with `colloquy auth login --url https://evil\\.example`\n'));
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
