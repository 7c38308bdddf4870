import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shells, type Shell } from '../../../src/cli/completions/shells.js';
import { ran } from '../../support/app.js';

const names = Object.keys(shells) as Shell[];
const script = async (shell: string) => (await ran('completion', shell)).out;
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

/** What bash offers for a command line. */
const offered = async (...words: string[]) => {
  const list = words.map((word) => `'${word}'`).join(' ');
  const asked = `${await script('bash')}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _colloquy; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return spawnSync('bash', ['--norc', '-c', asked], { encoding: 'utf8' }).stdout.trim().split('\n');
};

describe('completion', () => {
  it.each(names)('for %s is what is kept in completions/', async (shell) => {
    expect(await script(shell)).toBe(readFileSync(join(import.meta.dirname, '../../../completions', shells[shell].file), 'utf8'));
  });

  it.each(names)('for %s knows every noun, verb and flag', async (shell) => {
    const text = await script(shell);
    for (const word of ['discussions', 'unresolve', 'appearance', 'reorder', 'with-token', 'header-logo', 'dry-run', 'ndjson', 'rate-limit']) {
      expect(text).toContain(word);
    }
  });

  it.each([['bash', ['-n']], ['zsh', ['-n']], ['fish', ['--no-execute']]] as const)('for %s is valid where that shell is installed', async (shell, flags) => {
    const file = join(import.meta.dirname, '../../../completions', shells[shell].file);
    expect(readFileSync(file, 'utf8').length).toBeGreaterThan(1000);
    if (has(shell)) expect(spawnSync(shell, [...flags, file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it('in bash offers nouns, verbs, flags and choices', async () => {
    expect(await offered('colloquy', 'dis')).toEqual(['discussions']);
    expect(await offered('colloquy', 'notes', '')).toEqual(['list', 'add', 'edit', 'delete', 'resolve', 'unresolve']);
    expect(await offered('colloquy', 'notes', 'add', '--mes')).toEqual(['--message']);
    expect(await offered('colloquy', '--quiet', 'epics', 'reorder', '--be')).toEqual(['--before']);
    expect(await offered('colloquy', 'notes', 'list', '-o', 'nd')).toEqual(['ndjson']);
    expect(await offered('colloquy', 'notes', 'list', '--type', 'th')).toEqual(['thread']);
    expect(await offered('colloquy', 'help', 'e')).toEqual(['epics', 'exit-codes', 'environment']);
    expect(await offered('colloquy', 'completion', 'z')).toEqual(['zsh']);
    expect(await offered('colloquy', 'notes', 'add', '--message', '')).toEqual(['']);
  });

  it('refuses a shell it does not know', async () => {
    expect(await ran('completion', 'tcsh')).toMatchObject({ code: 2, out: '' });
  });

  it('tells how it is used', async () => {
    expect((await ran('completion', '--help')).out).toContain('Usage: colloquy completion [options] <shell>');
  });
});
