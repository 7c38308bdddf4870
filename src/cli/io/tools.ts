import { execFile, spawn } from 'node:child_process';
import type { App, Tools } from '../app.js';

/** As git sets them: leave at once what fits, let colours through, leave the text standing; for lv, colours. */
const pagerDefaults = { LESS: 'FRX', LV: '-c' };

/** What a shell answers for a program that can't be run or is not there. */
const notStartedCodes = [126, 127];

/** `Tools.page` on this machine. @param leave asks the pager to end */
export const runPager = (
  env: App['env'], command: string, text: string, isWindows: boolean, leave: AbortSignal,
): Promise<boolean> => new Promise((resolve) => {
  const child = spawn(isWindows ? command : execCommand(command), {
    shell: true, stdio: ['pipe', 'inherit', 'inherit'], env: { ...pagerDefaults, ...env },
  });
  const stop = () => { child.kill('SIGTERM'); };
  leave.addEventListener('abort', stop, { once: true });
  child.stdin.on('error', () => undefined);
  child.on('error', () => resolve(false));
  child.on('close', (code) => {
    leave.removeEventListener('abort', stop);
    resolve(!notStartedCodes.includes(code ?? 0));
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

/**
 * A command line for a POSIX shell that gives its place to the program it starts, where it names one alone: what is
 * meant for the program, a signal or Ctrl-C, would end a shell that waits for it, and the program would stay behind.
 */
export const execCommand = (command: string): string => isSimple(command) ? `exec ${command}` : command;

const isSimple = (command: string): boolean => !/[;&|<>()`\n]|^\s*\w+=/.test(command);
