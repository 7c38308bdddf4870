import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reportFormats } from '../../src/cli/notes/findings/read.js';
import { ended, newHome } from '../support/program.js';
import { inputs, isAdded, jobsWith, ruleOf, scriptOf, usedInputs, variablesOf } from './component.js';

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
});

it('the gate starts after the report job, whose threads it counts, and fails or not whatever that did', () => {
  const gateOf = (given: Parameters<typeof jobsWith>[0]) =>
    ruleOf(jobsWith({ gate: true, job_prefix: 'mr', ...given })['mr-gate']!, { CI_PIPELINE_SOURCE: 'merge_request_event' });
  expect(gateOf({ report_files: 'a.sarif' })).toMatchObject({ when: 'always', needs: [{ job: 'mr-report' }] });
  expect(gateOf({})).toEqual({ if: expect.any(String) as string, when: 'always' });
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
  const content = '\x1f\x1e\x08\0the packed file';
  const sha256 = createHash('sha256').update(content).digest('hex');
  const malformed = 'the input source_sha256 is not a SHA-256 of 64 hexadecimal digits\n';

  /** @returns the address of the file */
  const upload = async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.url!.startsWith('/package.tgz') ? 200 : 404).end(content);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => { server.close(); });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/package.tgz`;
  };

  it('takes the file of the given address and SHA-256, and runs no scripts', async () => {
    const source_url = await upload();
    for (const given of [sha256, sha256.toUpperCase()]) {
      const { code, err, words, read } = await stubbed({ gate: true, source_url, source_sha256: given }, ['npm', 'colloquy']);
      expect([code, err, words('npm')!.slice(0, -1), read('npm.file')]).toEqual([0, '', ['install', '--global', '--ignore-scripts', '--'], content]);
      expect(words('npm')!.at(-1)).toMatch(/^\/.*\/colloquy\.tgz$/);
    }
  });

  it.each<readonly [string, { source_url?: string | true; source_sha256?: string }, readonly string[], string]>([
    ['no input is set', {}, [], 'the image has no colloquy command: set the inputs source_url and source_sha256\n'],
    ['the SHA-256 is missing', { source_url: true }, ['colloquy'], 'set the input source_sha256 to the SHA-256 of the file at source_url\n'],
    ['the address is missing', { source_sha256: sha256 }, ['colloquy'], 'set the input source_url to the address of the file with source_sha256\n'],
    ['the SHA-256 is shorter', { source_url: true, source_sha256: sha256.slice(1) }, [], malformed],
    ['the SHA-256 is longer', { source_url: true, source_sha256: `${sha256}0` }, [], malformed],
    ['the SHA-256 has another digit', { source_url: true, source_sha256: `g${sha256.slice(1)}` }, [], malformed],
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

  /** @returns a folder with the usual programs and one for downloads */
  const toolsWith = (downloader: string) => {
    const tools = join(newHome().home, 'tools');
    mkdirSync(tools);
    for (const name of ['bash', 'cat', 'chmod', 'cut', 'grep', 'head', 'mktemp', 'mv', 'sed', 'sh', 'sha256sum', 'tail', 'tr', downloader]) {
      const path = name === 'node' ? process.execPath : (process.env['PATH'] ?? '').split(':').map((one) => join(one, name)).find((one) => existsSync(one));
      if (path !== undefined) symlinkSync(path, join(tools, name));
      else expect(name).toBe('wget');
    }
    return tools;
  };

  it.each(['curl', 'wget', 'node'])('works with %s as the only program for downloads', async (downloader) => {
    const source_url = await upload();
    const tools = toolsWith(downloader);
    const { code, read } = await stubbed({ gate: true, source_url, source_sha256: sha256 }, ['npm', 'colloquy'], [], tools);
    expect([code, read('npm.file')]).toEqual(existsSync(join(tools, downloader)) ? [0, content] : [1, null]);
  });

  it.each(['curl', 'wget', 'node'])('shows no credential of the address when %s fails, or the SHA-256 differs', async (downloader) => {
    const secrets = ['S3cret-word', 'S3cret-query'];
    for (const file of ['other.tgz', 'package.tgz']) {
      const source_url = `${(await upload()).replace('//', `//ci:${secrets[0]!}@`).replace('package.tgz', file)}?private_token=${secrets[1]!}`;
      const { code, err } = await stubbed({ gate: true, source_url, source_sha256: '0'.repeat(64) }, ['npm'], [], toolsWith(downloader));
      expect(code).toBe(1);
      expect(err).toMatch(/(cannot download|SHA-256 of) http:\/\/127\.0\.0\.1:\d+\/\w+\.tgz/);
      for (const secret of secrets) expect(err).not.toContain(secret);
    }
  });

  it('uses the command of the image if no input is set', async () => {
    const { code, words } = await stubbed({ gate: true }, ['npm', 'colloquy']);
    expect([code, words('npm'), words('colloquy')]).toEqual([0, null, ['discussions', 'check']]);
  });
});

describe('the options of the jobs', () => {
  it('are those of the inputs', async () => {
    const words = async (given: Parameters<typeof jobsWith>[0]) =>
      (await stubbed({ report_files: 'a', report_format: 'lines', ...given }, ['colloquy'])).words('colloquy')!.slice(3, -3);
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
    const [options, names] = [words('colloquy')!.slice(0, 6), words('colloquy')!.slice(6)];
    expect([code, options]).toEqual([0, ['notes', 'post', '--from=sarif', '--key=--all', '--output=table', '--']]);
    expect([...names].sort()).toEqual(files.map((file) => `./${file}`).sort());
  });

  it('are wanted: spaces are no report on standard input', async () => {
    for (const report_files of [' ', ' \t ']) {
      const { code, words } = await stubbed({ report_files, allow_empty: true }, ['colloquy']);
      expect([code, words('colloquy')], JSON.stringify(report_files)).toEqual([2, null]);
    }
  });

  it('may be absolute in the inputs', async () => {
    const { words } = await stubbed({ report_files: '/tmp/a.sarif b.sarif' }, ['colloquy']);
    expect(words('colloquy')!.slice(-2)).toEqual(['/tmp/a.sarif', './b.sarif']);
  });
});
