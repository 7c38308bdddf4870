import { describe, expect, it } from 'vitest';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import { projectAt, readRemoteUrl } from '../../../../src/cli/service/settings/remotes.js';
import { remotesIn } from '../../../../src/cli/terminal/io/git.js';
import { readBaseUrl } from '../../../../src/client/base-url.js';
import { ranIn, testApp } from '../../../support/app.js';

describe('the URL of a git remote', () => {
  it.each([
    ['git@gitlab.example.com:acme/app.git', 'https://gitlab.example.com', 'acme/app'],
    ['gitlab.example.com:acme/sub/app', 'https://gitlab.example.com', 'acme/sub/app'],
    ['[git@gitlab.example.com:2222]:acme/app.git', 'https://gitlab.example.com', 'acme/app'],
    ['ssh://git@gitlab.example.com:2222/acme/app.git', 'https://gitlab.example.com', 'acme/app'],
    ['git+ssh://git@GitLab.example.com/acme/app', 'https://gitlab.example.com', 'acme/app'],
    ['https://gitlab.example.com/acme/app.git', 'https://gitlab.example.com', 'acme/app'],
    ['ssh://git@[::1]:22/acme/app.git', 'https://[::1]', 'acme/app'],
    ['git@[2001:DB8:0::1]:acme/app.git', 'https://[2001:db8::1]', 'acme/app'],
    ['http://user:secret@gitlab.example.com:8080/acme/app.git/', 'http://gitlab.example.com:8080', 'acme/app'],
  ])('%s is parsed', (url, base, path) => expect(readRemoteUrl(url)).toMatchObject({ base, path }));

  it.each(['/srv/git/app.git', '../app', 'C:\\work\\app', 'file:///srv/app.git', 'git@host:app.git', '[git@host]:acme/app', '[git@host:22/a:b', 'git@[1:2]:acme/app', 'https://host/app.git',
    'ext::sh -c evil', 'git@-oProxyCommand=evil:a/b', 'https://host/../a/b/..', ''])('%s has no project', (url) =>
    expect(readRemoteUrl(url)).toBeNull());

  it.each([
    ['git@host.example:acme/app.git', 'https://host.example:8443', 'acme/app'],
    ['https://host.example/git/acme/app.git', 'https://host.example/git', 'acme/app'],
    ['git@host.example:acme/app.git', 'https://host.example/git', 'acme/app'],
    ['ssh://git@[::1]:22/acme/app.git', 'http://[::1]:8080', 'acme/app'],
    ['ssh://git@[::2]:22/acme/app.git', 'http://[::1]:8080', null],
    ['https://host.example:8443/acme/app.git', 'https://host.example', null],
    ['https://elsewhere.example/acme/app.git', 'https://host.example', null],
    ['https://host.example.evil.example/acme/app.git', 'https://host.example', null],
  ])('%s with the service %s is the project %s', (url, base, project) =>
    expect(projectAt(readRemoteUrl(url)!, readBaseUrl(base))).toBe(project));

  it('is read from the output of git', () => {
    const text = 'origin\tgit@h.example:a/b.git (fetch)\norigin\tgit@h.example:a/b.git (push)\nlocal\t/srv/with space (fetch) [blob:none]\n';
    expect(remotesIn(text)).toEqual([{ name: 'origin', url: 'git@h.example:a/b.git' }, { name: 'local', url: '/srv/with space' }]);
    expect(remotesIn('o\tgit@h.example:a/b (fetch)\no\tgit@h.example:c/d (push)\no\tgit@h.example:e/f (push)\n'))
      .toEqual([{ name: 'o', url: 'git@h.example:a/b', pushUrls: ['git@h.example:c/d', 'git@h.example:e/f'] }]);
  });

  it('is that of fetches if git pushes there and to others', () => {
    expect(remotesIn('o\tgit@h.example:a/b (fetch)\no\tgit@h.example:a/b (push)\no\tgit@h.example:c/d (push)\n'))
      .toEqual([{ name: 'o', url: 'git@h.example:a/b' }]);
  });
});

describe('git remotes', () => {
  const bare = { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined, COLLOQUY_PROJECT: undefined, COLLOQUY_GROUP: undefined };
  const known = { ...bare, COLLOQUY_URL: 'http://service.test', COLLOQUY_TOKEN: 'developer-token' };
  const origin = { name: 'origin', url: 'git@service.test:acme/app.git' };
  const list = ['discussions', 'list', 'mr/1', '-o', 'id'];

  it('determine the project if nothing else does', async () => {
    expect(await ranIn({ env: known, remotes: [origin] }, ...list)).toMatchObject({
      code: 0, sent: [{ target: expect.stringContaining('/projects/acme%2Fapp/') as string }] });
    expect(await ranIn({ env: { ...known, COLLOQUY_PROJECT: 'open/site' }, remotes: [origin] }, 'discussions', 'list', 'issue/1')).toMatchObject({
      code: 0, sent: [{ target: expect.stringContaining('/projects/open%2Fsite/') as string }] });
  });

  it('determine the group by the namespace of the project', async () => {
    expect(await ranIn({ env: known, remotes: [origin] }, 'epics', 'list', '&1')).toMatchObject({
      sent: [{ target: expect.stringContaining('/groups/acme/epics/1/epics') as string }] });
  });

  it('rank upstream before origin, and are ignored if they are for another service', async () => {
    const remotes = [{ name: 'fork', url: 'git@service.test:me/app.git' }, { name: 'origin', url: 'git@service.test:me/app.git' },
      { name: 'upstream', url: 'https://elsewhere.example/acme/other.git' }];
    const seen = async (more: typeof remotes) =>
      (await ranIn({ env: known, remotes: [...remotes, ...more] }, ...list)).sent[0]?.target;
    expect(await seen([])).toContain('/projects/me%2Fapp/');
    expect(await seen([{ name: 'upstream', url: 'http://service.test/acme/app.git' }])).toContain('/projects/acme%2Fapp/');
    expect(await ranIn({ env: known, remotes: [remotes[2]!] }, ...list)).toMatchObject({
      code: 2, sent: [], err: 'colloquy: no project given for mr/1\npass --project, set COLLOQUY_PROJECT, or store it with '
        + '`colloquy config set project acme/app`; git remote upstream points to elsewhere.example, not to http://service.test\n' });
    expect(await ranIn({ env: known, remotes: [] }, ...list)).toMatchObject({
      code: 2, err: expect.stringMatching(/config set project acme\/app`\n$/) as string });
    expect((await ranIn({ env: known, remotes: [remotes[2]!] }, ...list, '--debug')).err)
      .toEqual(expect.stringContaining('* url http://service.test from COLLOQUY_URL\n* token [redacted] from COLLOQUY_TOKEN\n* reference mr/1 from the command line\n'
        + (await ranIn({ env: known, remotes: [remotes[2]!] }, ...list)).err));
  });

  it('determine nothing if several with other names have other projects', async () => {
    const [colleague, work] = [{ name: 'colleague', url: 'git@service.test:eve/app.git' }, { name: 'work', url: origin.url }];
    const { code, err, sent } = await ranIn({ env: known, remotes: [colleague, work] }, ...list);
    expect([code, err, sent]).toEqual([2, expect.stringContaining('git remotes colleague and work have different projects'), []]);
    expect(await ranIn({ env: known, remotes: [work, { ...work, name: 'push' }] }, ...list)).toMatchObject({ code: 0 });
    const withPort = { ...known, COLLOQUY_URL: 'http://service.test:8080' };
    const both = [work, { name: 'web', url: 'http://service.test:8080/acme/app.git' }];
    expect((await ranIn({ env: withPort, remotes: both }, ...list, '--debug')).err).toContain('* project acme/app from git remote work\n');
    expect(await ranIn({ env: bare, remotes: both }, ...list)).toMatchObject({ code: 4, sent: [] });
    expect(await ranIn({ env: known, remotes: [colleague, origin] }, ...list)).toMatchObject({ code: 0 });
  });

  it('determine the service, with the token of a profile for that service', async () => {
    const remotes = [{ name: 'origin', url: 'http://service.test/acme/app.git' }];
    const profiles = { ...withProfile(noProfiles, 'work', { url: 'http://service.test', token: 'developer-token' }), current: 'none' };
    const world = await testApp({ env: bare, remotes, profiles });
    expect(await world.run(...list)).toMatchObject({ code: 0 });
    expect(world.connections).toMatchObject([{ url: { href: 'http://service.test' }, token: 'developer-token' }]);
  });

  it('receive no token of another service', async () => {
    const remotes = [{ name: 'origin', url: 'https://evil.example/acme/app.git' }];
    const profiles = withProfile(noProfiles, 'default', { url: 'http://service.test', token: 'profile-token' });
    expect(await ranIn({ env: { ...bare, COLLOQUY_TOKEN: 'env-token' }, remotes }, ...list)).toMatchObject({
      code: 4, sent: [], err: expect.stringContaining('cannot tell whether COLLOQUY_TOKEN is for https://evil.example') as string });
    const named = await ranIn({ env: bare, remotes, profiles }, ...list);
    expect(named).toMatchObject({ code: 2, sent: [] });
    expect(await ranIn({ env: bare, remotes, profiles: { ...profiles, current: 'other' } }, ...list)).toMatchObject({
      code: 4, sent: [], err: expect.stringContaining('no token for https://evil.example') as string });
  });

  it('and all other sources are shown by --debug, but never the token', async () => {
    const { err } = await ranIn({ env: known, remotes: [origin] }, ...list, '--debug');
    expect(err).toContain('* url http://service.test from COLLOQUY_URL\n* token [redacted] from COLLOQUY_TOKEN\n'
      + '* project acme/app from git remote origin\n');
    expect(err).not.toContain('developer-token');
  });

  it('and the profile of the token are shown by --debug', async () => {
    const other = withProfile(noProfiles, 'other', { url: 'http://service.test', token: 'developer-token' });
    const profiles = { ...withProfile(other, 'work', { timeout: '9' }), current: 'work' };
    const env = { ...bare, COLLOQUY_URL: 'http://service.test' };
    const { err } = await ranIn({ env, profiles }, ...list, '-p', 'acme/app', '--debug');
    expect(err).toContain('* url http://service.test from COLLOQUY_URL\n* token [redacted] from profile other\n');
    const elsewhere = { ...withProfile(other, 'work', { url: 'http://else.test', token: 'else' }), current: 'work' };
    const pasted = await ranIn({ env: bare, profiles: elsewhere },
      'discussions', 'list', 'http://service.test/acme/app/-/issues/7', '--debug');
    expect(pasted.err).toContain('* token [redacted] from profile other\n');
  });

  it('are not read if everything is configured', async () => {
    const world = await testApp();
    const app = { ...world.app, git: { ...world.app.git, remotes: () => { throw new Error('asked'); } } };
    const { run } = await import('../../../../src/cli/run.js');
    expect(await run(list, app)).toBe(0);
  });
});

describe('the sandbox', () => {
  it('uses the project and group of its demo world by default', async () => {
    const env = { COLLOQUY_PROJECT: undefined, COLLOQUY_GROUP: undefined, CI_PROJECT_ID: '77', COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined };
    expect(await ranIn({ env }, 'discussions', 'list', 'mr/12', '--sandbox', '-o', 'id')).toMatchObject({ code: 0, err: '' });
    expect(await ranIn({ env }, 'epics', 'list', '&1', '--sandbox', '-o', 'id')).toMatchObject({ code: 0, err: '' });
    expect(await ranIn({ env }, 'discussions', 'list', 'mr/12', '--sandbox', '-p', 'acme/none')).toMatchObject({ code: 6 });
  });
});
