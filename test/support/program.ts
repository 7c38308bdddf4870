import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export const root = join(import.meta.dirname, '..', '..');

/** The built program; COLLOQUY_TEST_PROGRAM runs the same tests with an installed one. */
export const program = process.env['COLLOQUY_TEST_PROGRAM'] ?? join(root, 'bin', 'colloquy.cjs');

/** How to start it: a standalone program has Node in it. */
export const programWords = program.endsWith('.cjs') ? [process.execPath, program] as const : [program] as const;

/** Where shells of tests find other programs; a standalone program finds no Node there. */
export const pathOfOthers = process.env['COLLOQUY_TEST_PATH'] ?? process.env['PATH']!;

/** What shells run as `colloquy`. */
export const programScript = `#!/bin/sh\nexec ${programWords.map((word) => `"${word}"`).join(' ')} "$@"\n`;

export type Env = Record<string, string>;

/** The output and exit code of a process. */
export interface Ended { readonly code: number | null; readonly out: string; readonly err: string }

/** A home folder until the test ends, with `colloquy` on the path. */
export const newHome = (): { readonly home: string; readonly env: Env } => {
  const home = mkdtempSync(join(tmpdir(), 'colloquy-home-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin', 'colloquy'), programScript);
  chmodSync(join(home, 'bin', 'colloquy'), 0o755);
  return { home, env: { PATH: `${join(home, 'bin')}:${pathOfOthers}`, HOME: home, TZ: 'UTC', LC_ALL: 'C.UTF-8' } };
};

/** The complete output of a process, once it has ended and its streams are closed. */
export const ended = async (child: ChildProcess): Promise<Ended> => {
  const texts = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => { texts.out += text; });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => { texts.err += text; });
  const [code] = await once(child, 'close') as [number | null];
  return { code, ...texts };
};

/** A server of the program, in a process of its own. */
export interface Served {
  readonly url: string;
  readonly pid: number;
  /** Stops it and returns its output. */
  readonly end: (signal?: NodeJS.Signals) => Promise<Ended>;
}

/** Runs `colloquy serve` with these flags until the test ends. */
export const served = async (flags: readonly string[], env: Env, cwd: string): Promise<Served> => {
  const [command, ...words] = [...programWords, 'serve', '--json', ...flags] as const;
  const child = spawn(command, words, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const left = ended(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await left;
  });
  const [line] = await Promise.race([once(child.stdout, 'data'), left.then(({ err }) => { throw new Error(`serve ended: ${err}`); })]) as [string];
  const { url, pid } = JSON.parse(line) as { url: string; pid: number };
  return { url, pid, end: (signal = 'SIGTERM') => { child.kill(signal); return left; } };
};
