import { describe, expect, it } from 'vitest';
import { testApp } from '../../../support/app.js';
import { isAll } from '../../../support/extent.js';
import { changed, fixed, inGit, proofRepository, source, type ProofRepository } from '../../../support/proofs.js';

const marked = (fix: string) => ({ json: { body: `Fixed.\n\n<!-- colloquy:fix=${fix} patch=${'0'.repeat(40)} hash=0000000000000000 -->` } });

const json = (body: string, total = '1') => ({ status: 200, headers: { 'content-type': 'application/json', 'x-total': total }, body });
const missing = { status: 404, headers: { 'content-type': 'application/json' }, body: '{"error":"404 Not Found"}' };

interface Version { base_commit_sha: string; head_commit_sha: string; state: string; real_size: string; diffs?: { diff: string }[] }

/** Runs the gate with other responses where the path matches. */
const checkWith = async <T>({ service }: ProofRepository, path: RegExp, alter: (value: T) => T | null) => {
  const { run } = await testApp({ service, answer: async (request) => {
    const response = await service.handle(request);
    if (request.method !== 'GET' || !path.test(request.target)) return response;
    const value = alter(JSON.parse(Buffer.from(response.body ?? '').toString()) as T);
    return value === null ? missing : { ...response, headers: missing.headers, body: JSON.stringify(value) };
  } });
  return run('discussions', 'check', '!1', '--proven');
};

/** Runs it with another newest version of the diff, which ends in `head`. */
const checkVersion = (repository: ProofRepository, head: string, alter: (version: Version) => Partial<Version> | null) =>
  checkWith<Version | Version[]>(repository, /\/versions\b/, (value) => {
    const all = [value].flat().flatMap((one) => one.head_commit_sha === head ? alter(one) === null ? [] : { ...one, ...alter(one) } : one);
    return Array.isArray(value) ? all : all[0] ?? null;
  });

const forget = async ({ service, notesOf }: ProofRepository, thread: string): Promise<void> => {
  const note = (await notesOf(thread)).at(-1)!.id;
  await service.delete(`/projects/20/merge_requests/1/discussions/${thread}/notes/${note}`);
};

describe('check --proven', () => {
  it('is green while the fix is there, and also for threads without a proof', async () => {
    const repository = await proofRepository(inGit);
    const [one, other] = [await repository.comment(), await repository.comment()];
    repository.commit({ [source]: fixed });
    await repository.push();
    await repository.resolve(one, '--fixed-by', 'HEAD');
    expect((await repository.check('--proven')).code).toBe(8);
    await repository.resolve(other);
    expect(await repository.check('--proven', '--json')).toMatchObject({ code: 0, out: '[]\n' });
  });

  it('lists the threads whose fix is gone or reverted, and says so', async () => {
    const repository = await proofRepository(inGit);
    const thread = await repository.revertedThread();
    expect(await repository.check()).toMatchObject({ code: 0 });
    const reverted = await repository.check('--proven');
    expect(reverted).toMatchObject({ code: 8, err: expect.stringContaining('src/a.ts:6: fix reverted: reporter: please fix this\n') as string });
    expect(reverted.err).toContain('colloquy: 1 thread of mr/1 whose fix was reverted\n');
    repository.git('reset', '--quiet', '--hard', repository.first);
    repository.commit({ 'src/other.ts': 'x\n' });
    await repository.push(true);
    const { code, out, err } = await repository.check('--proven', '--json=id,proof');
    expect({ code, out: JSON.parse(out) as unknown }).toEqual({ code: 8, out: [{ id: thread, proof: 'gone' }] });
    expect(err).toContain('1 thread of mr/1 whose fix is gone');
  });

  it('is not green if the commits, or what they change, cannot be read', async () => {
    const repository = await proofRepository();
    const thread = await repository.comment();
    const fix = repository.commit({ [source]: fixed });
    await repository.push();
    await repository.resolve(thread, '--fixed-by', fix);
    const file = { old_path: source, new_path: source, a_mode: '100644', b_mode: '100644', new_file: false, renamed_file: false, deleted_file: false };
    const diff = '@@ -6,1 +6,1 @@\n-bad(value);\n+good(value);\n';
    const files = [
      { ...file, diff: '', too_large: true }, { ...file, diff, old_path: undefined, new_path: undefined }, { ...file, diff, old_path: null, new_path: null },
      { ...file, diff: `Binary files a/${source} and b/${source} differ\n` },
    ];
    const answers = {
      '/merge_requests/1/commits': [json('[]', '9'), { status: 404 }],
      [`/commits/${fix}/diff`]: [json('[]', '2'), ...files.map((one) => json(JSON.stringify([one])))],
    };
    for (const [part, all] of Object.entries(answers)) {
      for (const answer of all) {
        const { run } = await testApp({ service: repository.service, answer: ({ target }) =>
          target.includes(part) ? { ...missing, ...answer } : target.includes('/compare') ? missing : undefined });
        const { code, err } = await run('discussions', 'check', '!1', '--proven');
        expect([part, answer, code, err]).toEqual([part, answer, 10, expect.stringContaining('cannot check the fix of 1 thread of mr/1')]);
      }
    }
  });

  it('is not green for commits that are not those of the head, which it reads twice', async () => {
    const repository = await proofRepository();
    await repository.revertedThread();
    const older = async (times: number) => {
      let reads = 0;
      return checkWith<unknown[]>(repository, /\/merge_requests\/1\/commits/, (all) => reads++ < times ? all.slice(1) : all);
    };
    expect((await older(1)).code).toBe(8);
    expect(await older(2)).toMatchObject({ code: 10, err: expect.stringContaining('the commits of mr/1 do not match its head') as string });
  });

  const otherBase = { base_commit_sha: '9'.repeat(40) };
  const incomparable: readonly [what: string, code: number, alter: (version: Version) => Partial<Version> | null][] = [
    ['another base, as after a merge of the target', 8, () => otherBase],
    ['more files than the service shows', 10, () => ({ state: 'overflow' })],
    ['a number of files that is a lower limit', 10, () => ({ real_size: '1000+' })],
    ['no version for the head yet', 10, () => null],
    ['a binary file', 10, ({ diffs }) => ({ diffs: diffs?.map((file) => ({ ...file, diff: `Binary files a/${source} and b/${source} differ\n` })) ?? [] })],
  ];

  it('is red for a fix that was reverted, also if the versions of the diff cannot be compared', async () => {
    const repository = await proofRepository();
    await repository.revertedThread();
    const head = repository.git('rev-parse', 'HEAD');
    expect((await repository.check('--proven')).code).toBe(8);
    for (const [what, code, alter] of incomparable) {
      expect([what, (await checkVersion(repository, head, alter)).code]).toEqual([what, code]);
    }
    expect((await checkWith(repository, /\/versions\b/, () => null)).code).toBe(10);
  });

  it('knows after a merge of the target which of several lines the merge request had added', async () => {
    const both = changed.replace('bad(value);\nconst value6 = 6;\n', 'better(value);\nbest(value);\n');
    for (const text of [fixed, changed.replace('const value6 = 6;\n', 'better(value);\n'), both]) {
      const repository = await proofRepository();
      const [start, end] = [{ new_line: 6 }, { new_line: 7, old_line: 6 }];
      const thread = await repository.comment({ ...end, line_range: { start, end } });
      const fix = repository.commit({ [source]: text });
      await repository.push();
      expect(await repository.resolve(thread, '--fixed-by', fix)).toMatchObject({ code: 0 });
      const more = repository.commit({ 'src/other.ts': 'x\n' });
      await repository.push();
      const first = await checkVersion(repository, more, () => otherBase);
      const reverted = repository.commit({ [source]: changed });
      await repository.push();
      const second = await checkVersion(repository, reverted, () => otherBase);
      expect([text, first.code, second.code]).toEqual([text, 0, 8]);
    }
  });

  it('needs a clone for a removed line that the fix brings back', async () => {
    const repository = await proofRepository(inGit);
    const thread = await repository.comment({ old_line: 16 });
    repository.commit({ [source]: changed.replace('value16 = 0', 'value16 = 16') });
    await repository.push();
    expect(await repository.resolve(thread, '--fixed-by', 'HEAD')).toMatchObject({ code: 0 });
    repository.commit({ [source]: changed });
    await repository.push();
    expect((await repository.check('--proven')).code).toBe(8);
    const { run } = await testApp({ service: repository.service });
    expect((await run('discussions', 'check', '!1', '--proven')).code).toBe(10);
  });

  it('is green after commits that do not change the file, and red if they bring it back', async () => {
    const repository = await proofRepository();
    const thread = await repository.comment();
    const fix = repository.commit({ [source]: null });
    await repository.push();
    expect(await repository.resolve(thread, '--fixed-by', fix)).toMatchObject({ code: 0 });
    repository.commit({ 'src/other.ts': 'x\n' });
    await repository.push();
    expect(await checkWith(repository, /\/versions\b/, () => null)).toMatchObject({ code: 0 });
    const head = repository.commit({ [source]: changed });
    await repository.push();
    expect(await checkVersion(repository, head, () => otherBase)).toMatchObject({ code: 8 });
  });

  it('reads commits once for hundreds of threads', async () => {
    const repository = await proofRepository();
    const threads = [];
    for (let i = 0; i < (isAll ? 200 : 110); i++) threads.push(await repository.comment());
    const fix = repository.commit({ [source]: fixed });
    await repository.push();
    expect((await repository.run('discussions', 'resolve', '!1', '--all', '--yes', '--fixed-by', fix)).code).toBe(0);
    const plain = await repository.check();
    const proven = await repository.check('--proven');
    expect([plain.code, proven.code]).toEqual([0, 0]);
    const extra = proven.sent.map(({ target }) => target.split('?')[0]!).filter((target) => !/(?:discussions|merge_requests\/1)$/.test(target));
    const [before, after] = [/\/versions\/\d+$/, /\/versions\/\d+$/];
    const expected = [/\/merge_requests\/1\/commits$/, new RegExp(`/commits/${fix}/diff$`), /\/merge_requests\/1\/versions$/, before, after];
    expect(extra).toHaveLength(expected.length);
    for (const one of expected) expect(extra.some((target) => one.test(target)), one.source).toBe(true);
    expect(proven.sent.length - plain.sent.length).toBe(extra.length + 1);
  }, 60_000);
});

describe('check --require-proof', () => {
  it('wants a proof for threads of others that the author of the merge request resolved', async () => {
    const repository = await proofRepository(inGit);
    const [one, other] = [await repository.comment(), await repository.comment()];
    const fix = repository.commit({ [source]: fixed });
    await repository.push();
    for (const id of [one, other]) await repository.resolve(id);
    expect((await repository.check('--proven')).code).toBe(0);
    expect(await repository.check('--require-proof')).toMatchObject({
      code: 8, err: expect.stringMatching(new RegExp('2 threads of mr/1 resolved by the author of the merge request without a proof\n'
        + 'name the commits that fix them: `colloquy discussions resolve mr/1 \\w{40} \\w{40} --fixed-by SHA`\n$')) as string });
    await repository.resolve(one, '--fixed-by', fix);
    expect((await repository.check('--require-proof', '--json=id,proof')).out).toBe(`[{"id":"${other}","proof":"none"}]\n`);
    await repository.service.put(`/projects/20/merge_requests/1/discussions/${other}`, { json: { resolved: false }, as: 'maintainer' });
    await repository.service.put(`/projects/20/merge_requests/1/discussions/${other}`, { json: { resolved: true }, as: 'maintainer' });
    expect((await repository.check('--require-proof')).code).toBe(0);
  });

  it('takes no marker for a proof: neither of a commit that does not change the lines, nor of one that is nowhere', async () => {
    for (const options of [inGit, {}]) {
      const repository = await proofRepository(options);
      const thread = await repository.comment();
      const unrelated = repository.commit({ 'src/other.ts': 'x\n' });
      await repository.push();
      for (const claim of [unrelated, repository.first, repository.base, 'f'.repeat(40), '--help', 'HEAD']) {
        await repository.service.post(`/projects/20/merge_requests/1/discussions/${thread}/notes`, marked(claim));
        await repository.resolve(thread);
        // Nothing is known of the first commit of the repository but that the head has it.
        const code = claim === repository.base && options === inGit ? 10 : 8;
        expect([claim, (await repository.check('--require-proof')).code]).toEqual([claim, code]);
        if (code === 10) await forget(repository, thread);
      }
    }
  });
});

it('list, view and agents have the proof', async () => {
  const repository = await proofRepository(inGit);
  const thread = await repository.comment();
  repository.commit({ [source]: fixed });
  await repository.push();
  const list = () => repository.run('discussions', 'list', '!1', '--json=id,proof', '--resolved');
  await repository.resolve(thread, '--fixed-by', 'HEAD');
  expect(JSON.parse((await list()).out)).toEqual([{ id: thread, proof: 'verified' }]);
  const viewed = JSON.parse((await repository.run('discussions', 'view', '!1', '--json=id,proof')).out) as unknown[];
  expect(viewed).toContainEqual({ id: thread, proof: 'verified' });
  expect((await repository.run('discussions', 'view', '!1', '-o', 'agent')).out).toContain(`${thread.slice(0, 8)} resolved fix verified src/a.ts:6`);
  expect((await repository.run('discussions', 'view', '!1', '-o', 'markdown')).out).toContain('[resolved] [fix verified]');
  expect((await repository.run('discussions', 'view', '!1', '-o', 'table')).out).toContain('[resolved, fix verified]');
  repository.commit({}, 'Amended', '--amend');
  await repository.push(true);
  expect(JSON.parse((await list()).out)).toEqual([{ id: thread, proof: 'renewed' }]);
});
