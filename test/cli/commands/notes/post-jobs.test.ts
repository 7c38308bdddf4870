import { expect, it } from 'vitest';
import type { PostResult } from '../../../../src/cli/notes/findings/result.js';
import { shortIds } from '../../../../src/cli/notes/thread-id.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { readMarker, withMarker } from '../../../../src/wire/note-text.js';
import { testApp } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService, type TestService } from '../../../support/service.js';
import { refs } from '../../../support/worlds.js';

type Env = Readonly<Record<string, string>>;

/** A job that reports one finding for each rule. */
interface Job { readonly env: Env; readonly rules: readonly string[]; readonly key?: string; readonly file?: string; readonly prefix?: string }

const base = '/projects/20/merge_requests/1/discussions';

/** All runs have read everything before the first of them writes; their first writes are in the order of the jobs. */
const runTogether = (service: TestService, jobs: readonly Job[]) => {
  let reading = jobs.length;
  const starts = jobs.map(() => {
    let open = () => {};
    return { promise: new Promise<void>((resolve) => { open = resolve; }), open: () => open() };
  });
  const arrive = () => { if (--reading === 0) starts[0]!.open(); };
  return Promise.all(jobs.map(async ({ env, rules, key = 'lint', file = 'report', prefix }, i) => {
    let first: Promise<unknown> | null = null;
    const next = () => starts[i + 1]?.open();
    const report = rules.map((rule) => `app.js:2:1: error: no ${rule} [${rule}]\n`).join('');
    const { run } = await testApp({
      service, env: { COLLOQUY_PROJECT: 'acme/app', ...env }, workTree: '/app', files: { [file]: report, '/app/app.js': 'one\nzwei\nthree\nfour\n' },
      answer: (request) => {
        if (request.method === 'GET') return undefined;
        if (first !== null) return first.then(() => service.handle(request));
        arrive();
        const answered = starts[i]!.promise.then(() => service.handle(request));
        first = answered.then(next);
        return answered;
      },
    });
    const folder = prefix === undefined ? [] : ['--prefix', prefix];
    const ran = await run('notes', 'post', 'mr/1', file, '--from', 'lines', '--key', key, ...folder, '--allow-empty', '--json');
    if (first === null) {
      arrive();
      void starts[i]!.promise.then(next);
    }
    return { ...ran, result: JSON.parse(ran.out) as PostResult };
  }));
};

const openRules = async (service: TestService): Promise<string[]> => {
  const { body } = await service.get<Discussion[]>(`${base}?per_page=100`);
  return body.flatMap(({ notes: [note] }) => readMarker(note!.body).marker?.['fp'] !== undefined && note!.resolved === false
    ? [/`(r\d)`/.exec(note!.body)![1]!] : []).sort();
};

type Named = (pipeline: number, job: string, attempt?: number) => Env;

const gitlab: Named = (pipeline, job, attempt = 0) => ({
  CI: 'true', CI_PROJECT_DIR: '/app', CI_PROJECT_ID: '20', CI_MERGE_REQUEST_IID: '1', CI_COMMIT_SHA: refs.head,
  CI_PIPELINE_IID: String(pipeline), CI_JOB_NAME: job, CI_JOB_ID: `${pipeline}${attempt}${job.length}${job.charCodeAt(0)}${job.charCodeAt(5) || 0}`,
});
const services: readonly (readonly [string, Named])[] = [
  ['GitLab CI', gitlab],
  ['GitLab CI with parallel jobs', (pipeline, job, attempt) => gitlab(pipeline, `lint ${job.charCodeAt(0)}/200`, attempt)],
  ['GitHub Actions', (pipeline, job, attempt = 0) => ({
    CI: 'true', GITHUB_WORKFLOW: 'Checks', GITHUB_JOB: job, GITHUB_RUN_ID: String(pipeline), GITHUB_RUN_ATTEMPT: String(attempt + 1) })],
  ['stages of Jenkins', (pipeline, job, attempt = 0) => ({ JOB_NAME: 'app/PR-1', STAGE_NAME: job, BUILD_TAG: `jenkins-app-PR-1-${pipeline}-${attempt}` })],
];

interface Story {
  readonly name: string;
  /** The jobs that run at once in each pipeline, each with the rules of its findings. */
  readonly pipelines: readonly Readonly<Record<string, readonly string[]>>[];
  readonly open: readonly string[];
}

const both = { a: ['r1'], b: ['r1'] };

const stories: readonly Story[] = [
  { name: 'both have what they had', pipelines: [{ a: ['r1'], b: ['r2'] }, { a: ['r1'], b: ['r2'] }], open: ['r1', 'r2'] },
  { name: 'one finds nothing any more', pipelines: [{ a: ['r1'], b: ['r2'] }, { a: [], b: ['r2'] }], open: ['r2'] },
  { name: 'both find nothing any more', pipelines: [{ a: ['r1'], b: ['r2'] }, { a: [], b: [] }], open: [] },
  { name: 'one of two that found the same does not later', pipelines: [both, both, { a: [], b: ['r1'] }], open: ['r1'] },
  { name: 'one of two that found the same does not any more', pipelines: [both, { a: [], b: ['r1'] }], open: ['r1'] },
  { name: 'the other found it later', pipelines: [{ a: ['r1'], b: [] }, both, { a: [], b: ['r1'] }], open: ['r1'] },
  { name: 'the other found it after the fix', pipelines: [{ a: ['r1'] }, { a: [] }, { b: ['r1'] }, { a: [], b: ['r1'] }, { b: [] }], open: ['r1'] },
];

it('leaves the threads of jobs that post with the same key at the same time to the jobs that found them', async () => {
  const rows = services.flatMap(([service, named]) => stories.map((story) => ({ service, named, ...story })));
  await everyRow(rows, ({ service, name }) => `${service}: ${name}`, async ({ named, pipelines, open }) => {
    const service = await testService();
    for (const [i, jobs] of pipelines.entries()) {
      const runs = await runTogether(service, Object.entries(jobs).map(([job, rules]) => ({ env: named(i + 1, job), rules })));
      expect(runs.map(({ code }) => code)).toEqual(runs.map(() => 0));
    }
    expect(await openRules(service)).toEqual(open);
  });
});

const stays = (job: string) => `1 thread stays open: posted by another job with the key lint: ${job}; if that job was renamed, resolve it: `;

it('says which thread of another job stays open, once, with exit 0', async () => {
  const names = ['lint', 'Checks/lint', 'app/PR-1/lint'];
  const rows = [services[0]!, ...services.slice(2)].map(([name, named], i) => ({ name, named, job: names[i]! }));
  await everyRow(rows, ({ name }) => name, async ({ named, job }) => {
    const service = await testService();
    await runTogether(service, [{ env: named(1, 'lint'), rules: ['r1'] }]);
    const [ran] = await runTogether(service, [{ env: named(2, 'style'), rules: [] }]);
    const id = ran!.result.left[0]!.discussion_id!.slice(0, 8);
    expect([ran!.code, ran!.err.endsWith(`mr/1: left 1\n${stays(job)}\`colloquy discussions resolve mr/1 ${id}\`\n`)]).toEqual([0, true]);
    expect(ran!.result).toMatchObject({ resolved: [], left: [{ rule: 'r1', reason: `posted by another job: ${job}` }] });
  });
});

it('leaves open what another job finds while this one resolves it, whichever writes first', async () => {
  await everyRow([['lint', 'style'], ['style', 'lint']], (order) => order.join(), async (order) => {
    const service = await testService();
    await runTogether(service, [{ env: gitlab(1, 'lint'), rules: ['r1'] }]);
    const runs = await runTogether(service, order.map((job) => ({ env: gitlab(2, job), rules: job === 'lint' ? [] : ['r1'] })));
    const [fixed, found] = order[0] === 'lint' ? runs : runs.toReversed();
    expect(found!.result.updated).toMatchObject([{ rule: 'r1' }]);
    const left = { resolved: [], left: [{ reason: 'posted by another job: style' }] };
    expect(fixed!.result).toMatchObject(order[0] === 'style' ? left : { resolved: [{ rule: 'r1' }], left: [] });
    expect([runs.map(({ code }) => code), await openRules(service)]).toEqual([[0, 0], ['r1']]);
  });
});

interface Rename { readonly name: string; readonly before: Omit<Job, 'rules'>; readonly after: Omit<Job, 'rules'>; readonly open: readonly string[] }

it('resolves threads of the same job and of a key with its name, and outside of CI all threads', async () => {
  const rows: readonly Rename[] = [
    { name: 'a retry that names its file otherwise', before: { env: gitlab(1, 'lint') }, after: { env: gitlab(1, 'lint', 1), file: 'other' }, open: [] },
    { name: 'a later pipeline', before: { env: gitlab(1, 'lint') }, after: { env: gitlab(2, 'lint'), file: 'other' }, open: [] },
    {
      name: 'a renamed job with the key that the old name gave',
      before: { env: gitlab(1, 'lint'), key: 'lint/eslint' }, after: { env: gitlab(2, 'style'), key: 'lint/eslint' }, open: [],
    },
    { name: 'a renamed job with a key of any other name', before: { env: gitlab(1, 'lint') }, after: { env: gitlab(2, 'style') }, open: ['r1'] },
    { name: 'another node of the job', before: { env: gitlab(1, 'lint 1/3') }, after: { env: gitlab(2, 'lint 2/3') }, open: ['r1'] },
    { name: 'a terminal', before: { env: gitlab(1, 'lint') }, after: { env: {} }, open: [] },
    { name: 'a service whose jobs have no names', before: { env: gitlab(1, 'lint') }, after: { env: { CI: 'true' } }, open: [] },
    { name: 'threads of a terminal', before: { env: {} }, after: { env: gitlab(2, 'lint') }, open: [] },
  ];
  await everyRow(rows, ({ name }) => name, async ({ before, after, open }) => {
    const service = await testService();
    await runTogether(service, [{ ...before, rules: ['r1'] }]);
    const [ran] = await runTogether(service, [{ ...after, rules: [] }]);
    expect([ran!.code, await openRules(service)]).toEqual([0, open]);
  });
});

it('resolves threads of versions that named no jobs', async () => {
  const service = await testService();
  await runTogether(service, [{ env: gitlab(1, 'lint'), rules: ['r1', 'r2'] }]);
  const threads = (await service.get<Discussion[]>(`${base}?per_page=100`)).body.filter(({ notes: [note] }) => note!.body.includes(' fp='));
  for (const { id, notes: [note] } of threads) {
    const { text, marker } = readMarker(note!.body);
    const { by, ...former } = marker!;
    expect(by).toBe('lint');
    await service.put(`${base}/${id}/notes/${note!.id}`, { json: { body: withMarker(text, former) } });
  }
  const [keeping] = await runTogether(service, [{ env: gitlab(2, 'style'), rules: ['r1', 'r2'] }]);
  const [fixing] = await runTogether(service, [{ env: gitlab(3, 'style'), rules: ['r2'] }]);
  expect([keeping!.result.kept.length, fixing!.result.resolved.map(({ rule }) => rule), await openRules(service)]).toEqual([2, ['r1'], ['r2']]);
});

it('notices a second report of the job with its key, after a retry and outside of GitLab CI too', async () => {
  const rows = services.flatMap(([name, named]) => [0, 1].map((attempts) => ({ name, named, attempts })));
  await everyRow(rows, ({ name, attempts }) => `${name}, retried ${attempts} times`, async ({ named, attempts }) => {
    const service = await testService();
    for (let attempt = 0; attempt <= attempts; attempt++) {
      const env = named(1, 'lint', attempt);
      const [one] = await runTogether(service, [{ env, rules: ['r1'] }]);
      const [two] = await runTogether(service, [{ env, rules: ['r2'], file: 'other' }]);
      expect([one!.code, two!.code]).toEqual([0, 2]);
      expect(two!.err).toContain('nothing is resolved: this job has posted another report with the key lint');
    }
    expect(await openRules(service)).toEqual(['r1', 'r2']);
  });
});

/** What stderr says of threads with another key. */
const otherKeysIn = (err: string) => err.match(/^.* (?:open threads with|open threads? ha(?:s|ve)|accepted under) the key .*$/mg) ?? [];
const otherKeyIn = (err: string) => otherKeysIn(err)[0] ?? null;

it('names the key of open threads about the same findings after a rename', async () => {
  const hint = (count: string, key: string) => `${count} with the key ${key}: after a rename, pass --key ${key}, `
    + `or resolve them with the token of the job: \`colloquy notes post mr/1 --key ${key} --from lines --allow-empty /dev/null\``;
  const service = await testService();
  const post = async (pipeline: number, job: string, key: string, ...rules: string[]) => {
    const [{ err }] = await runTogether(service, [{ env: gitlab(pipeline, job), key, rules }]) as [Awaited<ReturnType<typeof runTogether>>[number]];
    return otherKeyIn(err);
  };
  expect([await post(1, 'lint', 'lint: [web]/eslint', 'r1', 'r2', 'r3'), await post(2, 'style', 'style/eslint', 'r4')]).toEqual([null, null]);
  expect(await post(2, 'check', 'check/eslint', 'r2', 'r3', 'r5')).toBe(hint('2 findings have open threads', "'lint: [web]/eslint'"));
  expect(await post(3, 'check', 'check/eslint', 'r1', 'r2', 'r3'))
    .toMatch(/^3 open threads have the key 'lint: \[web\]\/eslint': after a rename, resolve them /);
  expect(await post(3, 'lint', 'lint: [web]/eslint', 'r1')).toBeNull();
  expect(await post(4, 'test', 'test/eslint', 'r1')).toMatch(/^1 finding has open threads with the key /);
});

it('names each key of open threads, the newest first', async () => {
  const service = await testService();
  await runTogether(service, [{ env: gitlab(1, 'lint'), key: 'a/eslint', rules: ['r1'] }]);
  await runTogether(service, [{ env: gitlab(1, 'style'), key: 'b/eslint', rules: ['r1', 'r3'] }]);
  await runTogether(service, [{ env: gitlab(1, 'web'), key: 'c d/eslint', rules: ['r2', 'r3'] }]);
  const [renamed] = await runTogether(service, [{ env: gitlab(2, 'check'), key: 'check/eslint', rules: ['r1', 'r2', 'r3'] }]);
  const [line, ...more] = otherKeysIn(renamed!.err);
  expect(more).toEqual([]);
  expect(line).toMatch(/^2 findings have open threads with the key 'c d\/eslint': after .*dev\/null`, and 2 older keys: b\/eslint, a\/eslint$/);
});

it('names the user whose threads have its key, as long as one is open or accepted', async () => {
  const service = await testService();
  const post = async (as: string, rules: readonly string[], key = 'lint') => {
    const [ran] = await runTogether(service, [{ env: { COLLOQUY_TOKEN: `${as}-token` }, rules, key }]);
    return { threads: ran!.result.created.map(({ discussion_id: id }) => id!), said: /^.* by maintainer.*$/m.exec(ran!.err)?.[0] ?? null };
  };
  const resolve = (id: string) => service.put(`${base}/${id}`, { as: 'developer', json: { resolved: true } });
  const { threads, said } = await post('maintainer', ['r1', 'r2', 'r3']);
  const ids = [...shortIds(threads.slice(0, 2)).values()];
  expect([said, (await post('owner', ['r1'], 'other')).said]).toEqual([null, null]);
  await resolve(threads[2]!);
  expect((await post('owner', ['r1', 'r3'])).said).toBe('2 open and 1 accepted threads with the key lint are by maintainer, and this token '
    + `does not continue them: use the token of maintainer, or resolve them: \`colloquy discussions resolve mr/1 ${ids[0]} ${ids[1]}\``);
  await resolve(threads[0]!);
  expect((await post('owner', ['r1', 'r3'])).said).toBe('1 open thread with the key lint is by maintainer, and this token '
    + `does not continue it: use the token of maintainer, or resolve it: \`colloquy discussions resolve mr/1 ${threads[1]!.slice(0, 8)}\``);
  await resolve(threads[1]!);
  expect((await post('owner', ['r1', 'r3'])).said).toBeNull();
});

it('names no key of a job that runs in the same pipeline', async () => {
  await everyRow(services, ([name]) => name, async ([, named]) => {
    const service = await testService();
    await runTogether(service, [{ env: named(1, 'lint'), key: 'one', rules: ['r1'] }]);
    const [same] = await runTogether(service, [{ env: named(1, 'style'), key: 'two', rules: ['r1'] }]);
    const [again] = await runTogether(service, [{ env: named(1, 'check'), key: 'three', rules: ['r1'] }]);
    const [later] = await runTogether(service, [{ env: named(2, 'test'), key: 'four', rules: ['r1'] }]);
    expect([same, again, later].map((ran) => otherKeyIn(ran!.err) !== null)).toEqual([false, false, true]);
  });
});

it('names the key of accepted findings after a rename, and then that of the threads which the renamed job had posted', async () => {
  const service = await testService();
  const post = async (pipeline: number, job: string, key: string) => {
    const [ran] = await runTogether(service, [{ env: gitlab(pipeline, job), key, rules: ['r1', 'r2'] }]);
    return { hint: otherKeyIn(ran!.err), result: ran!.result };
  };
  const accept = (threads: PostResult['created']) => Promise.all(threads.map(({ discussion_id: id }) =>
    service.put(`${base}/${id}`, { as: 'owner', json: { resolved: true } })));
  const clear = (key: string) => `colloquy notes post mr/1 --key ${key} --from lines --allow-empty /dev/null`;
  const { result: { created } } = await post(1, 'lint', 'lint/eslint');
  await accept(created.slice(1));
  expect((await post(2, 'web', 'web/eslint')).hint).toBe('1 finding has open threads with the key lint/eslint, and 1 was accepted: '
    + `after a rename, pass --key lint/eslint to keep that, or resolve the open ones with the token of the job: \`${clear('lint/eslint')}\``);
  for (const pipeline of [3, 4]) {
    expect(await post(pipeline, 'web', 'lint/eslint')).toMatchObject({ result: { kept: [{ rule: 'r1' }], left: [{ rule: 'r2' }] },
      hint: `2 open threads have the key web/eslint: after a rename, resolve them with the token of the job: \`${clear('web/eslint')}\`` });
  }
  const { run } = await testApp({ service, env: { COLLOQUY_PROJECT: 'acme/app' }, workTree: '/app', files: { '/dev/null': '' } });
  expect((await run(...clear('web/eslint').split(' ').slice(1))).err).toContain('mr/1: resolved 2\n');
  expect((await post(5, 'web', 'lint/eslint')).hint).toBeNull();
  await accept(created);
  expect((await post(6, 'check', 'check/eslint')).hint)
    .toBe('2 findings were accepted under the key lint/eslint: after a rename, pass --key lint/eslint to keep that');
});

it('names no newer key of a job that runs in each pipeline too, nor in a retry before that job', async () => {
  const service = await testService();
  const said: (string | null)[] = [];
  for (const pipeline of [1, 2, 3]) {
    for (const job of pipeline === 3 ? ['lint', 'lint', 'style'] : ['lint', 'style']) {
      const [ran] = await runTogether(service, [{ env: gitlab(pipeline, job), key: job, rules: ['r1'] }]);
      said.push(otherKeyIn(ran!.err));
    }
  }
  expect(said.filter((one) => one !== null)).toEqual([]);
});

type Run = readonly [pipeline: number, job: string, tool: string, rules: readonly string[], prefix?: string];

const saidOfKeys = async (named: Named, runs: readonly Run[]) => {
  const service = await testService();
  const said: (string | null)[] = [];
  for (const [pipeline, job, tool, rules, prefix] of runs) {
    const [ran] = await runTogether(service, [{ env: named(pipeline, job), key: `${job}/${tool}`, rules, ...prefix !== undefined && { prefix } }]);
    said.push(otherKeyIn(ran!.err));
  }
  return said;
};

it('names the former key of a renamed job in each run while its threads are open, also in runs without findings', async () => {
  await everyRow(services, ([name]) => name, async ([, named]) => {
    const said = await saidOfKeys(named, [[1, 'lint', 'eslint', ['r1', 'r2']], [2, 'style', 'eslint', ['r1', 'r3']], [3, 'style', 'eslint', ['r1', 'r3']],
      [4, 'style', 'eslint', ['r3']], [5, 'style', 'eslint', []], [6, 'style', 'eslint', []]]);
    expect(said.map((line) => line?.replace(/: .*/, ''))).toEqual([undefined, '1 finding has open threads with the key lint/eslint',
      ...Array<string>(4).fill('2 open threads have the key lint/eslint')]);
  });
});

it('names no key of another tool or folder, nor of a job that may still run', async () => {
  const rows: readonly { readonly name: string; readonly runs: readonly Run[] }[] = [
    { name: 'another tool', runs: [[1, 'lint', 'eslint', ['r1']], [2, 'style', 'ruff', ['r2']], [3, 'style', 'ruff', []]] },
    { name: 'another folder', runs: [[1, 'lint', 'eslint', ['r1']], [2, 'style', 'eslint', ['r2']], [3, 'style', 'eslint', [], 'web']] },
    { name: 'the first run of a key', runs: [[1, 'lint', 'eslint', ['r1']], [2, 'style', 'eslint', []], [3, 'style', 'eslint', ['r2']]] },
    { name: 'a retry', runs: [[1, 'lint', 'eslint', ['r1']], [2, 'style', 'eslint', ['r2']], [2, 'style', 'eslint', ['r2']]] },
    { name: 'a later job', runs: [[1, 'lint', 'eslint', ['r1']], [1, 'style', 'eslint', ['r2']], [2, 'lint', 'eslint', []], [2, 'style', 'eslint', ['r2']],
      [3, 'lint', 'eslint', []], [3, 'style', 'eslint', ['r2']]] },
    { name: 'a job that found something later', runs: [[1, 'style', 'eslint', ['r1']], [2, 'lint', 'eslint', ['r2']], [3, 'style', 'eslint', []]] },
  ];
  const all = [...services, ['a terminal', () => ({})] as const].flatMap(([service, named]) => rows.map((row) => ({ ...row, service, named })));
  await everyRow(all, ({ service, name }) => `${service}: ${name}`, async ({ named, runs }) => {
    expect((await saidOfKeys(named, runs)).filter((line) => line !== null)).toEqual([]);
  });
});

it('names no key of a job that runs in pipelines of its own', async () => {
  const workflow: Named = (pipeline, job) => ({ ...services[2]![1](pipeline, 'lint'), GITHUB_WORKFLOW: job });
  await everyRow([['GitLab CI', gitlab], ['GitHub Actions', workflow]] as const, ([name]) => name, async ([, named]) => {
    const pipelines = [1, 3, 5].flatMap((one): Run[] => [[one, 'web', 'eslint', one === 1 ? ['r1'] : ['r1', 'r2']], [one + 1, 'api', 'eslint', ['r3']]]);
    const equal = [1, 3, 5].flatMap((one): Run[] => [[one, 'web', 'eslint', one === 1 ? [] : ['r1']], [one + 1, 'api', 'eslint', ['r1']]]);
    const [, , first, , second] = await saidOfKeys(named, equal);
    expect([await saidOfKeys(named, pipelines), first?.split(':')[0], second])
      .toEqual([pipelines.map(() => null), '1 finding has open threads with the key api/eslint', null]);
  });
});
