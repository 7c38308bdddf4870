import { execFile, spawn } from 'node:child_process';
import type { App } from '../app.js';
import { inItsPlace } from './shell-line.js';

/** Other programs that help with reading. */
export interface Tools {
  /**
   * Shows a text in a pager, a command line of its own, and resolves when the user has left it; false where it does not
   * start.
   */
  readonly page: (command: string, text: string) => Promise<boolean>;
  /**
   * What git says has changed in some files between two commits of the work tree around, or null where there is no git,
   * no work tree, or no such commit.
   * @param paths from the top of the work tree
   */
  readonly gitDiff: (from: string, to: string, paths: readonly string[]) => Promise<string | null>;
}

/** As git sets them: leave at once what fits, let colours through, leave the text standing; for lv, colours. */
const pagerDefaults = { LESS: 'FRX', LV: '-c' };

/** What a shell answers for a program that can't be run or is not there. */
const notStarted = [126, 127];

/** `Tools.page` on this machine. @param leave asks the pager to end */
export const runPager = (
  env: App['env'], command: string, text: string, isWindows: boolean, leave: AbortSignal,
): Promise<boolean> => new Promise((resolve) => {
  const child = spawn(isWindows ? command : inItsPlace(command), {
    shell: true, stdio: ['pipe', 'inherit', 'inherit'], env: { ...pagerDefaults, ...env },
  });
  const stop = () => { child.kill('SIGTERM'); };
  leave.addEventListener('abort', stop, { once: true });
  child.stdin.on('error', () => undefined);
  child.on('error', () => resolve(false));
  child.on('close', (code) => {
    leave.removeEventListener('abort', stop);
    resolve(!notStarted.includes(code ?? 0));
  });
  child.stdin.end(text);
});

/**
 * `Tools.gitDiff` on this machine. Nothing of the repository's own configuration is run, and no path is taken for a
 * pattern.
 */
export const gitDiff: Tools['gitDiff'] = (from, to, paths) =>
  new Promise((resolve) => {
    const specs = paths.map((path) => `:(top,literal)${path}`);
    execFile('git',
      ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', from, to, '--', ...specs],
      { timeout: 5_000, maxBuffer: 16 * 1024 * 1024 }, (error, stdout) => resolve(error ? null : stdout));
  });
