import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shells, type Shell } from '../../../src/cli/help/completions/shells.js';
import { ran } from '../../support/app.js';
import { hasShell } from '../../support/shells.js';

const names = Object.keys(shells) as Shell[];
const script = async (shell: string) => (await ran('completion', shell)).out;

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

  it('rejects an unknown shell', async () => {
    expect(await ran('completion', 'tcsh')).toMatchObject({ code: 2, out: '' });
  });

  it('prints its help', async () => {
    expect((await ran('completion', '--help')).out).toContain('Usage: colloquy completion [options] <shell>');
  });
});
