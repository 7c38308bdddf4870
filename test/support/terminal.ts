import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import type { Env } from './program.js';
import { terminalPrograms } from './terminal-programs.js';

/** Keys that are not text: their names in tmux, and the bytes that a terminal sends. */
const keys = { 'Enter': ['Enter', '\r'], 'Ctrl-C': ['C-c', '\x03'], 'Ctrl-D': ['C-d', '\x04'], 'Ctrl-E': ['C-e', '\x05'], 'Ctrl-Z': ['C-z', '\x1a'] } as const;
type Key = keyof typeof keys;

export interface Size { readonly columns: number; readonly rows: number }

/** A user at a real pseudo-terminal. */
export interface Terminal {
  /** The text on the screen and in the scrollback. */
  readonly screen: () => string;
  /** The same with its colors, as escape sequences. */
  readonly painted: () => string;
  /** Waits until a text is on the screen. @throws Error with the screen when it does not appear */
  readonly sees: (text: string) => Promise<void>;
  readonly types: (text: string) => void;
  readonly presses: (key: Key) => void;
  /** In tmux only. */
  readonly resizes: (size: Size) => void;
  /** Waits for the end of the command and returns its exit code. */
  readonly ended: () => Promise<number>;
}

/** Opens a terminal that runs a shell command, until the test ends. @param size 100 columns and 30 lines by default */
export type OpenTerminal = (command: string, env: Env, cwd: string, size?: Size) => Terminal;

const usualSize: Size = { columns: 100, rows: 30 };

/** Polls until there is a result, for as long as every other wait of a test (`poll` in vitest.config.ts). */
const until = async <T>(look: () => T | undefined, complain: () => string): Promise<T> => {
  for (let left = 800; left > 0; left--) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
  throw new Error(complain());
};

const sees = (screen: () => string) => async (text: string): Promise<void> => {
  await until(() => screen().includes(text) || undefined, () => `${JSON.stringify(text)} does not come; there is:\n${screen()}`);
};

/** A folder for one terminal, and the command with its exit code stored there, whichever process receives Ctrl-C. */
const place = (command: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-terminal-'));
  const file = join(folder, 'code');
  const noted = `trap : INT; ( trap : INT; ${command} ); echo $? > ${file}.new; mv ${file}.new ${file}`;
  const code = () => existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
  return { folder, noted, code };
};

/**
 * The screen is what a person sees, because tmux draws it: the title of the window, set at the end of the command, tells
 * that it has drawn all before. The shell goes on until the end of the test, as tmux loses what it has not read from a
 * shell that ends.
 */
const inTmux: OpenTerminal = (command, env, cwd, { columns, rows } = usualSize) => {
  const { folder, noted, code } = place(command);
  writeFileSync(join(folder, 'conf'), 'set -g remain-on-exit on\nset -g default-terminal screen-256color\nset -g history-limit 5000\n');
  const tmux = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('tmux', ['-S', join(folder, 'socket'), '-f', join(folder, 'conf'), ...args],
      { env, cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(`tmux ${args[0]}: ${stderr}`);
    return stdout;
  };
  const titled = `${noted}; printf '\\033]2;ended\\033\\\\'; exec cat`;
  tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), '/bin/sh', '-c', titled);
  onTestFinished(() => {
    tmux('kill-server');
    rmSync(folder, { recursive: true });
  });
  const capture = (...flags: string[]) => tmux('capture-pane', '-p', '-J', '-S', '-', ...flags);
  const screen = () => capture().replace(/[ \n]+$/, '');
  const isDrawn = () => tmux('display-message', '-p', '#{pane_title}').trim() === 'ended';
  return {
    screen,
    painted: () => capture('-e'),
    sees: sees(screen),
    types: (text) => { tmux('send-keys', '-l', text); },
    presses: (key) => { tmux('send-keys', keys[key][0]); },
    resizes: (size) => { tmux('resize-window', '-x', String(size.columns), '-y', String(size.rows)); },
    ended: () => until(() => isDrawn() ? code() : undefined, () => `it does not end:\n${screen()}`),
  };
};

/** Without tmux: `script` of util-linux. The screen is all output ever written. */
const inScript: OpenTerminal = (command, env, cwd, { columns, rows } = usualSize) => {
  const { folder, noted, code } = place(command);
  const sized = `stty rows ${rows} cols ${columns}; ${noted}`;
  const child = spawn('script', ['-qefc', sized, '/dev/null'], { cwd, env: { TERM: 'xterm-256color', SHELL: '/bin/sh', ...env } });
  let written = '';
  let isClosed = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => { written += text; });
  child.on('close', () => { isClosed = true; });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  const screen = () => stripVTControlCharacters(written).replaceAll('\r', '');
  return {
    screen,
    painted: () => written,
    sees: sees(screen),
    types: (text) => { child.stdin.write(text); },
    presses: (key) => { child.stdin.write(keys[key][1]); },
    resizes: () => { throw new Error('not possible here'); },
    ended: () => until(() => isClosed ? code() : undefined, () => `it does not end:\n${screen()}`),
  };
};

/** The available kinds of terminals on this machine. */
export const terminals = (): readonly (readonly [name: string, open: OpenTerminal])[] =>
  terminalPrograms().map((program) => [program, program === 'tmux' ? inTmux : inScript] as const);
