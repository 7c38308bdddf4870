import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { shells, type Shell } from '../../../src/cli/help/completions/shells.js';
import { ran } from '../../support/app.js';
import { hasShell } from '../../support/shells.js';

const names = Object.keys(shells) as Shell[];
const script = async (shell: string) => (await ran('completion', shell)).out;

/** The candidates that bash offers for a command line; `known` are the values that the program returns. */
const offered = async (...words: string[]) => offeredOf([], ...words);
const offeredOf = async (known: readonly string[], ...words: string[]) => {
  const list = words.map(quoted).join(' ');
  const program = known.length === 0 ? '' : `colloquy() { printf '%s\\t\\n' ${known.map(quoted).join(' ')}; }\n`;
  const line = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}`;
  const asked = `${await script('bash')}\n${program}${line}; _colloquy; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return spawnSync('bash', ['--norc', '-c', asked], { encoding: 'utf8', cwd: folder }).stdout.trim().split('\n');
};
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

const folder = mkdtempSync(join(tmpdir(), 'colloquy-'));
afterAll(() => { rmSync(folder, { recursive: true }); });

describe('completion', () => {
  it.each(names)('for %s prints the script stored in completions/', async (shell) => {
    expect(await script(shell)).toBe(readFileSync(join(import.meta.dirname, '../../../completions', shells[shell].file), 'utf8'));
  });

  it.each(names)('for %s covers every noun, verb and flag', async (shell) => {
    const text = await script(shell);
    for (const word of ['discussions', 'unresolve', 'appearance', 'reorder', 'with-token', 'header-logo', 'dry-run', 'ndjson', 'rate-limit']) {
      expect(text).toContain(word);
    }
  });

  it.each([['bash', ['-n']], ['zsh', ['-n']], ['fish', ['--no-execute']]] as const)('for %s is valid if that shell is installed', async (shell, flags) => {
    const file = join(import.meta.dirname, '../../../completions', shells[shell].file);
    expect(readFileSync(file, 'utf8').length).toBeGreaterThan(1000);
    if (hasShell(shell)) expect(spawnSync(shell, [...flags, file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('in bash offers nouns, verbs, flags and choices', async () => {
    expect(await offered('colloquy', 'dis')).toEqual(['discussions']);
    expect(await offered('colloquy', 'notes', '')).toEqual(['list', 'add', 'edit', 'delete', 'resolve', 'unresolve', 'upsert', 'post', 'exec']);
    expect(await offered('colloquy', 'notes', 'add', '--mes')).toEqual(['--message']);
    expect(await offered('colloquy', '--quiet', 'epics', 'reorder', '--be')).toEqual(['--before']);
    expect(await offered('colloquy', 'notes', 'list', '-o', 'nd')).toEqual(['ndjson']);
    expect(await offered('colloquy', 'notes', 'list', '--type', 'th')).toEqual(['thread']);
    expect(await offered('colloquy', 'help', 'e')).toEqual(['epics', 'exit-codes', 'environment']);
    expect(await offered('colloquy', 'completion', 'z')).toEqual(['zsh']);
    expect(await offered('colloquy', 'notes', 'add', '--message', '')).toEqual(['']);
  });

  it.each([
    ['my prof', '', 'my\\ prof'], ['my prof', 'my\\ p', 'my\\ prof'], ['my prof', '"my', 'my prof'], ['my prof', "'my p", 'my prof'],
    ['$(reboot)', '', '\\$\\(reboot\\)'], ['$(reboot)', '"$', ''], ['`reboot`', '"', ''], ["it's", "'it", ''], ['a;b', 'a', 'a\\;b'],
    ['id,notes', '--json=id', 'id,notes'], ['co:lon=x', 'co:', 'lon=x'],
  ])('in bash inserts %s after %s without any special effect: %s', async (value, typed, put) => {
    const words = typed.startsWith('--json') ? ['discussions', 'list', '--json', '=', 'id'] : ['config', 'list', '--profile', ...typed.split(/(?<=:)|(?=:)/)];
    expect(await offeredOf([value], 'colloquy', ...words)).toEqual([put]);
  });

  it('in bash completes whole file names, whatever characters they contain', async () => {
    writeFileSync(join(folder, 'my logo.png'), '');
    expect(await offered('colloquy', 'appearance', 'set', '--logo', 'my')).toEqual(['my logo.png']);
  });

  it('in fish continues inside quotes', async () => {
    const asked = `${await script('fish')}\ncomplete -C 'colloquy config list --profile "my'`;
    const program = join(folder, 'colloquy');
    writeFileSync(program, '#!/bin/sh\nprintf "%s\\t\\n" "$@"\n', { mode: 0o755 });
    const env = { ...process.env, HOME: folder, PATH: `${folder}:${process.env['PATH']}` };
    if (hasShell('fish')) expect(spawnSync('fish', ['-c', asked], { encoding: 'utf8', env }).stdout).toBe('my\n');
    expect(asked).toContain('string replace');
  });

  it('rejects an unknown shell', async () => {
    expect(await ran('completion', 'tcsh')).toMatchObject({ code: 2, out: '' });
  });

  it('prints its help', async () => {
    expect((await ran('completion', '--help')).out).toContain('Usage: colloquy completion [options] <shell>');
  });
});
