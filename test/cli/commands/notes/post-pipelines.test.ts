import { expect, it } from 'vitest';
import type { PostResult } from '../../../../src/cli/notes/findings/result.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { readMarker } from '../../../../src/wire/note-text.js';
import { testApp } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService, type TestService } from '../../../support/service.js';

/** Makes the commit the head of mr/1, as a push does. */
const push = async ({ service }: TestService, head: string) => {
  const world = await service.world();
  const projects = world.projects!.map((project) => ({
    ...project,
    merge_requests: (project.merge_requests ?? []).map((each) => each.iid === 1 ? { ...each, head_sha: head } : each),
  }));
  await service.setWorld({ ...world, projects });
};

interface Pipeline {
  readonly iid: number;
  readonly head: string;
  /** The rules that its linter reports. */
  readonly rules: readonly string[];
}

/** Runs the job of a pipeline, whose gate fails for each finding. */
const runJob = async (service: TestService, { iid, head, rules }: Pipeline) => {
  const report = rules.map((rule) => `app.js:2:1: error: no ${rule} [${rule}]\n`).join('');
  const { run } = await testApp({
    service, files: { report, '/app/app.js': 'one\nzwei\nthree\nfour\n' },
    env: { CI: 'true', CI_PROJECT_DIR: '/app', CI_PROJECT_ID: '20', CI_MERGE_REQUEST_IID: '1', CI_PIPELINE_IID: String(iid), CI_COMMIT_SHA: head },
  });
  const { code, out } = await run('notes', 'post', 'report', '--from', 'lines', '--key', 'lint', '--allow-empty', '--fail-level', 'error', '--json');
  return { code, result: JSON.parse(out) as PostResult };
};

/** The rules of the open threads of findings. */
const openRules = async (service: TestService): Promise<string[]> => {
  const { body } = await service.get<Discussion[]>('/projects/20/merge_requests/1/discussions?per_page=100');
  return body.flatMap(({ notes: [note] }) => readMarker(note!.body).marker?.['fp'] !== undefined && note!.resolved === false
    ? [/`(r\d)`/.exec(note!.body)![1]!] : []).sort();
};

const orders = [[0, 1, 2], [2, 1, 0], [2, 0, 1], [1, 2, 0], [0, 2, 1], [1, 0, 2]] as const;
const reports = [['r1', 'r2'], [], ['r2'], ['r1'], [], ['r1', 'r2', 'r3'], ['r3']] as const;

it.each([['of a new commit each', true], ['of the same commit', false]])(
  'has the threads of the newest of three pipelines %s, in whatever order they end, and each gate judges its own report', async (_, isPushed) => {
    const service = await testService();
    const sha = (iid: number) => iid.toString(16).padStart(40, '0');
    const seen = { stale: 0, clean: 0, failing: 0 };
    // A thread of an earlier pipeline, where a later one without findings stores its number.
    await push(service, sha(1));
    await runJob(service, { iid: 1, head: sha(1), rules: ['r1'] });
    for (let round = 0; round < 10; round++) {
      const pipelines = [0, 1, 2].map((i): Pipeline => {
        const iid = 2 + round * 3 + i;
        return { iid, head: sha(isPushed ? iid : 1), rules: reports[(round * 3 + i) % reports.length]! };
      });
      const newest = pipelines[2]!;
      await push(service, newest.head);
      for (const at of orders[round % orders.length]!) {
        const { iid, rules } = pipelines[at]!;
        const { code, result } = await runJob(service, pipelines[at]!);
        expect([round, iid, code]).toEqual([round, iid, rules.length > 0 ? 8 : 0]);
        seen.stale += result.skipped.filter(({ reason }) => reason!.startsWith('stale: ')).length;
        seen[rules.length > 0 ? 'failing' : 'clean']++;
      }
      expect([round, await openRules(service)]).toEqual([round, [...newest.rules].sort()]);
    }
    expect(Object.values(seen).every((count) => count > 5)).toBe(true);
  });

interface SharedKey {
  readonly name: string;
  /** What the two runs add to the job of pipeline 5 and to the command; the first has a finding, the second none. */
  readonly runs: readonly [RunOfJob, RunOfJob];
  /** The exit code of the second run, and what stderr says. */
  readonly then: readonly [number, RegExp];
  readonly isOpen: boolean;
}

interface RunOfJob { readonly env?: Record<string, string>; readonly flags?: readonly string[]; readonly files?: readonly string[] }

const lint = { CI_JOB_NAME: 'lint', CI_JOB_ID: '70' };
const sameJob = /^colloquy: nothing is resolved: this job has posted another report with the key lint\n.*--prefix or a --key/m;
const resolved: Pick<SharedKey, 'then' | 'isOpen'> = { then: [0, /resolved 1/], isOpen: false };

const sharedKeys: readonly SharedKey[] = [
  { name: 'another report of the job', runs: [{ env: lint }, { env: lint, files: ['other'] }], then: [2, sameJob], isOpen: true },
  { name: 'another format of the job', runs: [{ env: lint }, { env: lint, flags: ['--from', 'gcc'] }], then: [2, sameJob], isOpen: true },
  {
    name: 'another job of the pipeline', runs: [{ env: lint }, { env: { CI_JOB_NAME: 'style\u001b[1m', CI_JOB_ID: '71' } }],
    then: [2, /nothing is resolved: the job lint of this pipeline has posted another report with the key lint\n/], isOpen: true,
  },
  { name: 'the same command again', runs: [{ env: lint }, { env: lint }], ...resolved },
  { name: 'a retry of the job', runs: [{ env: lint }, { env: { ...lint, CI_JOB_ID: '80' }, files: ['other'] }], ...resolved },
  { name: 'a later pipeline', runs: [{ env: lint }, { env: { ...lint, CI_JOB_ID: '90', CI_PIPELINE_IID: '6' }, files: ['other'] }], ...resolved },
  {
    name: 'a pipeline with that number in a fork', runs: [{ env: lint }, { env: { ...lint, CI_JOB_ID: '91', CI_PROJECT_ID: '99' }, files: ['other'] }],
    then: [0, /resolved 1/], isOpen: false,
  },
  {
    name: 'another report that resolves nothing', runs: [{ env: lint }, { env: lint, files: ['other'], flags: ['--no-resolve'] }],
    then: [0, /left 1/], isOpen: true,
  },
  {
    name: 'a report about another folder', runs: [{ env: lint }, { env: lint, files: ['other'], flags: ['--prefix', 'admin'] }],
    then: [0, /no findings/], isOpen: true,
  },
  { name: 'runs outside of CI', runs: [{}, { files: ['other'] }], ...resolved },
];

it('resolves nothing after another report of the pipeline was posted with its key', async () => {
  await everyRow(sharedKeys, ({ name }) => name, async ({ runs, then, isOpen }) => {
    const service = await testService();
    await push(service, 'a'.repeat(40));
    const found = 'app.js:2:1: error: no r1 [r1]\n';
    const runOf = async ({ env, flags = [], files = ['report'] }: RunOfJob, report: string, iid = '5') => {
      const ci = { CI: 'true', CI_PROJECT_DIR: '/app', CI_PROJECT_ID: '20', CI_MERGE_REQUEST_IID: '1', CI_PIPELINE_IID: iid, CI_COMMIT_SHA: 'a'.repeat(40) };
      const { run } = await testApp({
        service, env: env ? { ...ci, ...env } : {}, git: { top: () => Promise.resolve('/app') },
        files: { report, other: report, '/app/app.js': 'one\nzwei\nthree\nfour\n', '/app/admin/a.js': 'one\n' },
      });
      const format = flags.includes('--from') ? [] : ['--from', 'lines'];
      return run('notes', 'post', ...env ? [] : ['mr/1', '-p', 'acme/app'], ...files, ...format, '--key', 'lint', '--allow-empty', ...flags);
    };
    // The run of an earlier pipeline made the thread; the first run here keeps it.
    expect(await runOf(runs[0], found, '4')).toMatchObject({ code: 0 });
    expect(await runOf(runs[0], found)).toMatchObject({ code: 0 });
    const second = await runOf(runs[1], '');
    expect([second.code, await openRules(service)]).toEqual([then[0], isOpen ? ['r1'] : []]);
    expect(second.err).toMatch(then[1]);
  });
});

interface Step {
  /** Of the pipeline, and of the job in it. */
  readonly at: readonly [pipeline: number, job: number];
  readonly file: string;
  /** `path rule` of each finding, below the prefix. */
  readonly found?: readonly string[];
  readonly tools?: readonly string[];
  readonly prefix?: string;
  readonly code?: number;
}

const [webFinding, apiFinding] = ['web/a.js r1', 'api/a.js r2'];

const sequences: readonly { readonly name: string; readonly steps: readonly Step[]; readonly open: readonly string[] }[] = [
  {
    name: 'a job that posts two reports is retried',
    steps: [
      { at: [1, 10], file: 'one', found: [webFinding] }, { at: [1, 10], file: 'two', code: 2 },
      { at: [1, 11], file: 'one', found: [webFinding] }, { at: [1, 11], file: 'two', code: 2 },
    ],
    open: ['r1'],
  },
  {
    name: 'a report about a folder follows one about all of them, which has its record in another folder',
    steps: [
      { at: [1, 10], file: 'all', found: [apiFinding, webFinding] },
      { at: [2, 11], file: 'all', found: [apiFinding, webFinding] }, { at: [2, 11], file: 'web', prefix: 'web', code: 2 },
    ],
    open: ['r1', 'r2'],
  },
  {
    name: 'a report about a folder follows one about a folder in it',
    steps: [
      { at: [1, 10], file: 'lib', prefix: 'web/lib', found: ['a.js r3'] },
      { at: [2, 11], file: 'lib', prefix: 'web/lib', found: ['a.js r3'] }, { at: [2, 11], file: 'web', prefix: 'web', code: 2 },
    ],
    open: ['r3'],
  },
  {
    name: 'a report about one folder keeps its threads before one about another folder does',
    steps: [
      { at: [1, 10], file: 'api', prefix: 'api', found: ['a.js r2'] }, { at: [1, 10], file: 'web', prefix: 'web', found: ['a.js r1'] },
      { at: [2, 11], file: 'web', prefix: 'web', found: ['a.js r1'] }, { at: [2, 11], file: 'api', prefix: 'api', found: ['a.js r2'] },
      { at: [3, 12], file: 'web', prefix: 'web' }, { at: [3, 12], file: 'api', prefix: 'api', found: ['a.js r2'] },
    ],
    open: ['r2'],
  },
  {
    name: 'the report of one tool follows one of two tools',
    steps: [
      { at: [1, 10], file: 'both', tools: ['A', 'B'], found: [webFinding, apiFinding] },
      { at: [2, 11], file: 'both', tools: ['A', 'B'], found: [webFinding, apiFinding] }, { at: [2, 11], file: 'b', tools: ['B'], code: 2 },
    ],
    open: ['r1', 'r2'],
  },
];

/** Its findings belong to the tools in turn. */
const sarifOf = (tools: readonly string[], found: readonly string[]): string => JSON.stringify({
  runs: tools.map((name, tool) => ({
    tool: { driver: { name } },
    results: found.filter((_, i) => i % tools.length === tool).map((words) => {
      const [uri, ruleId] = words.split(' ');
      return { ruleId, message: { text: 'no' }, locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } } }] };
    }),
  })),
});

it('notices each report of the pipeline with its key and a folder in common, also in retries and where it posted nothing new', async () => {
  await everyRow(sequences, ({ name }) => name, async ({ steps, open }) => {
    const service = await testService();
    await push(service, 'a'.repeat(40));
    for (const { at: [pipeline, job], file, found = [], tools = ['T'], prefix, code = 0 } of steps) {
      const { run } = await testApp({
        service, git: { top: () => Promise.resolve('/app') },
        files: { [file]: sarifOf(tools, found), '/app/web/a.js': 'one\n', '/app/web/lib/a.js': 'one\n', '/app/api/a.js': 'one\n' },
        env: {
          CI: 'true', CI_PROJECT_DIR: '/app', CI_PROJECT_ID: '20', CI_MERGE_REQUEST_IID: '1', CI_COMMIT_SHA: 'a'.repeat(40),
          CI_PIPELINE_IID: String(pipeline), CI_JOB_ID: String(job), CI_JOB_NAME: 'lint',
        },
      });
      const ran = await run('notes', 'post', file, '--from', 'sarif', '--filter', 'all', ...prefix === undefined ? [] : ['--prefix', prefix]);
      expect([file, pipeline, job, ran.code, ran.err]).toMatchObject([file, pipeline, job, code, expect.anything()]);
    }
    expect(await openRules(service)).toEqual(open);
  });
});
