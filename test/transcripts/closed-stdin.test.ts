import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/cli/app.js';
import { examplesOf } from '../../src/cli/command-line/command.js';
import { wholeProgram } from '../../src/cli/program.js';
import { startServer, type RunningServer } from '../../src/server/index.js';
import { sampleOf } from '../support/extent.js';
import { ended, newHome, program } from '../support/program.js';
import { everyRow } from '../support/rows.js';

const leaves = (command: Command): Command[] => command.commands.filter((sub) => sub.name() !== 'help')
  .flatMap((sub) => sub.commands.length > 0 ? leaves(sub) : [sub]);
const nameOf = (command: Command): string => command.parent ? `${nameOf(command.parent)} ${command.name()}`.trim() : '';

/** The words of an example after the program's name, without redirections and pipes. */
const wordsOf = (example: string): string[] => {
  const call = example.replace(/^.*\bcolloquy /, '').replace(/( [|<>] |\)).*$/, '').replace(/--wait \S+/, '--wait 1s');
  return [...call.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)].map((match) => match[1] ?? match[2] ?? match[3]!);
};

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** These run until they are stopped, at least in their examples. */
const endless = ['serve', 'discussions watch', 'appearance banner', 'appearance preview'];

const ending = leaves(await wholeProgram({ program: { version: '0' } } as App)).filter((command) => !endless.includes(nameOf(command)));

/** Each command alone, and as in its examples, for a shell. */
const calls = ending.flatMap((command) => [nameOf(command).split(' '), ...examplesOf(command).map(wordsOf)].map((words, i) =>
  `exec ${[process.execPath, program, ...words].map(quoted).join(' ')} --retries 0 ${i === 0 ? '</dev/null' : '<&-'}`));

let server: RunningServer;
beforeAll(async () => { server = await startServer(); });
afterAll(() => server.close());

describe('with standard input closed and no terminal', () => {
  it('every command ends without a question, alone and as in its examples', { timeout: 300_000 }, async () => {
    const settings = { COLLOQUY_URL: server.url, COLLOQUY_TOKEN: 'root-token', COLLOQUY_PROJECT: 'acme/app', COLLOQUY_GROUP: 'acme' };
    await everyRow(sampleOf(calls, 6), String, async (call) => {
      const { home, env } = newHome();
      const child = spawn('/bin/sh', ['-c', call], { cwd: home, env: { ...env, ...settings }, stdio: ['ignore', 'pipe', 'pipe'], timeout: 40_000 });
      const { code, err } = await ended(child);
      expect(code, err).toBeTypeOf('number');
      // It ends with the exit code of its command.
      if (!call.includes("'notes' 'exec'")) expect(code, err).toBeLessThanOrEqual(10);
      expect(err).not.toMatch(/^\? /m);
    }, { atOnce: 3 });
  });
});
