import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/server/world-file/schema.js';
import { ranIn, testApp, type WorldOptions } from '../../../support/app.js';
import { testService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

type MergeRequest = NonNullable<NonNullable<World['projects']>[number]['merge_requests']>[number];

const onBranch = (...merge_requests: Partial<MergeRequest>[]): World => ({
  ...acme,
  projects: acme.projects!.map((project) => project.path !== 'acme/app' ? project : {
    ...project, merge_requests: merge_requests.map((one, index) =>
      ({ iid: index + 5, title: `change ${index + 5}`, author: 'developer', source_branch: 'topic', ...one })),
  }),
});

const inWorld = async (world: World, options: WorldOptions = {}) =>
  testApp({ branch: 'topic', service: await testService({ world }), ...options });

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
    const { code, err } = await ranIn({ branch: 'topic', service: ignoring }, 'discussions', 'list');
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
    const tracking = (upstream: string | null, options: WorldOptions = {}): WorldOptions =>
      ({ branch: 'mine', tools: { gitUpstream: async (branch) => branch === 'mine' ? upstream : null }, ...options });

    it('counts if its name differs', async () => {
      const { run } = await inWorld(onBranch({}), tracking('refs/heads/topic'));
      const { code, err } = await run('discussions', 'list');
      expect({ code, err }).toMatchObject({ code: 0,
        err: expect.stringContaining('using mr/5 "change 5", the open merge request of branch topic, the upstream of mine\n') as string });
    });

    it('does not hide the merge request of the branch itself', async () => {
      const { run } = await inWorld(onBranch({ source_branch: 'mine' }), tracking('refs/heads/main'));
      expect((await run('discussions', 'list')).err).toContain('using mr/5 "change 5", the open merge request of branch mine\n');
    });

    it('and the branch itself are not guessed between', async () => {
      const { run } = await inWorld(onBranch({ source_branch: 'mine' }, {}), tracking('refs/heads/topic'));
      const { code, err } = await run('notes', 'add', '-m', 'hello');
      expect(code).toBe(2);
      expect(err).toContain('branch mine and its upstream topic have 2 open merge requests');
      expect(err).toContain('  mr/6  change 6 (developer)\n  mr/5  change 5 (developer)');
    });

    it('can be the head of a merge request', async () => {
      const { run } = await inWorld(onBranch({}, {}), tracking('refs/merge-requests/6/head'));
      const { code, err, sent } = await run('discussions', 'list');
      expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('using mr/6, which branch mine tracks\n') as string });
      expect(sent.map(({ target }) => target.split('?')[0])).toEqual(['/api/v4/projects/acme%2Fapp/merge_requests/6/discussions']);
    });

    it('is named if neither has a merge request', async () => {
      const { run } = await inWorld(onBranch({ state: 'merged' }), tracking('refs/heads/topic'));
      expect((await run('discussions', 'list')).err).toContain('no open merge request in acme/app has the source branch mine or its upstream topic');
    });
  });

  it('a detached HEAD is named', async () => {
    const options: WorldOptions = { workTree: '/repo', tools: { gitCommit: async () => 'a1b2c3d4'.repeat(5) } };
    const { code, err, sent } = await ranIn(options, 'discussions', 'list');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toMatch(/^colloquy: no merge request, .* given, and HEAD is detached at a1b2c3d4\nname one: /);
    expect((await ranIn({ workTree: '/repo' }, 'discussions', 'list')).err).toContain('epic or commit given\n');
  });

  it.each([[{ CI: 'true' }], [{ CI_PROJECT_ID: '20' }]])('no branch is looked up with %j', async (env) => {
    const { code, sent } = await ranIn({ branch: 'topic', env }, 'discussions', 'list');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
  });
});
