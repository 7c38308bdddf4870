import { execFile, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { App, Tools } from '../app.js';

/** Implements `Tools.has`. */
export const isInstalled = ({ PATH = '' }: App['env'], name: string, isWindows: boolean): boolean => {
  const folders = PATH.split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => mayRun(join(folder, isWindows ? `${name}.exe` : name)));
};

const mayRun = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** As git sets them: quit if the text fits, pass colors through, keep the screen; for lv, colors. */
const pagerDefaults = { LESS: 'FRX', LV: '-c' };

/** Exit codes of a shell for a program that cannot be run or is not found. */
const notStartedCodes = [126, 127];

/** Implements `Tools.page`. @param leave terminates the pager */
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

/** Overrides the user's settings of `git diff`: the form is the one that `parsePatch` and services expect. */
const diffOptions = [
  '--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--no-relative', '--unified=3',
  '--inter-hunk-context=0', '--diff-algorithm=myers', '--src-prefix=a/', '--dst-prefix=b/',
];

/**
 * Implements `Tools.gitDiff`. Programs in the repository's configuration are not run, and paths are not patterns.
 */
export const gitDiff: Tools['gitDiff'] = (from, to, paths) =>
  new Promise((resolve) => {
    const specs = paths.map((path) => `:(top,literal)${path}`);
    execFile('git',
      ['diff', ...diffOptions, from, to, '--', ...specs],
      { timeout: 5_000, maxBuffer: 16 * 1024 * 1024 }, (error, stdout) => resolve(error ? null : stdout));
  });

/**
 * A command line that makes a POSIX shell exec a single program: a signal would otherwise end the waiting shell and
 * leave the program running.
 */
export const execCommand = (command: string): string => isSimple(command) ? `exec ${command}` : command;

const isSimple = (command: string): boolean => !/[;&|<>()`\n]|^\s*\w+=/.test(command);
