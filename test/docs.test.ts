import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../src/cli/app.js';
import { examplesOf } from '../src/cli/flags/command.js';
import { wholeProgram } from '../src/cli/program.js';
import { openService } from '../src/server/index.js';
import { startAddresses, type Addresses } from './support/addresses.js';
import { blocksOf, commandsOf, isShown, pages, pageText, rewriteBlocks } from './support/pages.js';

const root = join(import.meta.dirname, '..');
const isWriting = process.env['COLLOQUY_GOLDEN'] === 'write';

const program = await wholeProgram({ version: '0' } as App);
const leaves = (command: Command): Command[] => command.commands.filter((sub) => sub.name() !== 'help')
  .flatMap((sub) => sub.commands.length > 0 ? leaves(sub) : [sub]);
const nameOf = (command: Command): string => command.parent ? `${nameOf(command.parent)} ${command.name()}`.trim() : '';

const launcher = join(root, 'bin', 'colloquy.cjs');
const printed = (...words: string[]) => spawnSync(process.execPath, [launcher, ...words], { encoding: 'utf8' }).stdout;

/** Blocks that begin with a comment of a file name are that file. */
const writeFiles = (folder: string, page: string) => {
  for (const block of ['js', 'ts', 'yaml', 'json'].flatMap((language) => blocksOf(page, language))) {
    const name = /^(?:\/\/|#) ([\w-]+\.\w+)$/m.exec(block.split('\n', 1)[0]!)?.[1];
    if (name !== undefined) writeFileSync(join(folder, name), block);
  }
};

/** Runs commands of a page in a folder of their own, where programs can import the package. */
const shellIn = (folder: string, url: string) => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'colloquy'));
  writeFileSync(join(folder, 'colloquy'), `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`);
  chmodSync(join(folder, 'colloquy'), 0o755);
  const env = {
    PATH: `${folder}:${process.env['PATH']}`, HOME: folder, TZ: 'UTC', COLLOQUY_CONFIG_DIR: folder, COLLOQUY_URL: url,
    COLLOQUY_TOKEN: 'root-token', COLLOQUY_PROJECT: 'acme/app', COLLOQUY_GROUP: 'acme',
  };
  return async (command: string) => {
    const child = spawn('sh', ['-c', command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { stdout: '', both: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => { texts.stdout += text; texts.both += text; });
    child.stderr.setEncoding('utf8').on('data', (text: string) => { texts.both += text; });
    const [status] = await once(child, 'close') as [number];
    return { status, output: (status === 0 ? texts.stdout : texts.both).trimEnd() };
  };
};

const pagesWithCommands = pages.filter((page) => blocksOf(page, 'console').length > 0);

/**
 * The blocks of a page run in their order on one server, each command in a shell of its own. Below a command that fails
 * stands its error; below another stands its stdout, or nothing.
 */
describe.each(pagesWithCommands)('the console blocks of %s', (page) => {
  let addresses: Addresses;
  let folder: string;
  let inShell: ReturnType<typeof shellIn>;
  const rewritten = new Map<string, string>();

  beforeAll(async () => {
    addresses = await startAddresses();
    folder = mkdtempSync(join(tmpdir(), 'colloquy-docs-'));
    inShell = shellIn(folder, addresses.url);
    writeFiles(folder, page);
  });
  afterAll(async () => {
    if (isWriting) rewriteBlocks(page, rewritten);
    await addresses.close();
    rmSync(folder, { recursive: true });
  });

  it.each(blocksOf(page, 'console').map((block) => [block.split('\n')[0]!, block] as const))('print what is shown: %s', async (_, block) => {
    let actual = '';
    for (const { command, output: shown } of commandsOf(block)) {
      const result = await inShell(addresses.toRun(command));
      const output = addresses.toShow(result.output).replaceAll(folder, '/home/ada').replace(/(?<=\/drafts\/)[\w.-]+/g, '…');
      const fits = isShown(shown, output) || (shown === '' && result.status === 0);
      if (!isWriting && !fits) expect({ command, status: result.status, output }).toEqual({ command, output: shown });
      actual += `$ ${command}\n${fits ? shown : output}${(fits ? shown : output) === '' ? '' : '\n'}`;
    }
    rewritten.set(block, actual);
  });
});

describe('README', () => {
  const readme = pageText('README.md');

  it('has at most 250 lines', () => expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(250));

  it('links to every page of docs/', () => {
    expect(pages.filter((page) => page !== 'README.md' && !readme.includes(`](${page}`))).toEqual([]);
  });

  it('names the two commands that build, show and test everything', () => {
    expect(readme).toMatch(/^npm ci && npm start\b/m);
    expect(readme).toMatch(/^npm test\b/m);
  });
});

describe('docs/reference.md', () => {
  const reference = pageText('docs/reference.md');

  it.each(leaves(program).map((command) => [nameOf(command), command] as const))('has %s with its options', (name, command) => {
    expect(reference).toContain(`colloquy ${name}`);
    const options = command.options.filter((option) => !option.hidden && option.long !== '--version').map(({ flags }) => flags);
    expect(options.filter((option) => !reference.includes(`\`${option.replaceAll('|', '\\|')}`))).toEqual([]);
  });
});

describe('docs/terminal.md', () => {
  const terminal = pageText('docs/terminal.md');
  const guides = terminal + pageText('docs/pipelines.md');

  it('lists every exit code', () => {
    const codes = [...printed('help', 'exit-codes').matchAll(/^ {2}(\d+) {2,}/gm)].map((match) => match[1]);
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter((code) => !terminal.includes(`\n| ${code} |`))).toEqual([]);
  });

  it('describes every environment variable, or docs/pipelines.md does', () => {
    const variables = [...printed('help', 'environment').matchAll(/\b[A-Z][A-Z0-9_]{3,}\b/g)].map((match) => match[0]);
    expect(variables.length).toBeGreaterThan(20);
    const elsewhere = new Set(['COLLOQUY_CONTROL_TOKEN']);
    expect(variables.filter((name) => !elsewhere.has(name) && !guides.includes(`\`${name}\``))).toEqual([]);
  });
});

it('the worlds in the documentation can be loaded, and the first one holds a thread', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-docs-'));
  const worlds = pages.flatMap((page) => blocksOf(page, 'yaml')).filter((block) => block.startsWith('users:'));
  expect(worlds.length).toBeGreaterThan(0);
  for (const [index, world] of worlds.entries()) {
    writeFileSync(join(folder, `${index}.yaml`), world);
    const service = await openService({ world: join(folder, `${index}.yaml`) });
    if (index === 0) {
      const response = await service.handle({
        method: 'GET', target: '/api/v4/projects/acme%2Fapp/merge_requests/1/discussions', headers: { 'private-token': 'ada-token' },
      });
      expect(JSON.parse(String(response.body))).toMatchObject([{ notes: [{ body: 'Looks good.' }] }]);
    }
    await service.close();
  }
  rmSync(folder, { recursive: true });
});

describe('help', () => {
  it('is given for a verb, whichever way it is asked for', () => {
    expect(printed('help', 'notes', 'add')).toMatch(/^Usage: colloquy notes add /);
    expect(printed('help', 'notes', 'add')).toBe(printed('notes', 'add', '--help'));
    expect(printed('help')).toBe(printed('--help'));
  });

  it.each(leaves(program).map((command) => [nameOf(command), command] as const))('of %s has examples that can be read', (name, command) => {
    const samples = examplesOf(command);
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples) {
      const call = sample.replace(/^.*\bcolloquy /, '').replace(/( [|<>] |\)).*$/, '');
      expect(call.startsWith(name), `${sample} calls ${name}`).toBe(true);
      const called = call.slice(name.length);
      const words = [...called.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map((match) => match[1] ?? match[2] ?? match[3]!);
      const { operands, unknown } = command.parseOptions(words);
      expect(unknown, sample).toEqual([]);
      expect(operands.length, sample).toBeLessThanOrEqual(command.registeredArguments.length);
    }
  });
});
