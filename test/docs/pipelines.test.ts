import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { pipelinesText } from '../../src/cli/help/texts.js';
import { presetNames, presets } from '../../src/cli/notes/findings/readers/presets.js';
import { inputs } from '../templates/component.js';
import { blocksOf, page, root } from './blocks.js';
import { machine } from './machine.js';

const outputs = JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/findings/index.json'), 'utf8')) as [string, string, string][];
const versions = Object.fromEntries(outputs.map(([name, version]) => [name, version]));

interface Workflow {
  readonly jobs: { readonly report: { readonly env: Record<string, string>; readonly steps: readonly { readonly run?: string }[] } };
}

interface Job {
  readonly extends?: string;
  readonly script: readonly string[];
}

describe('docs/pipelines/github-actions.md', () => {
  it('sets inputs that the action has, with all that it requires', () => {
    const [block] = blocksOf('docs/pipelines/github-actions.md', 'yaml');
    const { steps } = (parse(block!) as { jobs: { review: { steps: { uses?: string; with?: object }[] } } }).jobs.review;
    const given = Object.keys(steps.find(({ uses }) => uses?.includes('colloquy'))!.with!);
    const { inputs: declared } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as { inputs: Record<string, { required?: boolean }> };
    expect(given.filter((name) => !(name in declared))).toEqual([]);
    expect(Object.keys(declared).filter((name) => declared[name]!.required && !given.includes(name))).toEqual([]);
  });

  it('has a workflow that keeps one comment and the findings on the merge request of the branch', async () => {
    const { env, steps } = (parse(blocksOf('docs/pipelines/github-actions.md', 'yaml')[1]!) as Workflow).jobs.report;
    const { run, marked, home, head } = await machine();
    execFileSync('git', ['init', '-q', '-b', 'retry'], { cwd: home });
    mkdirSync(join(home, 'src/delivery'), { recursive: true });
    writeFileSync(join(home, 'src/delivery/send.ts'), '\n'.repeat(20));
    for (const number of ['1', '2']) {
      const codes: (number | null)[] = [];
      for (const { run: script } of steps.filter((step) => step.run !== undefined && !step.run.includes('npm install'))) {
        const variables = { ...env, CI: 'true', GITHUB_SHA: head, GITHUB_RUN_NUMBER: number, COLLOQUY_TOKEN: 'ada-token' };
        codes.push((await run(['bash', '-e', '-c'], script!, variables)).code);
      }
      expect(codes).toEqual([0, 0, 8]);
    }
    const texts = await marked('merge_request', 12);
    expect([texts.length, texts.filter((text) => text === 'Run 2: 2 warnings').length]).toEqual([2, 1]);
  });
});

describe('docs/pipelines/jenkins.md', () => {
  it('has a pipeline that keeps one comment and the findings on the merge request', async () => {
    const [block] = blocksOf('docs/pipelines/jenkins.md', 'groovy');
    const scripts = [...block!.matchAll(/\bsh (?:'''([\s\S]*?)'''|'(.*)')/g)].map(([, long, short]) => (long ?? short)!);
    const given = Object.fromEntries([...block!.matchAll(/^ {4}(\w+) = '(.*)'$/gm)].map(([, name, value]) => [name!, value!]));
    const { run, marked } = await machine();
    for (const number of ['1', '2']) {
      const codes: (number | null)[] = [];
      for (const script of scripts) {
        const variables = { ...given, BUILD_NUMBER: number, CHANGE_ID: '12', COLLOQUY_TOKEN: 'ada-token' };
        codes.push((await run(['sh', '-xe', '-c'], script, variables)).code);
      }
      expect(codes).toEqual([0, 0, 8]);
    }
    const texts = await marked('merge_request', 12);
    expect([texts.length, texts.filter((text) => text === 'Build 2: 2 warnings').length]).toEqual([2, 1]);
  });
});

describe('docs/pipelines/cron.md', () => {
  it('has a script that keeps one comment, prints nothing, and needs no variables', async () => {
    const [script] = blocksOf('docs/pipelines/cron.md', 'sh');
    const { run, marked, home } = await machine();
    writeFileSync(join(home, '.colloquy-token'), 'ada-token\n');
    for (let night = 0; night < 2; night++) expect(await run(['sh', '-c'], script!, {})).toEqual({ code: 0, out: '', err: '' });
    expect((await marked('issue', 7)).length).toBe(1);
  });
});

it('docs/pipelines.md says which scope a token needs to act as another user', async () => {
  const [script] = blocksOf('docs/pipelines.md', 'sh').filter((block) => block.includes('Sudo'));
  const { run, setTokens } = await machine();
  const asAda = () => run(['sh', '-c'], script!, { COLLOQUY_URL: 'https://gitlab.example.com', COLLOQUY_TOKEN: 'admin-token' });
  await setTokens([{ token: 'admin-token', scopes: ['api'] }]);
  expect(await asAda()).toMatchObject({ code: 5, out: expect.stringContaining('insufficient_scope') as string });
  await setTokens([{ token: 'admin-token', scopes: ['api', 'sudo'] }]);
  expect(JSON.parse((await asAda()).out)).toMatchObject({ username: 'ada' });
});

const completeJobs = () =>
  parse(blocksOf('docs/pipelines.md', 'yaml').find((block) => block.includes('stages:'))!) as Record<string, Job>;

/** The jobs of the complete pipeline, in a work tree whose reports have one finding each. */
const completePipeline = async () => {
  const jobs = completeJobs();
  const { run, home } = await machine();
  execFileSync('git', ['init', '-q'], { cwd: home });
  mkdirSync(join(home, 'src/delivery'), { recursive: true });
  const file = 'src/delivery/send.ts';
  writeFileSync(join(home, file), '\n'.repeat(20));
  const service = { COLLOQUY_URL: 'https://gitlab.example.com', COLLOQUY_PROJECT: 'acme/app' };
  const ci = { ...service, CI: 'true', CI_MERGE_REQUEST_IID: '12', CI_PROJECT_DIR: home, COLLOQUY_TOKEN: 'root-token' };
  const job = async (name: string, iid: string, exit = 0) => run(['bash', '-e', '-c'], [
    'npm() { :; }; pip() { :; }; npx() { return "$EXIT"; }; ruff() { return "$EXIT"; }; pytest() { return "$EXIT"; }', ...jobs[name]!.script,
  ].join('\n'), { ...ci, CI_JOB_NAME: name, CI_PIPELINE_IID: iid, EXIT: String(exit) });
  const reports = (isBad: boolean) => {
    const location = [{ physicalLocation: { artifactLocation: { uri: file }, region: { startLine: 13 } } }];
    const results = isBad ? [{ ruleId: 'F401', message: { text: 'unused' }, locations: location }] : [];
    const messages = isBad ? [{ line: 13, ruleId: 'no-var', severity: 2, message: 'no' }] : [];
    writeFileSync(join(home, 'eslint.json'), JSON.stringify([{ filePath: file, messages }]));
    writeFileSync(join(home, 'ruff.sarif'), JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'ruff' } }, results }] }));
    writeFileSync(join(home, 'pytest.xml'), `<testsuite tests="1"><testcase name="t">${isBad ? '<failure message="no"/>' : ''}</testcase></testsuite>`);
  };
  reports(true);
  await run(['bash', '-c'], 'colloquy discussions list mr/12 --unresolved -o id | xargs colloquy discussions resolve --mr 12',
    { ...service, COLLOQUY_TOKEN: 'bob-token' });
  return {
    home, job, reports,
    /** The exit codes of the jobs that post findings. */
    findings: async (iid: string) => {
      const codes: (number | null)[] = [];
      for (const name of Object.keys(jobs).filter((one) => jobs[one]!.extends === '.findings')) codes.push((await job(name, iid)).code);
      return codes;
    },
    as: async (token: string, script: string) => (await run(['bash', '-c'], script, { ...ci, COLLOQUY_TOKEN: token })).out,
  };
};

const unresolved = 'colloquy discussions list mr/12 --unresolved -q length';

describe('docs/pipelines.md', () => {
  it('has a pipeline whose tools, tests and gate are red or green as the page says', async () => {
    const { home, job, reports, findings, as } = await completePipeline();
    const codes: (number | null)[] = [];
    for (const [name, exit] of [['eslint', 1], ['eslint', 2], ['ruff', 1], ['ruff', 2], ['pytest', 1]] as const) codes.push((await job(name, '1', exit)).code);
    expect(codes).toEqual([0, 1, 0, 1, 1]);
    expect(await findings('1')).toEqual([0, 0, 0]);
    expect([await as('root-token', unresolved), (await job('gate', '1')).code]).toEqual(['3\n', 8]);
    writeFileSync(join(home, 'eslint.json'), '');
    expect([await findings('2'), await as('root-token', unresolved)]).toEqual([[2, 0, 0], '3\n']);
    reports(false);
    expect(await findings('3')).toEqual([0, 0, 0]);
    expect([await as('root-token', unresolved), (await job('gate', '3')).code]).toEqual(['0\n', 0]);
  });

  it('has the rule and the commands of the job in `colloquy help ci`', () => {
    const { lint, ...others } = parse(/^ {2}lint:\n(?: {4}.*\n)+/m.exec(pipelinesText)![0]) as Record<string, Job>;
    const { workflow, ruff, 'findings-ruff': findings, gate } = completeJobs();
    expect(lint).toMatchObject({ ...workflow, script: [ruff, findings, gate].flatMap((job) => job!.script) });
    expect(others).toEqual({});
  });

  it('has jobs for findings that accept what its gate accepts', async () => {
    const { job, findings, as } = await completePipeline();
    expect(await findings('1')).toEqual([0, 0, 0]);
    await as('ada-token', 'colloquy discussions list mr/12 --unresolved -o id | xargs colloquy discussions resolve --mr 12');
    expect((await job('gate', '1')).err).toContain('3 threads of mr/12 resolved by ada, the author of the merge request');
    const { code, out } = await job('findings-eslint', '2');
    expect([code, out.includes('accepted'), out.includes('reopened')]).toEqual([0, false, true]);
  });
});

describe('docs/pipelines/findings.md', () => {
  it('has the commands for a monorepo, which resolve the threads of one folder and tool', async () => {
    const [script] = blocksOf('docs/pipelines/findings.md', 'sh').filter((block) => block.includes('--prefix'));
    const { run, home, push } = await machine();
    execFileSync('git', ['init', '-q'], { cwd: home });
    const files = { 'web/app.js': 'var a;\n', 'api/test_app.py': 'assert False\n' };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(home, name, '..'), { recursive: true });
      writeFileSync(join(home, name), text);
    }
    const diff = Object.entries(files).map(([name, text]) =>
      `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+${text}`).join('');
    await push({ project: 'acme/app', merge_request: 12, diff });
    const service = { COLLOQUY_URL: 'https://gitlab.example.com', COLLOQUY_PROJECT: 'acme/app', COLLOQUY_TOKEN: 'ada-token' };
    const tools = [
      'npx() { echo "[{\\"filePath\\": \\"$PWD/app.js\\", \\"messages\\": $MESSAGES}]" > ../eslint.json; return 1; }',
      `pytest() {
        echo '<testsuite tests="1"><testcase name="t" file="test_app.py" line="0"><failure message="no"/></testcase></testsuite>' > ../pytest.xml
        return 1
      }`,
    ];
    const open: unknown[] = [];
    for (const messages of ['[{"line": 1, "ruleId": "no-var", "severity": 2, "message": "no"}]', '[]']) {
      const { code, out: rows } = await run(['bash', '-e', '-c'], [...tools, script].join('\n'),
        { ...service, CI_MERGE_REQUEST_IID: '12', MESSAGES: messages });
      expect([code, rows.includes('reopened')]).toEqual([0, false]);
      const { out } = await run(['bash', '-c'], "colloquy discussions list mr/12 --unresolved -q '[.[].notes[0].position.new_path]'", service);
      open.push((JSON.parse(out) as string[]).filter((path) => path in files));
    }
    expect(open).toEqual([['web/app.js', 'api/test_app.py'], ['api/test_app.py']]);
  });
});

describe('docs/pipelines/component.md', () => {
  const text = page('docs/pipelines/component.md');

  it('describes every input of the component with its default', () => {
    for (const [name, { default: value }] of Object.entries(inputs)) {
      const row = text.split('\n').find((line) => line.startsWith('| `') && line.split('|')[1]!.includes(`\`${name}\``));
      expect(row, name).toBeDefined();
      if (value !== '') expect(row, name).toContain(`\`${String(value)}\``);
    }
  });

  it('uses inputs that the component has', () => {
    const blocks = blocksOf('docs/pipelines/component.md', 'yaml').map((block) => parse(block) as { include?: { inputs: object }[] });
    const used = blocks.flatMap(({ include = [] }) => include.flatMap(({ inputs: given }) => Object.keys(given)));
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((name) => inputs[name] === undefined)).toEqual([]);
  });
});

describe('docs/pipelines/tools.md', () => {
  it('has a row for each preset, with its command, the version of the stored output, and what it prints if it finds nothing', () => {
    const clean = (name: string) => page(`test/fixtures/findings/${name}.clean.txt`) === '' ? 'nothing' : 'a line';
    const rows = presetNames.map((name) => `| \`${name}\` | \`${presets[name].command}\` | ${versions[name]!} | ${clean(name)} |`);
    expect(page('docs/pipelines/tools.md')).toContain(`|---|---|---|---|\n${rows.join('\n')}\n\n`);
  });

  it('has a job that is green for a tool that prints nothing, and red if the tool finds something or was killed', async () => {
    const { run, home } = await machine();
    mkdirSync(join(home, 'src/delivery'), { recursive: true });
    writeFileSync(join(home, 'src/delivery/send.ts'), '\n'.repeat(20));
    const { types } = parse(blocksOf('docs/pipelines/tools.md', 'yaml')[0]!) as { types: { script: readonly string[] } };
    const job = { COLLOQUY_URL: 'https://gitlab.example.com', COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', CI_MERGE_REQUEST_IID: '12' };
    const codes: (number | null)[] = [];
    for (const tool of ['true', "echo 'src/delivery/send.ts(13,1): error TS2322: no'; exit 2", 'kill -9 $$', 'true']) {
      const { code } = await run(['bash', '-e', '-c'], ['npx() { sh -c "$TOOL"; }', ...types.script].join('\n'), { ...job, TOOL: tool });
      codes.push(code);
    }
    expect(codes).toEqual([0, 8, 1, 0]);
  });
});
