import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../src/cli/app.js';
import { examplesOf } from '../src/cli/flags/command.js';
import { wholeProgram } from '../src/cli/program.js';
import { openService, startServer, type RunningServer } from '../src/server/index.js';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

const blocksOf = (language: string) =>
  [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter((match) => match[1] === language).map((match) => match[2]!);

/** The commands of a console block, each with the output that is shown below it. */
const commandsOf = (block: string) => block.split(/^\$ /m).slice(1).map((text) => {
  const [command, ...output] = text.trimEnd().split('\n');
  return { command: command!, output: output.join('\n') };
});

const program = await wholeProgram({ version: '0' } as App);
const leaves = (command: Command): Command[] => command.commands.filter((sub) => sub.name() !== 'help')
  .flatMap((sub) => sub.commands.length > 0 ? leaves(sub) : [sub]);
const nameOf = (command: Command): string => command.parent ? `${nameOf(command.parent)} ${command.name()}`.trim() : '';

describe('the commands in README', () => {
  const blocks = blocksOf('console').map((block) => [block.split('\n')[0]!, commandsOf(block)] as const);
  let folder: string;
  let server: RunningServer;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'colloquy-docs-'));
    writeFileSync(join(folder, 'colloquy'), `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin', 'colloquy.cjs')}" "$@"\n`);
    chmodSync(join(folder, 'colloquy'), 0o755);
    server = await startServer();
    env = {
      PATH: `${folder}:${process.env['PATH']}`, HOME: folder, COLLOQUY_CONFIG_DIR: folder, COLLOQUY_URL: server.url,
      COLLOQUY_TOKEN: 'root-token', COLLOQUY_PROJECT: 'acme/app', COLLOQUY_GROUP: 'acme',
    };
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const inShell = async (command: string) => {
    const child = spawn('sh', ['-c', command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => { texts[name] += text; });
    }
    const [status] = await once(child, 'close') as [number];
    return { status, ...texts };
  };

  it('are there', () => expect(blocks.length).toBeGreaterThan(5));

  it.each(blocks)('run: %s', async (_, commands) => {
    await fetch(`${server.url}/-/reset`, { method: 'POST' });
    for (const { command, output } of commands) {
      const { status, stdout, stderr } = await inShell(command);
      expect({ command, status, stderr: status === 0 ? '' : stderr }).toEqual({ command, status: 0, stderr: '' });
      if (output !== '') expect(stdout.trimEnd(), command).toBe(output);
    }
  });
});

it('the world in README is one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-docs-'));
  const worlds = blocksOf('yaml').filter((block) => block.startsWith('users:'));
  expect(worlds).toHaveLength(1);
  writeFileSync(join(folder, 'world.yaml'), worlds[0]!);
  const service = await openService({ world: join(folder, 'world.yaml') });
  const answer = await service.handle({
    method: 'GET', target: '/api/v4/projects/acme%2Fapp/merge_requests/1/discussions', headers: { 'private-token': 'ada-token' },
  });
  expect(JSON.parse(String(answer.body))).toMatchObject([{ notes: [{ body: 'Looks good.' }] }]);
  await service.close();
  rmSync(folder, { recursive: true });
});

describe('help', () => {
  it('is given for a verb, whichever way it is asked for', () => {
    const help = (...words: string[]) =>
      spawnSync(process.execPath, [join(root, 'bin', 'colloquy.cjs'), ...words], { encoding: 'utf8' }).stdout;
    expect(help('help', 'notes', 'add')).toMatch(/^Usage: colloquy notes add /);
    expect(help('help', 'notes', 'add')).toBe(help('notes', 'add', '--help'));
    expect(help('help')).toBe(help('--help'));
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
