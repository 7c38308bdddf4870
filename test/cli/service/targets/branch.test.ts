import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/server/world-file/schema.js';
import type { Git } from '../../../../src/cli/app.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { ranIn, testApp, type WorldOptions } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';
import { acme, refs } from '../../../support/worlds.js';

type MergeRequest = NonNullable<NonNullable<World['projects']>[number]['merge_requests']>[number];

/** The head of the merge requests, and of the work tree. */
const head = refs.head;

const forks = [
  { path: 'guest/app', visibility: 'public' as const }, { path: 'developer/app', members: { developer: 'owner' as const } },
  { path: 'outsider/app' },
];

const onBranch = (...merge_requests: Partial<MergeRequest>[]): World => ({
  ...acme,
  projects: [...acme.projects!.map((project) => project.path !== 'acme/app' ? project : {
    ...project, merge_requests: merge_requests.map((one, index) =>
      ({ iid: index + 5, title: `change ${index + 5}`, author: 'developer', source_branch: 'topic', head_sha: head, ...one })),
  }), ...forks],
});

const git: Partial<Git> = { sha: async (name) => name === 'HEAD' ? head : null };

const inWorld = async (world: World, options: WorldOptions = {}) =>
  testApp({ branch: 'topic', service: await testService({ world }), ...options, git: { ...git, ...options.git } });

const remote = (name: string, path: string, host = 'service.test') => ({ name, url: `git@${host}:${path}.git` });

/** What git says of the branch. */
const tracks = (tracking: Partial<Awaited<ReturnType<Git['tracking']>>>): Partial<Git> =>
  ({ tracking: async () => ({ ref: null, remote: null, pushRemote: null, isPushed: false, ...tracking }) });

/** The merge request that is used, or the exit code and the error. */
const used = async (world: World, options: WorldOptions = {}) => {
  const { code, err } = await (await inWorld(world, options)).run('discussions', 'list');
  return code === 0 ? /^using (.*)$/m.exec(err)![1] : `${code}: ${/^colloquy: (.*)$/m.exec(err)![1]}`;
};

describe('without a reference, outside CI', () => {
  it.each([[{ terminal: true }], [{}]])('the open merge request of the branch is used, and named on stderr: %j', async (options) => {
    const { run } = await inWorld(onBranch({ title: 'Retry \x1b[31m' }, { state: 'merged' }, { source_branch: 'other' }), options);
    const { code, out, err, sent } = await run('notes', 'add', '-m', 'hello', '-o', 'id');
    expect(code).toBe(0);
    expect(err).toContain('using mr/5 "Retry \\u001b[31m", the open merge request of branch topic\n');
    expect(out).toMatch(/^\d+\n$/);
    expect(sent.map(({ method, target }) => `${method} ${target.split('?')[0]}`)).toEqual([
      'GET /api/v4/projects/acme%2Fapp/merge_requests', expect.stringMatching(/^POST .*merge_requests\/5\//),
    ]);
  });

  it('it is not named with --quiet', async () => {
    const { run } = await inWorld(onBranch({}));
    expect(await run('discussions', 'list', '--quiet')).toMatchObject({ code: 0, err: '' });
  });

  it('a word after the command can be a thread of it', async () => {
    const { run } = await inWorld(onBranch({ discussions: [{ id: 'c'.repeat(40), notes: [{ author: 'developer', body: 'a thread' }] }] }));
    const { code, out } = await run('discussions', 'get', 'cccc', '-o', 'id');
    expect({ code, out }).toEqual({ code: 0, out: `${'c'.repeat(40)}\n` });
  });

  it('of several, the user chooses one on a terminal', async () => {
    const { run, asked } = await inWorld(onBranch({}, {}), { terminal: true, answers: [1] });
    const { code, err } = await run('discussions', 'list');
    expect(code).toBe(0);
    expect(asked).toEqual(['Use which merge request of branch topic?\n  mr/6  change 6 (developer)\n  mr/5  change 5 (developer)']);
    expect(err).toContain('using mr/5 "change 5"');
  });

  it('several are a usage error in a pipe, which lists them', async () => {
    const { run } = await inWorld(onBranch({}, {}));
    const { code, err } = await run('notes', 'add', '-m', 'hello');
    expect(code).toBe(2);
    expect(err).toContain('branch topic has 2 open merge requests');
    expect(err).toContain('  mr/6  change 6 (developer)\n  mr/5  change 5 (developer)');
  });

  it('a branch without an open merge request is a usage error', async () => {
    const { run } = await inWorld(onBranch({ state: 'merged' }));
    const { code, err } = await run('discussions', 'list');
    expect(code).toBe(2);
    expect(err).toContain('no open merge request in acme/app has the source branch topic');
    expect(err).toContain('mr/12');
  });

  it('merge requests of other branches are left out if the service ignores the filter', async () => {
    const service = await testService({ world: onBranch({}, { source_branch: 'other' }) });
    const ignoring = { ...service, handle: (request: Parameters<typeof service.handle>[0]) =>
      service.handle({ ...request, target: request.target.replace(/&?(state|source_branch)=\w+/g, '') }) };
    const { code, err } = await ranIn({ branch: 'topic', service: ignoring, git }, 'discussions', 'list');
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('using mr/5') as string });
  });

  it('a service that does not list merge requests is a usage error', async () => {
    const answer = () => ({ status: 404, headers: {}, body: '{"error":"404 Not Found"}' });
    const { code, err } = await ranIn({ branch: 'topic', answer }, 'discussions', 'list');
    expect(code).toBe(2);
    expect(err).toContain('the service does not list merge requests');
  });

  it('a project is required', async () => {
    const { code, err, sent } = await ranIn({ branch: 'topic', env: { COLLOQUY_PROJECT: undefined } }, 'discussions', 'list');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain('name the project of branch topic with --project');
  });

  it('a folder without a branch is a usage error', async () => {
    const { code, err, sent } = await ranIn({}, 'discussions', 'list');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain('no merge request, issue, snippet, epic or commit given');
  });

  describe('the upstream of the branch', () => {
    const tracking = (upstream: string, isPushed = false): WorldOptions =>
      ({ branch: 'mine', git: tracks({ remote: 'origin', ref: upstream, isPushed }) });

    it('counts if its name differs and git pushes the branch there', async () => {
      expect(await used(onBranch({}), tracking('refs/heads/topic', true)))
        .toBe('mr/5 "change 5", the open merge request of branch topic, the upstream of mine');
    });

    it('does not count if a new branch only starts there, wherever HEAD is', async () => {
      const apart = { distance: async () => ({ onlyFrom: 1, onlyTo: 0 }) };
      await everyRow([head, 'd'.repeat(40)], (head_sha) => head_sha, async (head_sha) => {
        const options = tracking('refs/heads/main');
        expect(await used(onBranch({ source_branch: 'main', head_sha }), { ...options, git: { ...options.git, ...apart } }))
          .toBe('2: no open merge request in acme/app has the source branch mine');
      });
    });

    it('does not count in the repository itself', async () => {
      expect(await used(onBranch({}), { branch: 'mine', git: tracks({ remote: '.', ref: 'refs/heads/topic', isPushed: true }) }))
        .toBe('2: no open merge request in acme/app has the source branch mine');
    });

    it('gives way to the merge request of the branch itself', async () => {
      for (const isPushed of [false, true]) {
        expect(await used(onBranch({ source_branch: 'mine' }, {}), tracking('refs/heads/topic', isPushed)))
          .toBe('mr/5 "change 5", the open merge request of branch mine');
      }
    });

    it('can be the head of a merge request', async () => {
      const { run } = await inWorld(onBranch({}, {}), tracking('refs/merge-requests/6/head'));
      const { code, err, sent } = await run('discussions', 'list');
      expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('using mr/6, which branch mine tracks\n') as string });
      expect(sent.map(({ target }) => target.split('?')[0])).toEqual(['/api/v4/projects/acme%2Fapp/merge_requests/6/discussions']);
    });

    it('is named if neither has a merge request', async () => {
      expect(await used(onBranch({ state: 'merged' }), tracking('refs/heads/topic', true)))
        .toBe('2: no open merge request in acme/app has the source branch mine or its upstream topic');
    });
  });

  it('a detached HEAD is named', async () => {
    const options: WorldOptions = { workTree: '/repo', git: { sha: async () => 'a1b2c3d4'.repeat(5) } };
    const { code, err, sent } = await ranIn(options, 'discussions', 'list');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toMatch(/^colloquy: no merge request, .* given, and HEAD is detached at a1b2c3d4\nname one: /);
    expect((await ranIn({ workTree: '/repo' }, 'discussions', 'list')).err).toContain('epic or commit given\n');
  });

  it.each([[{ GITLAB_CI: 'true' }], [{ CI_PROJECT_ID: '20' }]])('no branch is looked up with %j', async (env) => {
    const { code, sent } = await ranIn({ branch: 'topic', env }, 'discussions', 'list');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
  });

  it('a number of the job that is none is a usage error', async () => {
    const { code, err, sent } = await ranIn({ branch: 'topic', env: { CI_MERGE_REQUEST_IID: '--help' } }, 'discussions', 'list');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain('CI_MERGE_REQUEST_IID is "--help", not a number');
  });
});

describe('merge requests of other projects with the same branch name', () => {
  const decoy = { title: 'decoy', author: 'guest', source_project: 'guest/app' };

  it('are never used, wherever the branch comes from', async () => {
    const rows: [string, Partial<MergeRequest>[], WorldOptions, string][] = [
      ['beside that of the project', [{}, decoy], {}, 'mr/5 "change 5", the open merge request of branch topic'],
      ['before that of the project', [decoy, {}], {}, 'mr/6 "change 6", the open merge request of branch topic'],
      ['alone', [decoy, decoy], {}, '2: no open merge request in acme/app has the source branch topic; of other projects: mr/6, mr/5'],
      ['on the main branch', [{ ...decoy, source_branch: 'main' }], { branch: 'main' },
        '2: no open merge request in acme/app has the source branch main; of other projects: mr/5'],
      ['with a remote of the service', [decoy, {}], { remotes: [remote('origin', 'acme/app')] }, 'mr/6 "change 6", the open merge request of branch topic'],
      ['with remotes of another service', [decoy, {}], { remotes: [remote('origin', 'guest/app', 'github.com')], git: tracks({ remote: 'origin' }) },
        'mr/6 "change 6", the open merge request of branch topic'],
      ['of the upstream', [{ ...decoy, source_branch: 'main' }, { source_branch: 'mine' }], { branch: 'mine', git: tracks({ ref: 'refs/heads/main' }) },
        'mr/6 "change 6", the open merge request of branch mine'],
      ['with hostile names', [{ ...decoy, title: '\n::error::$(id)', source_branch: '$(id)' }], { branch: '$(id)' },
        '2: no open merge request in acme/app has the source branch $(id); of other projects: mr/5'],
    ];
    await everyRow(rows, ([name]) => name, async ([, merge_requests, options, wanted]) => {
      for (const env of [{}, { CI: 'true', GITHUB_SHA: head }]) {
        expect(await used(onBranch(...merge_requests), { ...options, env })).toBe(wanted);
      }
    });
  });

  it('are never used if the service does not say from which project they are, or has no number for them', async () => {
    await everyRow([
      { source_project_id: undefined, target_project_id: undefined }, { source_project_id: null, target_project_id: null },
      { source_project_id: null }, { iid: 0 }, { iid: -1 }, { iid: '../6' }, { iid: 1.5 },
    ], (change) => JSON.stringify(change), async (change) => {
      const service = await testService({ world: onBranch({}) });
      const answer = async (request: HttpRequest) => {
        const response = await service.handle(request);
        if (!/merge_requests\?/.test(request.target)) return response;
        const [one] = JSON.parse(Buffer.from(response.body).toString()) as [object];
        return { ...response, body: JSON.stringify([{ ...one, ...change }]) };
      };
      const { code, sent } = await ranIn({ branch: 'topic', service, answer, git }, 'notes', 'add', '-m', 'hello');
      expect([code === 0, sent.length]).toEqual([false, 1]);
    });
  });

  it('count if the branch tracks the fork', async () => {
    const fork = { title: 'own', source_project: 'developer/app' };
    const both = [remote('origin', 'developer/app'), remote('upstream', 'acme/app')];
    const rows: [string, WorldOptions, string][] = [
      ['by name', { remotes: both, git: tracks({ remote: 'origin' }) }, 'mr/6 "own"'],
      ['by address', {
         remotes: [remote('origin', 'acme/app')], git: tracks({ remote: 'http://service.test/developer/app.git' }) }, 'mr/6 "own"'],
      ['by the remote that it is pushed to', {
        remotes: both, git: tracks({ remote: 'upstream', ref: 'refs/heads/main', pushRemote: 'origin' }) }, 'mr/6 "own"'],
      ['by the address that the remote is pushed to', {
        remotes: [{ ...remote('origin', 'acme/app'), pushUrls: [remote('', 'x/mirror', 'mirror.test').url, remote('', 'developer/app').url] }],
        git: tracks({ remote: 'origin', ref: 'refs/heads/topic' }) }, 'mr/6 "own"'],
      ['by the remote that it is pushed to, with the same name', {
        remotes: both, git: tracks({ remote: 'upstream', ref: 'refs/heads/topic', pushRemote: 'origin' }) }, 'mr/6 "own"'],
      ['by the only remote', { remotes: [remote('mine', 'developer/app')] }, 'mr/6 "own"'],
      ['by origin, if git is not told', { remotes: both }, 'mr/6 "own"'],
      ['by origin, if it tracks a branch of the repository itself', { remotes: both, git: tracks({ remote: '.', ref: 'refs/heads/main' }) }, 'mr/6 "own"'],
      ['or the project, if it is pushed to another service', {
        remotes: [{ ...remote('origin', 'acme/app'), pushUrls: [remote('', 'developer/app', 'mirror.test').url] }] }, 'mr/5 "change 5"'],
      ['or the project', { remotes: both, git: tracks({ remote: 'upstream' }) }, 'mr/5 "change 5"'],
      ['or a fork without one', { remotes: [remote('origin', 'guest/app')], git: tracks({ remote: 'origin' }) },
        '2: no open merge request in acme/app has the source branch topic of guest/app; of other projects: mr/7, mr/6, mr/5'],
      ['but not a fork that the token cannot read', { remotes: [remote('origin', 'outsider/app')] },
        '2: cannot tell which merge requests of acme/app come from outsider/app: the token has no access to it'],
    ];
    await everyRow(rows, ([name]) => name, async ([, options, wanted]) => {
      expect(await used(onBranch({}, fork, { ...decoy, source_project: 'outsider/app' }), options)).toContain(wanted);
    });
  });

  it('count as those of a project that is configured by its number', async () => {
    const env = { COLLOQUY_PROJECT: '20' };
    expect(await used(onBranch(decoy, {}), { env })).toContain('mr/6');
    expect(await used(onBranch(decoy, {}), { env, remotes: [remote('origin', 'acme/app')] })).toContain('mr/6');
  });

  it('a head of a merge request that a branch tracks is that of the remote', async () => {
    const world = onBranch({}, {});
    const git = tracks({ remote: 'origin', ref: 'refs/merge-requests/5/head' });
    expect(await used(world, { remotes: [remote('origin', 'acme/app')], git })).toContain('mr/5');
    expect(await used(world, { remotes: [remote('origin', 'guest/app')], git }))
      .toBe('2: branch topic tracks mr/5 of guest/app, not of acme/app');
  });
});

describe('the head of the merge request', () => {
  const other = 'd'.repeat(40);
  const apart = (onlyFrom: number, onlyTo: number) => ({ git: { distance: async () => ({ onlyFrom, onlyTo }) } });

  it('is HEAD, an ancestor or a descendant outside CI', async () => {
    const rows: [string, WorldOptions, string][] = [
      ['ancestor', apart(2, 0), 'mr/5 "change 5", the open merge request of branch topic, 2 commits behind HEAD'],
      ['descendant', apart(0, 1), 'mr/5 "change 5", the open merge request of branch topic, 1 commit ahead of HEAD'],
      ['neither', apart(2, 1), `2: the head of mr/5 is ${other}, which is neither an ancestor nor a descendant of HEAD (cccccccc)`],
      ['unknown', {}, `2: the head of mr/5 is ${other}, which is not in this repository`],
    ];
    await everyRow(rows, ([name]) => name, async ([, options, wanted]) => {
      expect(await used(onBranch({ head_sha: other }), options)).toBe(wanted);
    });
    expect(await used(onBranch({ head_sha: other }, {}), apart(1, 1))).toContain('mr/6');
  });

  it('is the commit of the job in CI', async () => {
    const rows: [string, Partial<MergeRequest>[], Record<string, string>, string][] = [
      ['HEAD', [{}], {}, 'mr/5'],
      ['the variable of GitHub', [{ head_sha: other }], { GITHUB_SHA: other }, 'mr/5'],
      ['that of GitLab', [{ head_sha: other }], { CI_COMMIT_SHA: other }, 'mr/5'],
      ['one of several', [{}, { head_sha: other }], {}, 'mr/5'],
      ['another', [{ head_sha: other }], {}, `2: mr/5 has moved on to ${other}; this job is about ${head}`],
      ['another than HEAD', [{}], { GITHUB_SHA: other }, `2: mr/5 has moved on to ${head}; this job is about ${other}`],
      ['none of several', [{ head_sha: other }, { head_sha: 'e'.repeat(40) }], {}, `2: mr/6 has moved on to ${'e'.repeat(40)}, mr/5 has moved on to ${other}`],
      ['that of several', [{}, { target_branch: 'stable' }], {}, '2: branch topic has 2 open merge requests'],
    ];
    await everyRow(rows, ([name]) => name, async ([, merge_requests, env, wanted]) => {
      expect(await used(onBranch(...merge_requests), { ...apart(0, 1), env: { CI: 'true', ...env } })).toContain(wanted);
    });
  });

  it('is checked in CI if the branch tracks it, and a job with a terminal is asked nothing', async () => {
    const world = onBranch({ head_sha: other }, {}, {});
    const env = { CI: 'true' };
    const tracking = (iid: number) => tracks({ ref: `refs/merge-requests/${iid}/head` });
    expect(await used(world, { env, git: tracking(5) })).toContain(`2: mr/5 has moved on to ${other}`);
    expect(await used(world, { env, git: tracking(6) })).toContain('mr/6');
    expect(await used(world, { env, terminal: true, answers: [0] })).toBe('2: branch topic has 2 open merge requests');
  });
});
