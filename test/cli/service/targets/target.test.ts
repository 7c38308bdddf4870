import { describe, expect, it } from 'vitest';
import { noProfiles, withProfile } from '../../../../src/cli/service/settings/profiles.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { refs } from '../../../support/worlds.js';

const target = (request: { target: string } | undefined) => request?.target.split('?')[0];

describe('the target of a command', () => {
  it.each([
    [['!1'], '/api/v4/projects/acme%2Fapp/merge_requests/1/discussions'],
    [['--mr', '1'], '/api/v4/projects/acme%2Fapp/merge_requests/1/discussions'],
    [['#1'], '/api/v4/projects/acme%2Fapp/issues/1/discussions'],
    [['--issue', '1'], '/api/v4/projects/acme%2Fapp/issues/1/discussions'],
    [['snippet/40'], '/api/v4/projects/acme%2Fapp/snippets/40/discussions'],
    [['--snippet', '40'], '/api/v4/projects/acme%2Fapp/snippets/40/discussions'],
    [['epic/id:500'], '/api/v4/groups/acme/epics/500/discussions'],
    [['--epic', 'id:500'], '/api/v4/groups/acme/epics/500/discussions'],
    [[`@${'e'.repeat(40)}`], `/api/v4/projects/acme%2Fapp/commits/${'e'.repeat(40)}/discussions`],
    [['issue/1', '-p', '21'], '/api/v4/projects/21/issues/1/discussions'],
    [['open/site#1'], '/api/v4/projects/open%2Fsite/issues/1/discussions'],
    [['http://service.test/open/site/-/issues/1'], '/api/v4/projects/open%2Fsite/issues/1/discussions'],
  ])('%j requests %s', async (words, path) => {
    const { code, sent } = await ran('discussions', 'list', ...words);
    expect(code).toBe(0);
    expect(sent.map(target)).toEqual([path]);
  });

  it('is the merge request of the CI job if none is given', async () => {
    const env = { COLLOQUY_PROJECT: undefined, CI_MERGE_REQUEST_IID: '1', CI_PROJECT_ID: '99', CI_MERGE_REQUEST_PROJECT_ID: '20' };
    const { code, sent } = await ranIn({ env }, 'discussions', 'list');
    expect(code).toBe(0);
    expect(target(sent[0])).toBe('/api/v4/projects/20/merge_requests/1/discussions');
  });

  it('is not the merge request of the CI job in another project, where its number is that of another one', async () => {
    const job = { CI_MERGE_REQUEST_IID: '1', CI_MERGE_REQUEST_PROJECT_ID: '20', CI_MERGE_REQUEST_PROJECT_PATH: 'acme/app' };
    for (const project of ['21', 'open/site']) {
      for (const words of [['notes', 'add', '-m', 'x'], ['discussions', 'check']]) {
        const { code, err, sent } = await ranIn({ env: job }, ...words, '-p', project);
        expect([code, sent]).toEqual([2, []]);
        expect(err).toContain(`CI_MERGE_REQUEST_IID is a number of ${project === '21' ? '20' : 'acme/app'}, not of ${project}`);
      }
    }
    for (const words of [['-p', 'acme/app'], ['-p', '20'], ['mr/1', '-p', '20'], ['issue/1', '-p', '21']]) {
      expect(await ranIn({ env: job }, 'discussions', 'list', ...words)).toMatchObject({ code: 0 });
    }
  });

  describe('on another service than that of the CI job', () => {
    const env = { CI_SERVER_URL: 'https://ci.test', CI_API_V4_URL: 'https://ci.test/api/v4', CI_PROJECT_ID: '20', CI_MERGE_REQUEST_PROJECT_ID: '20',
      CI_MERGE_REQUEST_IID: '1' };
    const alone = { ...env, COLLOQUY_PROJECT: undefined };

    it('is not the merge request of the job', async () => {
      for (const words of [['notes', 'add', '-m', 'x'], ['discussions', 'check'], ['discussions', 'check', '-p', '20']]) {
        for (const other of [{ CI_MERGE_REQUEST_ID: '50' }, { CI_MERGE_REQUEST_ID: '50', CI_PROJECT_PATH: 'open/site' }, { CI_PROJECT_PATH: 'acme/app' }]) {
          expect(await ranIn({ env: { ...env, ...other } }, ...words)).toMatchObject({ code: 2, sent: [], err:
            'colloquy: CI_MERGE_REQUEST_IID is for another service than http://service.test\n'
            + 'name the merge request and its project: --mr=12 --project=acme/app\n' });
        }
      }
    });

    it('is that of the job if its project has the same path and it has the same id, as with an internal address', async () => {
      for (const paths of [{ CI_MERGE_REQUEST_PROJECT_PATH: 'acme/app', CI_PROJECT_PATH: 'ada/fork' }, { CI_PROJECT_PATH: 'acme/app' }]) {
        for (const [COLLOQUY_PROJECT, path] of [[undefined, 'acme%2Fapp'], ['Acme/App', 'Acme%2FApp']]) {
          const { sent } = await ranIn({ env: { ...env, ...paths, COLLOQUY_PROJECT, CI_MERGE_REQUEST_ID: '50' } }, 'discussions', 'list');
          expect(sent.map(target)).toEqual(['', '/discussions'].map((end) => `/api/v4/projects/${path}/merge_requests/1${end}`));
        }
      }
    });

    it('is not the merge request of the same number, in a project with the same path, that has another id', async () => {
      const job = { ...env, CI_MERGE_REQUEST_PROJECT_PATH: 'acme/app', CI_MERGE_REQUEST_ID: '51' };
      for (const words of [['notes', 'add', '-m', 'x'], ['discussions', 'check'], ['notes', 'exec', '--key', 'x', '--', 'true']]) {
        const { code, err, sent } = await ranIn({ env: job }, ...words);
        expect([code, sent.map(({ method }) => method)]).toEqual([2, ['GET']]);
        expect(err).toBe('colloquy: mr/1 of acme/app at http://service.test is not the merge request of the job: its id is 50, CI_MERGE_REQUEST_ID is 51\n'
          + 'name the merge request and its project: --mr=12 --project=acme/app\n');
      }
      expect(await ranIn({ env: job }, 'discussions', 'list', 'mr/1')).toMatchObject({ code: 0 });
    });

    it('is not in the project of the job', async () => {
      for (const words of [['notes', 'add', 'mr/1', '-m', 'x'], ['api', 'GET', 'projects/:id']]) {
        const { code, err, sent } = await ranIn({ env: alone }, ...words);
        expect([code, sent]).toEqual([2, []]);
        expect(err).toContain('no project given for ');
        expect(err).toMatch(/\npass --project.*; CI_MERGE_REQUEST_PROJECT_ID is for another service than http:\/\/service\.test\n$/);
      }
      const remotes = [{ name: 'origin', url: 'http://service.test/open/site.git' }];
      const listed = async (world: object, ref: string) => target((await ranIn(world, 'discussions', 'list', ref)).sent[0]);
      expect(await listed({ env: alone, remotes }, 'issue/1')).toBe('/api/v4/projects/open%2Fsite/issues/1/discussions');
      expect(await listed({ env }, 'mr/1')).toBe('/api/v4/projects/acme%2Fapp/merge_requests/1/discussions');
    });

    it('is not in the group of a profile', async () => {
      const profiles = withProfile(noProfiles, 'default', { url: 'https://ci.test', group: 'other' });
      const { code, err, sent } = await ranIn({ env: { COLLOQUY_GROUP: undefined }, profiles }, 'epics', 'list', '&1');
      expect([code, sent]).toEqual([2, []]);
      expect(err).toMatch(/; the group of profile default is for another service than http:\/\/service\.test\n$/);
    });

    it('is any merge request in the sandbox', async () => {
      const job = { ...env, CI_MERGE_REQUEST_IID: '12' };
      expect(await ranIn({ env: job }, 'discussions', 'list', '--sandbox', '-o', 'id')).toMatchObject({ code: 0, err: '' });
    });
  });

  describe('a commit', () => {
    const full = 'e'.repeat(40);
    const known = new Map([['HEAD~1', full], ['eeee', full], ['beef', 'd'.repeat(40)]]);
    const git = { sha: async (revision: string) => known.get(revision) ?? null };
    const requested = async (...words: string[]) => target((await ranIn({ git }, 'discussions', 'list', ...words)).sent.at(-1));
    const path = (sha: string) => `/api/v4/projects/acme%2Fapp/commits/${sha}/discussions`;

    it.each([[['commit/HEAD~1']], [['commit/eeee']], [['@eeee']], [['--commit', 'HEAD~1']]])('is the one that git knows as %j', async (words) => {
      expect(await requested(...words)).toBe(path(full));
    });

    it('is looked up if git does not know it, or a branch has that name, or the project is another one; else it is sent as given', async () => {
      const asked = [await requested('commit/abcd12'), await requested('commit/beef'), await requested('@eeee', '-p', 'open/site'),
        await requested('acme/app@eeeeeeee')];
      expect(asked)
        .toEqual([path('abcd12'), path('beef'), '/api/v4/projects/open%2Fsite/commits/eeee/discussions', path(full)]);
    });

    it('is sent as given if the lookup fails or finds another one', async () => {
      for (const response of [json(500, {}), json(403, { message: '403 Forbidden' }), json(200, { id: 'b'.repeat(40) })]) {
        const answer = ({ target: asked }: HttpRequest) => asked.endsWith('/repository/commits/abcd12') ? response : undefined;
        expect(target((await ranIn({ answer }, 'discussions', 'list', 'commit/abcd12')).sent.at(-1))).toBe(path('abcd12'));
      }
    });

    it('can be named by a SHA in capitals, and by a part of it where git knows nothing', async () => {
      for (const word of [`commit/${full.toUpperCase()}`, 'commit/eeeeeeee', '--commit=EEEEEEEE']) {
        expect(target((await ran('discussions', 'list', word)).sent.at(-1))).toBe(path(full));
      }
    });

    it('that git does not know by this name is a usage error', async () => {
      const { code, err, sent } = await ranIn({ git }, 'discussions', 'list', 'commit/HEAD~9');
      expect({ code, sent }).toEqual({ code: 2, sent: [] });
      expect(err).toBe('colloquy: git does not know the commit HEAD~9\ngive its SHA, or run the command in a work tree that has the commit\n');
    });

    it('in a pasted URL is named by its SHA, as git knows the names of this project alone', async () => {
      for (const words of [['http://service.test/open/site/-/commit/HEAD~1'], ['--commit', 'https://other.example/acme/app/-/commit/HEAD~1']]) {
        const { code, err, sent } = await ranIn({ git }, 'notes', 'add', ...words, '-m', 'x');
        expect([code, sent]).toEqual([2, []]);
        expect(err).toMatch(/ SHA\b/);
      }
    });
  });

  describe('a flag', () => {
    const page = 'http://service.test/acme/app/-';

    it('takes every form of its kind', async () => {
      const rows = [
        ...['1', '!1', 'mr/1', 'acme/app!1', `${page}/merge_requests/1`, `${page}/merge_requests/1/diffs#note_5`]
          .map((value) => ['--mr', value, 'merge_requests/1'] as const),
        ...['1', '#1', 'issue/1', `${page}/issues/1`].map((value) => ['--issue', value, 'issues/1'] as const),
        ...['40', '$40', 'snippet/40'].map((value) => ['--snippet', value, 'snippets/40'] as const),
        ...[refs.commit, `@${refs.commit}`, `commit/${refs.commit}`, `${page}/commit/${refs.commit}`]
          .map((value) => ['--commit', value, `commits/${refs.commit}`] as const),
        ...['id:500', 'epic/id:500', '&1'].map((value) => ['--epic', value, 'epics/500'] as const),
      ];
      await everyRow(rows, ([flag, value]) => `${flag}=${value}`, async ([flag, value, wanted]) => {
        const { code, sent } = await ran('discussions', 'list', `${flag}=${value}`);
        expect([code, target(sent.at(-1))]).toEqual([0, expect.stringContaining(`/${wanted}/discussions`)]);
      });
    });

    it('takes nothing else', async () => {
      const values = [
        '#1', 'issue/1', '$40', '&1', 'epic/id:500', `@${refs.commit}`, 'HEAD', '--help', '--url=http://evil.test', '-1', '0', '01', '1 --mine',
        '1;id', '$(id)', '1\n', '\u0663', 'mr/', 'mr/id:1', 'mr/1 --mine', '!1!1', '1/../2', `${page}/issues/1`, page, 'ftp://service.test/x/-/merge_requests/1',
      ];
      await everyRow(values, (value) => JSON.stringify(value), async (value) => {
        const { code, err, sent } = await ran('discussions', 'check', `--mr=${value}`);
        expect([code, sent]).toEqual([2, []]);
        expect(err).toContain('for --mr');
      });
      const evil = await ran('discussions', 'check', '--mr=http://evil.test/acme/app/-/merge_requests/1');
      expect([evil.code, evil.sent]).toEqual([4, []]);
    });
  });

  it.each([
    [['!1', '--issue', '1'], '!1 and --issue cannot be combined'],
    [['--mr', '1', '--issue', '1'], '--mr and --issue cannot be combined'],
    [['--mr', 'main'], 'invalid value "main" for --mr'],
    [['12'], '"12" is not a valid reference'],
    [['https://service.test/acme'], '"https://service.test/acme" is not a valid reference'],
  ])('%j is a usage error', async (words, message) => {
    const { code, err } = await ran('discussions', 'list', ...words);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('is shown by --debug, with its source', async () => {
    const told = async (env: Record<string, string>, ...words: string[]) => {
      const { err } = await ranIn({ env }, 'discussions', 'list', ...words, '--debug');
      return err.split('\n').filter((line) => /^\* (project|group|reference)/.test(line));
    };
    expect(await told({ CI_MERGE_REQUEST_IID: '1' })).toContain('* reference mr/1 from CI_MERGE_REQUEST_IID');
    expect(await told({}, '--issue', '1')).toContain('* reference issue/1 from --issue');
    expect(await told({ COLLOQUY_PROJECT: 'not/this' }, 'acme/app!1')).toEqual(expect.arrayContaining([
      '* project acme/app from the command line', '* reference mr/1 from the command line']));
    expect(await told({ COLLOQUY_PROJECT: 'not/this' }, 'http://service.test/acme/app/-/issues/1')).toContain('* project acme/app from the pasted URL');
    expect(await told({ COLLOQUY_GROUP: 'not/this' }, 'http://service.test/groups/acme/-/epics/1')).toContain('* group acme from the pasted URL');
  });

  it('requires a project, or a group for epics', async () => {
    expect((await ranIn({ env: { COLLOQUY_PROJECT: '' } }, 'discussions', 'list', '!1')).err).toContain('no project given for mr/1');
    expect((await ranIn({ env: { COLLOQUY_GROUP: '' } }, 'discussions', 'list', '&1')).err).toContain('no group given for epic/1');
  });
});

describe('an epic by its internal id', () => {
  const noLookup = (request: { target: string }) => /\/epics\/\d+$/.test(request.target)
    ? { status: 404, headers: { 'content-type': 'application/json' }, body: '{"error":"404 Not Found"}' } : undefined;

  it('is looked up', async () => {
    const { code, sent } = await ran('discussions', 'list', '&1');
    expect(code).toBe(0);
    expect(sent.map(target)).toEqual(['/api/v4/groups/acme/epics/1', '/api/v4/groups/acme/epics/500/discussions']);
  });

  it('is found through its children if the service has no lookup', async () => {
    const world = await testApp({ answer: noLookup });
    await world.run('epics', 'create', '&1', '--title', 'Child');
    const { code, sent } = await world.run('discussions', 'list', '&1');
    expect(code).toBe(0);
    expect(sent.map(target)).toEqual([
      '/api/v4/groups/acme/epics/1', '/api/v4/groups/acme/epics/1/epics', '/api/v4/groups/acme/epics/500/discussions']);
  });

  it('requires the global id if it has no children either', async () => {
    const { code, err } = await ranIn({ answer: noLookup }, 'discussions', 'list', '&1');
    expect(code).toBe(6);
    expect(err).toContain('epic/id:501');
  });

  it('that does not exist stays not found', async () => {
    expect((await ran('discussions', 'list', '&77')).code).not.toBe(0);
  });
});

describe('a pasted URL of another service', () => {
  const other = 'https://other.example/acme/app/-/merge_requests/1';

  it('is requested with the token of the profile for that origin', async () => {
    const profiles = withProfile(noProfiles, 'other', { url: 'https://other.example', token: 'other-token' });
    const world = await testApp({ profiles });
    await world.run('discussions', 'list', other);
    expect(world.connections.map(({ url, token }) => [url.href, token])).toEqual([['https://other.example', 'other-token']]);
  });

  it('is at the path of the profile that it is below, and gets the token of that profile', async () => {
    const root = withProfile(noProfiles, 'root', { url: 'https://other.example', token: 'root-token' });
    const both = withProfile(root, 'sub', { url: 'https://other.example/w/sub/', token: 'sub-token' });
    const odd = withProfile(both, 'odd', { url: 'ftp://other.example/w/sub' });
    const pasted = async (path: string, env: Record<string, string | undefined>) => {
      const world = await testApp({ profiles: odd, env: { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined, ...env } });
      await world.run('notes', 'list', `https://other.example${path}/-/merge_requests/1`);
      expect(world.connections).toHaveLength(1);
      return world.connections.map(({ url, token }) => `${url.href} ${token}`)[0];
    };
    for (const profile of ['root', 'sub']) {
      expect(await pasted('/w/sub/acme/app', { COLLOQUY_PROFILE: profile })).toBe('https://other.example/w/sub sub-token');
      expect(await pasted('/acme/app', { COLLOQUY_PROFILE: profile })).toBe('https://other.example root-token');
    }
    const named = { COLLOQUY_URL: 'https://other.example/w/sub', COLLOQUY_PROFILE: 'root' };
    expect(await pasted('/w/sub/acme/app', named)).toBe('https://other.example/w/sub root-token');
    const env = { COLLOQUY_URL: 'https://other.example', COLLOQUY_TOKEN: 'env-token' };
    expect(await pasted('/w/sub/acme/app', env)).toBe('https://other.example/w/sub env-token');
  });

  it('receives no token of the configured service', async () => {
    const world = await testApp();
    const { code, err, sent } = await world.run('discussions', 'list', other);
    expect({ code, sent }).toEqual({ code: 4, sent: [] });
    expect(err).toContain('the token from COLLOQUY_TOKEN is for http://service.test and is not sent to https://other.example');
    expect(world.connections).toEqual([]);
  });

  it('determines the service if none is configured, and a profile for it allows the token of the environment', async () => {
    const profiles = { ...withProfile(noProfiles, 'other', { url: 'https://other.example' }), current: 'default' };
    const world = await testApp({ env: { COLLOQUY_URL: undefined }, profiles });
    await world.run('discussions', 'list', other);
    expect(world.connections.map(({ url, token }) => [url.href, token])).toEqual([['https://other.example', 'developer-token']]);
  });
});
