import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reportFormats } from '../../src/cli/notes/findings/read.js';
import { createClient } from '../../src/client/client.js';
import { startServer } from '../../src/server/index.js';
import { readMarker, visibleText } from '../../src/wire/marker.js';
import { ended, newHome } from '../support/program.js';
import { inputs, isAdded, jobsWith, scriptOf, usedInputs, variablesOf } from './component.js';

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

describe('the inputs of the component', () => {
  it('takes every format of reports', () => {
    expect(inputs['report_format']!.options).toEqual(reportFormats);
  });

  it('are all used, described and optional', () => {
    expect(usedInputs().sort()).toEqual(Object.keys(inputs).sort());
    for (const { description, default: value } of Object.values(inputs)) expect([typeof description, value === undefined]).toEqual(['string', false]);
  });

  it('decide which jobs a pipeline has', () => {
    const names = (given: Parameters<typeof jobsWith>[0], source = 'merge_request_event') => Object.entries(jobsWith(given))
      .filter(([, job]) => isAdded(job, { CI_PIPELINE_SOURCE: source })).map(([name]) => name);
    expect(names({})).toEqual([]);
    expect(names({ comment_file: 'a.md' })).toEqual(['colloquy-comment']);
    const all = { comment_file: 'a.md', report_files: 'a.sarif', gate: true, job_prefix: 'mr' };
    expect(names(all)).toEqual(['mr-comment', 'mr-report', 'mr-gate']);
    expect(names(all, 'push')).toEqual([]);
  });

  it('are data in scripts: no text of an input is run', async () => {
    const { run, write, created } = await pipeline();
    write('$(touch x).md', 'The report.');
    expect(await run('colloquy-comment', { comment_file: '$(touch x).md', comment_key: 'a"; exit 3; "' })).toMatchObject({ code: 0 });
    expect((await created()).length).toBe(1);
  });
});

/** Runs a job with stubs of `npm` and, if given, `colloquy`, which write their arguments one a line. */
const stubbed = async (given: Parameters<typeof jobsWith>[0], names: readonly string[], files: readonly string[] = [], tools = '') => {
  const { home } = newHome();
  const [bin, work] = [join(home, 'stubs'), join(home, 'work')];
  for (const folder of [bin, work]) mkdirSync(folder);
  if (tools === '') symlinkSync(process.execPath, join(bin, 'node'));
  for (const name of names) {
    writeFileSync(join(bin, name), `#!/bin/sh\nfor word; do printf '%s\\0' "$word"; done > "${home}/${name}.words"\n`
      + `for word; do last=$word; done; cat -- "$last" > "${home}/${name}.file" 2> /dev/null || :\n`, { mode: 0o755 });
  }
  for (const file of files) writeFileSync(join(work, file), '');
  const [job] = Object.values(jobsWith(given)).filter((one) => isAdded(one, { CI_PIPELINE_SOURCE: 'merge_request_event' }));
  const env = { PATH: `${bin}:${tools === '' ? '/usr/bin:/bin' : tools}`, HOME: home, LC_ALL: 'C.UTF-8', ...variablesOf(job!) };
  const result = await ended(spawn('bash', ['-c', scriptOf(job!)], { cwd: work, env }));
  const read = (file: string) => existsSync(join(home, file)) ? readFileSync(join(home, file), 'utf8') : null;
  return { ...result, read, words: (name: string) => read(`${name}.words`)?.split('\0').slice(0, -1) ?? null };
};

describe('the installation', () => {
  const content = 'the packed file';
  const sha256 = createHash('sha256').update(content).digest('hex');

  /** @returns the address of the file */
  const upload = async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/package.tgz' ? 200 : 404).end(content);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => { server.close(); });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/package.tgz`;
  };

  it('takes the file of the given address and SHA-256, and runs no scripts', async () => {
    const source_url = await upload();
    for (const given of [sha256, sha256.toUpperCase()]) {
      const { code, words, read } = await stubbed({ gate: true, source_url, source_sha256: given }, ['npm', 'colloquy']);
      expect([code, words('npm')!.slice(0, -1), read('npm.file')]).toEqual([0, ['install', '--global', '--ignore-scripts', '--'], content]);
      expect(words('npm')!.at(-1)).toMatch(/^\/.*\/colloquy\.tgz$/);
    }
  });

  it.each<readonly [string, { source_url?: string | true; source_sha256?: string }, readonly string[], string]>([
    ['no input is set', {}, [], 'set the inputs source_url and source_sha256'],
    ['the SHA-256 is missing', { source_url: true }, ['colloquy'], 'set the inputs source_url and source_sha256'],
    ['the address is missing', { source_sha256: sha256 }, ['colloquy'], 'set the inputs source_url and source_sha256'],
    ['the SHA-256 is shorter', { source_url: true, source_sha256: sha256.slice(1) }, [], 'set the inputs source_url and source_sha256'],
    ['the SHA-256 differs', { source_url: true, source_sha256: '0'.repeat(64) }, ['colloquy'], `is ${sha256}, expected 0000`],
    ['the file is missing', { source_url: '/other.tgz', source_sha256: sha256 }, [], 'cannot download http'],
    ['the address is invalid', { source_url: 'nowhere', source_sha256: sha256 }, [], 'cannot download nowhere'],
  ])('fails without running npm or colloquy if %s', async (_, { source_url, ...given }, programs, message) => {
    const address = await upload();
    const url = source_url === true ? address : source_url?.replace(/^\//, new URL('/', address).href);
    const { code, err, words } = await stubbed({ gate: true, ...given, ...url !== undefined && { source_url: url } }, ['npm', ...programs]);
    expect([code, words('npm'), words('colloquy')]).toEqual([1, null, null]);
    expect(err).toContain(message);
  });

  it.each(['curl', 'wget', 'node'])('works with %s as the only program for downloads', async (downloader) => {
    const source_url = await upload();
    const { home } = newHome();
    const tools = join(home, 'tools');
    mkdirSync(tools);
    for (const name of ['bash', 'cat', 'chmod', 'cut', 'grep', 'head', 'mktemp', 'mv', 'sh', 'sha256sum', 'tail', 'tr', downloader]) {
      const path = name === 'node' ? process.execPath : (process.env['PATH'] ?? '').split(':').map((one) => join(one, name)).find((one) => existsSync(one));
      if (path !== undefined) symlinkSync(path, join(tools, name));
      else expect(name).toBe('wget');
    }
    const { code, read } = await stubbed({ gate: true, source_url, source_sha256: sha256 }, ['npm', 'colloquy'], [], tools);
    expect([code, read('npm.file')]).toEqual(existsSync(join(tools, downloader)) ? [0, content] : [1, null]);
  });

  it('uses the command of the image if no input is set', async () => {
    const { code, words } = await stubbed({ gate: true }, ['npm', 'colloquy']);
    expect([code, words('npm'), words('colloquy')]).toEqual([0, null, ['discussions', 'check', '--wait=1s']]);
  });
});

describe('the options of the jobs', () => {
  it('are those of the inputs', async () => {
    const words = async (given: Parameters<typeof jobsWith>[0]) =>
      (await stubbed({ report_files: 'a', report_format: 'lines', ...given }, ['colloquy'])).words('colloquy')!.slice(3, -2);
    expect(await words({})).toEqual([]);
    expect(await words({ root: '/a b', prefix: 'web', max: '5', resolve: false, pattern: '^(?P<path>.+) "$x"', allow_empty: true, allow_failed_run: true }))
      .toEqual(['--root=/a b', '--prefix=web', '--max=5', '--no-resolve', '--pattern=^(?P<path>.+) "$x"', '--allow-empty', '--allow-failed-run']);
    expect(await words({ report_filter: 'all' })).toEqual(['--filter=all']);
    expect(await words({ report_filter: 'added', max: '30', resolve: true, allow_empty: false, allow_failed_run: false })).toEqual([]);
  });

  it('are those of the comment', async () => {
    const words = async (given: Parameters<typeof jobsWith>[0]) => (await stubbed({ comment_file: 'a.md', ...given }, ['colloquy'])).words('colloquy');
    expect(await words({})).toEqual(['notes', 'upsert', '--key=report', '--body-file=a.md', '--neutral']);
    expect((await words({ section: 'node 20' }))!.at(-1)).toBe('--section=node 20');
  });
});

describe('names of files that a merge request adds', () => {
  it('are never options, references or standard input', async () => {
    const files = ['--url=http:evil.test.sarif', '-', '!13', '#7', 'a b.sarif', 'a\nb.sarif', '$(touch x).sarif', '*.sarif', '-F', "'.sarif"];
    const { code, words } = await stubbed({ report_files: '*', report_key: '--all' }, ['colloquy'], files);
    const [options, names] = [words('colloquy')!.slice(0, 4), words('colloquy')!.slice(5)];
    expect([code, options, words('colloquy')![4]]).toEqual([0, ['notes', 'post', '--from=sarif', '--key=--all'], '--']);
    expect([...names].sort()).toEqual(files.map((file) => `./${file}`).sort());
  });

  it('may be absolute in the inputs', async () => {
    const { words } = await stubbed({ report_files: '/tmp/a.sarif b.sarif' }, ['colloquy']);
    expect(words('colloquy')!.slice(-2)).toEqual(['/tmp/a.sarif', './b.sarif']);
  });

  it('reach the program as files', async () => {
    const { run, write, created } = await pipeline();
    write('--url=http:evil.test.sarif', sarif(13));
    expect(await run('colloquy-report', { report_files: '*.sarif' })).toMatchObject({ code: 0 });
    expect((await created()).length).toBe(1);
  });
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
    expect(comments.map(({ notes }) => visibleText(notes[0]!.body).split('\n\n').slice(0, 2))).toEqual([['Of a.', 'Of b.']]);
    expect(comments[0]!.notes[0]!.body).toContain('](https://ci.example.com/b)');
  }, 60_000);

  it('adds one comment, which the next pipeline updates', async () => {
    const { run, write, created } = await pipeline();
    for (const [iid, text] of [['7', '2 warnings'], ['8', '1 warning, @\u2060ada']] as const) {
      write('report.md', `${text.replace('\u2060', '')}\n`);
      expect(await run('colloquy-comment', { comment_file: 'report.md' }, { CI_PIPELINE_IID: iid })).toMatchObject({ code: 0 });
    }
    const [thread, ...others] = await created();
    expect([others, thread!.individual_note, readMarker(thread!.notes[0]!.body).text]).toEqual([[], true, '1 warning, @\u2060ada']);
  });
});

describe('the report job', () => {
  const given = { report_files: '*.sarif' };

  it('starts a thread for each finding, and resolves it when a later pipeline does not report it', async () => {
    const { run, write, created } = await pipeline();
    write('a.sarif', sarif(13));
    expect(await run('colloquy-report', given)).toMatchObject({ code: 0 });
    const [thread] = await created();
    expect(thread!.notes[0]!.position).toMatchObject({ new_path: 'src/delivery/send.ts', new_line: 13 });
    write('a.sarif', sarif());
    expect(await run('colloquy-report', given, { CI_PIPELINE_IID: '8' })).toMatchObject({ code: 0 });
    expect((await created()).map(({ notes: [note] }) => note!.resolved)).toEqual([true]);
  });

  it('fails if a finding has the given level', async () => {
    const { run, write } = await pipeline();
    write('a.sarif', sarif(13));
    expect(await run('colloquy-report', { ...given, report_fail_level: 'error', report_key: 'own key' })).toMatchObject({ code: 0 });
    expect(await run('colloquy-report', { ...given, report_fail_level: 'warning', report_key: 'own key' })).toMatchObject({ code: 8 });
  });

  it('takes every format that the command knows', async () => {
    const { run } = await pipeline();
    const { err } = await run('colloquy-report', { report_files: 'a', report_format: 'unknown' });
    expect(err.match(/choose one of: (.*)/)![1]!.split(', ')).toEqual(inputs['report_format']!.options);
  });
});

describe('the gate job', () => {
  it('fails while a thread is unresolved, and then succeeds', async () => {
    const { run, client, threads } = await pipeline();
    expect(await run('colloquy-gate', { gate: true })).toMatchObject({ code: 8, err: expect.stringContaining('unresolved threads on mr/12') as string });
    for (const { id, notes } of await threads()) {
      if (notes.some(({ resolvable }) => resolvable)) {
        await client.discussions.merge_request.resolve({ id: 'acme/app', noteable_id: 12, discussion_id: id, resolved: true });
      }
    }
    expect(await run('colloquy-gate', { gate: true })).toMatchObject({ code: 0 });
    expect(await run('colloquy-gate', { gate: true, accept_by: 'others' })).toMatchObject({
      code: 8, err: expect.stringContaining('4 threads of mr/12 resolved by ada, not by others') as string });
  });
});
