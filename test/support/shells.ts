import { spawnSync } from 'node:child_process';

const missing = new Set<string>();

/**
 * Whether a shell is installed; if not, its tests are skipped, which is printed once. With
 * COLLOQUY_TEST_SHELLS=required that is an error, as in CI.
 */
export const hasShell = (name: 'bash' | 'fish' | 'zsh'): boolean => {
  if (spawnSync(name, ['--version']).error === undefined) return true;
  if (process.env['COLLOQUY_TEST_SHELLS'] === 'required') throw new Error(`${name} is not installed`);
  if (!missing.has(name)) process.stderr.write(`skipped: ${name}\n`);
  missing.add(name);
  return false;
};
