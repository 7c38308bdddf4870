import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { variables } from '../../src/cli/help/texts.js';
import { demoWorld } from '../../src/server/world-file/demo/demo.js';
import { testApp } from '../support/app.js';
import { ended, newHome, pathOfOthers, root } from '../support/program.js';
import { sampleOf } from '../support/extent.js';
import { everyRow } from '../support/rows.js';
import { testService } from '../support/service.js';
import { blocksOf } from '../docs/blocks.js';

/** Syntax of options, references and shells. None of them is merge request 12. */
const values = [
  '--url=http://evil.test', '--help', '--version', '--author=ada', '--path=x', '--mine', '--waiting', '-h', '--', '-', '#7', 'issue/7', 'mr/12 --mine',
  'http://evil.test/acme/app/-/merge_requests/12', '$(touch run)', '`touch run`', '12; touch run', `12'; touch run; '`, '12"; touch run; "', '12\ntouch run',
  '*', '${IFS}', '12 || exit 0', '\\', '%0a::error::',
];

interface Ran {
  readonly value: string;
  readonly code: number;
  /** The words of each call of `colloquy`. */
  readonly calls: readonly (readonly string[])[];
}

/** Functions in place of the programs: `colloquy` writes down its words, the others do nothing. */
const stubs = `colloquy() { printf '%s\\0' call "$@" end >&3; }
curl() { :; }; npm() { :; }; npx() { :; }; node() { :; }; sha256sum() { :; }; du() { :; }; git() { :; }`;

/** Runs a script once for each value of variables, in one process. */
const runsWith = async (
  shell: string, script: string, names: readonly string[], given: Readonly<Record<string, string>> = {}, some = values,
): Promise<readonly Ran[]> => {
  const { home } = newHome();
  const exports = names.map((name) => `${name}=$value; export ${name}`).join('\n');
  const loop = `${stubs}\nfor value; do\n( set -e\n${exports}\nset --\n${script}\n)\nprintf '%s\\0' exit "$?" >&3\ndone`;
  const child = spawn(shell, ['-c', loop, shell, ...some], {
    cwd: home, env: { PATH: pathOfOthers, HOME: home, RUNNER_TEMP: home, ...given }, stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdio[3]!.on('data', (chunk: Buffer) => { text += chunk.toString(); });
  await ended(child);
  expect(existsSync(join(home, 'run')), 'a value was run').toBe(false);
  const runs = [...text.matchAll(/((?:call\0[^]*?\0end\0)*)exit\0(\d+)\0/g)];
  expect(runs).toHaveLength(some.length);
  return runs.map(([, calls, code], i) => ({
    value: some[i]!, code: Number(code), calls: [...calls!.matchAll(/call\0([^]*?)\0end\0/g)].map(([, words]) => words!.split('\0')),
  }));
};

/** A value is behind the `=` of an option, or behind `--` and no option. */
const checkWords = (words: readonly string[], value: string): void => {
  const end = words.indexOf('--') < 0 ? words.length : words.indexOf('--');
  const loose = words.slice(0, end).filter((word) => value.length > 2 && word.includes(value) && !/^--[a-z-]+=/.test(word));
  expect(loose).toEqual([]);
};

const template = (name: string) => readFileSync(join(root, 'templates', name), 'utf8');

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly { readonly name: string; readonly env: Readonly<Record<string, string>>; readonly run: string }[] };
}

const { inputs, runs: { steps } } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;

const usual: Readonly<Record<string, string>> = {
  url: 'http://service.test', token: 'ada-token', project: 'acme/app', comment_file: 'report.md', report_files: 'a.sarif', gate: 'true',
};

/** The variables of a step with the usual inputs, which the runner of GitHub sets. */
const variablesOf = ({ env }: (typeof steps)[number]): Record<string, string> => ({
  GITHUB_ACTION_PATH: root,
  ...Object.fromEntries(Object.entries(env).map(([name, value]) =>
    [name, value.replace(/^\$\{\{ inputs\.(\w+) \}\}$/, (_, input: string) => usual[input] ?? inputs[input]!.default ?? '')])),
});

const service = () => testService({ world: demoWorld });

/** Runs a command line in memory: it must reach merge request 12 or nothing, and no other service. */
const checkRun = async (words: readonly string[], env: Readonly<Record<string, string | undefined>>, on: Awaited<ReturnType<typeof service>>) => {
  const files = { 'report.md': 'A report.', './a.sarif': '{"version":"2.1.0","runs":[]}' };
  const world = await testApp({ service: on, files, env: { COLLOQUY_TOKEN: 'ada-token', ...env } });
  const { code, out, sent } = await world.run(...words);
  expect(world.connections.map(({ url }) => url.origin).filter((origin) => origin !== 'http://service.test')).toEqual([]);
  expect(sent.map(({ target }) => target).filter((target) => /\/(issues|snippets|epics|commits)\//.test(target))).toEqual([]);
  expect(out).not.toMatch(/usage|\d+\.\d+\.\d+/i);
  return code;
};

it('a value of an input of the action and its templates is no option, no other noteable, and no script', async () => {
  const on = await service();
  const rows = steps.flatMap((step) => Object.keys(step.env).map((name) => ({ step, name })));
  expect(rows.length).toBeGreaterThan(Object.keys(inputs).length);
  await everyRow(rows, ({ step, name }) => `${step.name}: ${name}`, async ({ step, name }) => {
    const given = variablesOf(step);
    const shell = rows.findIndex((row) => row.name === name) % 2 === 0 ? 'sh' : 'bash';
    const runs = await runsWith(shell, step.run, [name], given);
    for (const { calls, value } of runs) for (const words of calls) checkWords(words, value);
    const isReference = name === 'COLLOQUY_MERGE_REQUEST';
    if (isReference) expect(runs.map(({ calls }) => calls.length)).toEqual(values.map(() => 1));
    const isData = /^(COMMENT|REPORT)_(KEY|SECTION|PREFIX|ROOT|PATTERN|RESOLVE|ALLOW_EMPTY)$/.test(name);
    for (const { calls, value } of isReference ? runs : sampleOf(runs, 5)) {
      for (const words of name === 'COLLOQUY_URL' ? [] : calls) {
        const code = await checkRun(words, { ...given, [name]: value, CI: 'true' }, on);
        if (!isData) expect(`${value}: ${code}`).not.toBe(`${value}: 0`);
      }
    }
  });
});

it('a value of a variable of CI opens no gate', async () => {
  const on = await service();
  const [{ calls: [gate] }] = await runsWith('sh', template('gate.sh'), ['GATE_WAIT'], {}, ['1s']) as [Ran];
  const names = [...new Set(variables.flatMap(({ names: some }) => some).filter((name) => /^(CI_|GITHUB_)/.test(name)))];
  expect(names).toContain('CI_MERGE_REQUEST_IID');
  const job = { CI: 'true', CI_PROJECT_ID: '1', CI_MERGE_REQUEST_IID: '12', COLLOQUY_PROJECT: undefined };
  const rows = names.flatMap((name) => sampleOf(['', ...values], 6).map((value) => ({ name, value })));
  await everyRow(rows, ({ name, value }) => `${name}=${JSON.stringify(value)}`, async ({ name, value }) => {
    expect(await checkRun(gate!, { ...job, [name]: value }, on)).not.toBe(0);
  });
});

it('a variable cannot name another merge request than that of the pipeline, for the gate, the findings or the comment', async () => {
  const given = { CI_MERGE_REQUEST_IID: '12', REPORT_FILES: 'r.json', REPORT_FORMAT: 'sarif', REPORT_KEY: '', REPORT_FAIL_LEVEL: 'error',
    REPORT_FILTER: 'added', REPORT_ROOT: '', REPORT_PREFIX: '', REPORT_MAX: '30', REPORT_PATTERN: '',
    COMMENT_KEY: 'k', COMMENT_FILE: 'report.md', COMMENT_SECTION: '' };
  for (const name of ['gate.sh', 'report.sh', 'comment.sh']) {
    const runs = async (...some: string[]) => (await runsWith('sh', template(name), ['COLLOQUY_MERGE_REQUEST'], given, some))
      .map(({ code, calls }) => [code, calls.length]);
    expect(await runs('', '12', '!12', 'mr/12')).toEqual(Array(4).fill([0, 1]));
    // The words that name it are those of `''`, where the program compares the project of the pipeline.
    const [unnamed, ...named] = await runsWith('sh', template(name), ['COLLOQUY_MERGE_REQUEST'], given, ['', '12', '!12', 'mr/12']);
    for (const { calls } of named) expect(calls).toEqual(unnamed!.calls);
    expect([name, await runs('13', '!1', 'mr/1', '*', '1?', '[1]2', 'acme/other!12', '12 ')]).toEqual([name, Array(8).fill([2, 0])]);
  }
});

it('titles, names of branches and users are data', async () => {
  const branches = ['$(touch run)', '`id`', 'a;b', '-x', '--help', "it's", '"', 'a\u202eb', '&&', 'mr/1'];
  const [{ merge_requests: [mr] = [], ...project } = {}, ...others] = demoWorld.projects!;
  await everyRow(branches, (branch) => JSON.stringify(branch), async (branch) => {
    const merge_requests = [{ ...mr, title: `${branch}\n::error::x`.replace('\n', ' '), source_branch: branch }];
    const on = await testService({ world: { ...demoWorld, projects: [{ ...project, merge_requests }, ...others] } });
    const world = await testApp({
      service: on, branch, env: { CI: 'true', GITHUB_SHA: mr!.head_sha, COLLOQUY_TOKEN: 'ada-token' },
    });
    const { code, err } = await world.run('discussions', 'check', '--wait=1s');
    expect([code, err]).toEqual([8, expect.stringContaining('unresolved threads on mr/12')]);
    expect(err).not.toMatch(/^::|\u202e/m);
  });
});

interface Recipe { readonly name: string; readonly script: string; readonly variables: readonly string[] }

interface Job { readonly script?: string | readonly string[]; readonly steps?: readonly { readonly run?: string }[] }

/** The scripts of the pages about pipelines. */
const recipes = (): readonly Recipe[] => ['pipelines', ...readdirSync(join(root, 'docs/pipelines')).map((name) => `pipelines/${name.replace('.md', '')}`)]
  .flatMap((name) => {
    const path = `docs/${name}.md`;
    const ofJobs = blocksOf(path, 'yaml').flatMap((block) => {
      const { jobs, ...top } = parse(block) as Record<string, Job> & { jobs?: Record<string, Job> };
      return Object.values({ ...top, ...jobs }).flatMap(({ script = [], steps: all = [] }) => [[script].flat().join('\n'), ...all.map(({ run = '' }) => run)]);
    });
    const ofJenkins = blocksOf(path, 'groovy').flatMap((block) =>
      [...block.matchAll(/\bsh (?:'''([\s\S]*?)'''|'(.*)')/g)].map(([, long, short]) => (long ?? short)!));
    return [...blocksOf(path, 'sh'), ...ofJobs, ...ofJenkins].filter((script) => script.includes('colloquy ')).map((script, i) => ({
      name: `${path}, script ${i + 1}`, script,
      variables: [...script.matchAll(/\$\{?([A-Z]\w+)/g)].map(([, found]) => found!)
        .filter((found) => !['HOME', 'RUNNER_TEMP'].includes(found)),
    })).filter(({ variables: found }) => found.length > 0);
  });

it('a value of a variable of a documented recipe is no option and no script', async () => {
  expect(recipes().length).toBeGreaterThan(5);
  await everyRow(recipes(), ({ name, script }) => `${name}: ${script}`, async ({ script, variables: names }) => {
    const runs = await runsWith('bash', script, names);
    expect(runs.flatMap(({ calls }) => calls).length).toBeGreaterThan(0);
    for (const { calls, value } of runs) for (const words of calls) checkWords(words, value);
  });
});
