import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { startServer } from '../../src/server/index.js';
import { readMarker, visibleText } from '../../src/wire/note-text.js';
import { ended, newHome } from '../support/program.js';
import { isAdded, jobsWith, scriptOf, variablesOf } from './component.js';

/** A project of the demo world with a pipeline of its merge request 12. */
const pipeline = async () => {
  const server = await startServer();
  onTestFinished(server.close);
  const { home, env } = newHome();
  const client = createClient({ url: server.url, token: 'ada-token' });
  const { diff_refs: refs } = await client.lookups.mergeRequest({ id: 'acme/app', iid: 12 });
  const { id } = await client.lookups.project({ id: 'acme/app' });
  const variables = {
    CI: 'true', GITLAB_CI: 'true', CI_API_V4_URL: `${server.url}/api/v4`, CI_SERVER_URL: server.url, CI_PROJECT_ID: String(id),
    CI_MERGE_REQUEST_PROJECT_ID: String(id), CI_MERGE_REQUEST_IID: '12', CI_PIPELINE_SOURCE: 'merge_request_event', CI_PIPELINE_IID: '7',
    CI_JOB_ID: '71', CI_COMMIT_SHA: refs!.head_sha, CI_MERGE_REQUEST_DIFF_BASE_SHA: refs!.base_sha, CI_PROJECT_DIR: home,
    COLLOQUY_TOKEN: 'ada-token',
  };
  const threads = () => client.discussions.merge_request.list({ id: 'acme/app', noteable_id: 12 }).all();
  const before = new Set((await threads()).map((thread) => thread.id));
  return {
    client, threads, variables,
    created: async () => (await threads()).filter((thread) => !before.has(thread.id)),
    write: (name: string, text: string) => writeFileSync(join(home, name), text),
    run: async (name: string, given: Parameters<typeof jobsWith>[0], more: Record<string, string> = {}) => {
      const job = jobsWith(given)[name]!;
      expect(isAdded(job, variables)).toBe(true);
      return ended(spawn('bash', ['-c', scriptOf(job)], { cwd: home, env: { ...env, ...variables, ...variablesOf(job), ...more } }));
    },
  };
};

const sarif = (...lines: number[]) => JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, results: lines.map((startLine) => ({
  ruleId: 'r1', level: 'warning', message: { text: 'unexpected number' },
  locations: [{ physicalLocation: { artifactLocation: { uri: 'src/delivery/send.ts' }, region: { startLine } } }],
})) }] });

it('an input is data in scripts: no text of an input is run', async () => {
  const { run, write, created } = await pipeline();
  write('$(touch x).md', 'The report.');
  expect(await run('colloquy-comment', { comment_file: '$(touch x).md', comment_key: 'a"; exit 3; "' })).toMatchObject({ code: 0 });
  expect((await created()).length).toBe(1);
});

describe('the comment job', () => {
  it('writes a section of the comment, which is data', async () => {
    const { run, write, created } = await pipeline();
    write('a.md', 'Of a.');
    write('b.md', 'Of b.');
    for (const name of ['a', 'b']) {
      const given = { comment_file: `${name}.md`, section: `--key=other $(exit 3) ${name}` };
      expect(await run('colloquy-comment', given, { CI_JOB_URL: `https://ci.example.com/${name}` })).toMatchObject({ code: 0 });
    }
    const comments = await created();
    expect(comments.map(({ notes }) => visibleText(notes[0].body).split('\n\n').slice(0, 2))).toEqual([['Of a.', 'Of b.']]);
    expect(comments[0]!.notes[0].body).toContain('](https://ci.example.com/b)');
  }, 60_000);

  it('adds one comment, which the next pipeline updates', async () => {
    const { run, write, created } = await pipeline();
    for (const [iid, text] of [['7', '2 warnings'], ['8', '1 warning, @\u2060ada']] as const) {
      write('report.md', `${text.replace('\u2060', '')}\n`);
      expect(await run('colloquy-comment', { comment_file: 'report.md' }, { CI_PIPELINE_IID: iid })).toMatchObject({ code: 0 });
    }
    const [thread, ...others] = await created();
    expect([others, thread!.individual_note, readMarker(thread!.notes[0].body).text]).toEqual([[], true, '1 warning, @\u2060ada']);
  });
});

describe('the report job', () => {
  it('gives the program files whose names look like options', async () => {
    const { run, write, created } = await pipeline();
    write('--url=http:evil.test.sarif', sarif(13));
    expect(await run('colloquy-report', { report_files: '*.sarif' })).toMatchObject({ code: 0 });
    expect((await created()).length).toBe(1);
  });

  const given = { report_files: '*.sarif' };

  it('starts a thread for each finding, and resolves it when a later pipeline does not report it', async () => {
    const { run, write, created } = await pipeline();
    write('a.sarif', sarif(13));
    expect(await run('colloquy-report', given)).toMatchObject({ code: 0 });
    const [thread] = await created();
    expect(thread!.notes[0].position).toMatchObject({ new_path: 'src/delivery/send.ts', new_line: 13 });
    write('a.sarif', sarif());
    expect(await run('colloquy-report', given, { CI_PIPELINE_IID: '8' })).toMatchObject({ code: 0 });
    expect((await created()).map(({ notes: [note] }) => note.resolved)).toEqual([true]);
  });

  it('fails if a finding has the given level', async () => {
    const { run, write } = await pipeline();
    write('a.sarif', sarif(13));
    expect(await run('colloquy-report', { ...given, report_fail_level: 'error', report_key: 'own key' })).toMatchObject({ code: 0 });
    expect(await run('colloquy-report', { ...given, report_fail_level: 'warning', report_key: 'own key' })).toMatchObject({ code: 8 });
  });

  it('finds the threads of a report that names no tool by the job and the format, and leaves those of other jobs alone', async () => {
    const { run, write, created } = await pipeline();
    write('a.txt', 'src/delivery/send.ts:13: warning: too many attempts\n');
    const lines = (CI_JOB_NAME: string, files: string, CI_PIPELINE_IID = '8') =>
      run('colloquy-report', { report_files: files, report_format: 'lines', allow_empty: true }, { CI_JOB_NAME, CI_PIPELINE_IID });
    write('none.txt', '');
    expect(await lines('one-report', 'a.txt')).toMatchObject({ code: 0 });
    expect(await lines('other-report 1/2', 'none.txt')).toMatchObject({ code: 0 });
    expect((await created()).map(({ notes: [note] }) => [readMarker(note.body).marker!['key'], note.resolved])).toEqual([['one-report/lines', false]]);
    expect(await lines('one-report', 'none.txt', '9')).toMatchObject({ code: 0 });
    expect((await created()).map(({ notes: [note] }) => note.resolved)).toEqual([true]);
    expect(await lines('', 'a.txt', '9')).toMatchObject({ code: 2, err: expect.stringContaining('pass --key NAME') as string });
  }, 60_000);

  it('fails for a format that the command does not know', async () => {
    const { run } = await pipeline();
    expect(await run('colloquy-report', { report_files: 'a', report_format: 'unknown' })).toMatchObject({
      code: 2, err: expect.stringContaining('choose a format that the tool can write') as string });
  });
});

describe('the gate job', () => {
  const resolveAll = async ({ client, threads }: Awaited<ReturnType<typeof pipeline>>) => {
    for (const { id, notes } of await threads()) {
      if (notes.some(({ resolvable }) => resolvable)) {
        await client.discussions.merge_request.resolve({ id: 'acme/app', noteable_id: 12, discussion_id: id, resolved: true });
      }
    }
  };

  it('fails while a thread is unresolved, and then succeeds', async () => {
    const job = await pipeline();
    expect(await job.run('colloquy-gate', { gate: true })).toMatchObject({ code: 8, err: expect.stringContaining('unresolved threads on mr/12') as string });
    await resolveAll(job);
    expect(await job.run('colloquy-gate', { gate: true })).toMatchObject({ code: 0 });
    expect(await job.run('colloquy-gate', { gate: true, accept_by: 'others' })).toMatchObject({
      code: 8, err: expect.stringContaining('4 threads of mr/12 resolved by ada, the author of the merge request') as string });
  });

  it('decides alone about the findings of a report job that fails at no level', async () => {
    const job = await pipeline();
    await resolveAll(job);
    const given = { report_files: 'a.sarif', report_fail_level: 'none', gate: true };
    const codes = async (iid: string, ...lines: number[]) => {
      job.write('a.sarif', sarif(...lines));
      const ran = [];
      for (const name of ['colloquy-report', 'colloquy-gate']) ran.push((await job.run(name, given, { CI_PIPELINE_IID: iid })).code);
      return ran;
    };
    expect(jobsWith(given)['colloquy-gate']!.rules?.[0]).toMatchObject({ when: 'always', needs: [{ job: 'colloquy-report' }] });
    expect([await codes('8', 13), await codes('9')]).toEqual([[0, 8], [0, 0]]);
  }, 60_000);
});
