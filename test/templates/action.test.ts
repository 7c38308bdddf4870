import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { createClient } from '../../src/client/client.js';
import { startServer } from '../../src/server/index.js';
import { ended, newHome, root } from '../support/program.js';
import { everyRow } from '../support/rows.js';
import { inputs as ofComponent } from './component.js';

interface Step { readonly name: string; readonly if?: string; readonly env: Readonly<Record<string, string>>; readonly run: string }
interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string; readonly required?: boolean }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const text = readFileSync(join(root, 'action.yml'), 'utf8');
const { inputs, runs } = parse(text) as Action;

/** As the runner does: expressions stand in `env` and `if` only, and each step is a process of its own. */
const stepsFor = (given: Readonly<Record<string, string>>) => {
  const valueOf = (name: string) => given[name] ?? inputs[name]!.default ?? '';
  return runs.steps.filter((step) => {
    const [, name, operator, right] = /^inputs\.(\w+) (==|!=) '(\w*)'$/.exec(step.if ?? `inputs.url != ''`)!;
    return (valueOf(name!) === right) === (operator === '==');
  }).map(({ env, run }) => ({
    run, env: Object.fromEntries(Object.entries(env).map(([name, value]) =>
      [name, value.replace(/\$\{\{ inputs\.(\w+) \}\}/, (_, input: string) => valueOf(input))])),
  }));
};

const mergeRequest = { merge_request: 'mr/12' };

/** @param branch that is checked out at the head of the merge request; none when omitted */
const running = async (given: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = {}, branch?: string) => {
  const server = await startServer();
  onTestFinished(server.close);
  const { home, env } = newHome();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home, name), content);
  const client = createClient({ url: server.url, token: 'ada-token' });
  if (branch !== undefined) execFileSync('git', ['init', '-q', '-b', branch], { cwd: home });
  const { sha } = await client.lookups.mergeRequest({ id: 'acme/app', iid: 12 });
  const codes: (number | null)[] = [];
  let err = '';
  for (const step of stepsFor({ url: server.url, token: 'ada-token', project: 'acme/app', ...given })) {
    const result = await ended(spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      cwd: home, env: { ...env, ...step.env, CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_ACTION_PATH: root, GITHUB_SHA: sha!, GITHUB_WORKSPACE: home },
    }));
    codes.push(result.code);
    err += result.err;
    if (result.code !== 0) break;
  }
  const notes = await client.discussions.merge_request.list({ id: 'acme/app', noteable_id: 12 }).all();
  return { codes, err, bodies: notes.flatMap((thread) => thread.notes.map(({ body }) => body)) };
};

describe('the action for GitHub', () => {
  it('has the inputs of the component, with the same meaning, and those that GitLab knows by itself', () => {
    const own = ['url', 'token', 'token_type', 'project', 'merge_request'];
    const ofJobs = ['job_prefix', 'stage', 'image'];
    expect(Object.keys(inputs).filter((name) => !own.includes(name)).sort())
      .toEqual(Object.keys(ofComponent).filter((name) => !ofJobs.includes(name)).sort());
    for (const [name, { default: value }] of Object.entries(inputs)) {
      if (!own.includes(name)) expect([name, value]).toEqual([name, String(ofComponent[name]!.default)]);
    }
  });

  it('uses every input, and none in the text of a script', () => {
    expect(Object.keys(inputs).filter((name) => !text.includes(`inputs.${name} `))).toEqual([]);
    expect(runs.steps.filter(({ run }) => run.includes('${{'))).toEqual([]);
  });

  it('comments, posts findings and gates', async () => {
    const files = { 'report.md': 'Two warnings.', 'lint.txt': 'src/delivery/send.ts:13: warning: too many attempts\n' };
    const given = { comment_file: 'report.md', report_files: '*.txt', report_format: 'lines', report_key: 'lint', gate: 'true', ...mergeRequest };
    const { codes, bodies } = await running(given, files);
    expect(codes).toEqual([0, 0, 0, 8]);
    expect(bodies.filter((body) => body.startsWith('Two warnings.'))).toHaveLength(1);
    expect(bodies.filter((body) => body.includes('too many attempts'))).toHaveLength(1);
  });

  it('takes whose resolving counts', async () => {
    const files = { 'lint.txt': 'src/delivery/send.ts:13: error: too many attempts\n' };
    const given = { report_files: '*.txt', report_format: 'lines', report_key: 'lint', accept_by: 'nobody', ...mergeRequest };
    expect(await running(given, files)).toMatchObject({ codes: [0, 2], err: expect.stringContaining('choose one of: anyone, others') as string });
    expect(await running({ gate: 'true', accept_by: 'nobody', ...mergeRequest })).toMatchObject({ codes: [0, 2] });
    expect(await running({ ...given, accept_by: 'others' }, files)).toMatchObject({ codes: [0, 0] });
  });

  it('finds the merge request of the branch that is checked out', async () => {
    const files = { 'report.md': 'Two warnings.' };
    const { codes, err, bodies } = await running({ comment_file: 'report.md', gate: 'true' }, files, 'retry');
    expect([codes, err.match(/^using mr\/12 /gm)]).toEqual([[0, 0, 8], ['using mr/12 ', 'using mr/12 ']]);
    expect(bodies.filter((body) => body.startsWith('Two warnings.'))).toHaveLength(1);
    expect(await running({ gate: 'true' }, {}, 'other')).toMatchObject({ codes: [0, 2] });
  });

  it('takes no other values for switches than true and false', async () => {
    const others = ['yes', 'True', '1', 'on', '', 'no', ' true', 'true\n', 'null', '--help'];
    await everyRow(others, (value) => JSON.stringify(value), async (value) => {
      const { codes, err } = await running({ gate: value, ...mergeRequest });
      expect([codes, err]).toEqual([[0, 2], expect.stringContaining('set the input gate to true or false')]);
    });
    const report = { report_files: 'lint.txt', report_format: 'lines', report_key: 'lint', ...mergeRequest };
    const files = { 'lint.txt': 'src/delivery/send.ts:13: warning: too many attempts\n' };
    for (const input of ['resolve', 'allow_empty', 'allow_failed_run']) {
      const { codes, err } = await running({ ...report, [input]: 'yes' }, files);
      expect([codes, err]).toEqual([[0, 2], expect.stringContaining(`set the input ${input} to true or false`)]);
    }
    expect((await running({ ...report, resolve: 'false', allow_empty: 'true', gate: 'false' }, files)).codes).toEqual([0, 0]);
  });

  it('installs only', async () => {
    expect((await running({})).codes).toEqual([0]);
  });

  it('fails if only one half of the source is given', async () => {
    const { codes, err } = await running({ source_url: 'http://127.0.0.1:9/colloquy', gate: 'true' });
    expect(codes).toEqual([1]);
    expect(err).toContain('set the input source_sha256');
  });
});
