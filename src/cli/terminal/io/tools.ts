import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { basename, delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { plainLine } from '../../../text/plain.js';
import type { App, EndedProgram, Tools } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';

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

/** The prompt of the user takes precedence: less takes the last one. */
const pagerVariables = (env: App['env'], prompt: string | undefined): App['env'] => {
  const all = { ...pagerDefaults, ...env };
  return prompt === undefined ? all : { ...all, LESS: `-Ps${prompt}$${all.LESS ?? ''}` };
};

export const runPager = (
  env: App['env'], command: string, { text, prompt }: { readonly text: string; readonly prompt?: string | undefined },
  isWindows: boolean, leave: AbortSignal,
): Promise<boolean> => new Promise((resolve) => {
  const child = spawn(isWindows ? command : execCommand(command), {
    shell: true, stdio: ['pipe', 'inherit', 'inherit'], env: pagerVariables(env, prompt),
  });
  terminateOn(leave, child);
  child.stdin.on('error', () => undefined);
  child.on('error', () => resolve(false));
  child.on('close', (code) => resolve(!notStartedCodes.includes(code ?? 0)));
  child.stdin.end(text);
});

/** In milliseconds: how long a program that should end may take to clean up. */
const patience = 1_000;

/** Terminates a program, and kills it if it still runs a second later. */
const terminateOn = (signal: AbortSignal, child: ChildProcess): void => {
  const stop = () => {
    child.kill('SIGTERM');
    killLate(child);
  };
  signal.addEventListener('abort', stop, { once: true });
  child.once('exit', () => signal.removeEventListener('abort', stop));
};

const killLate = (child: ChildProcess, onKill: () => void = () => undefined): void => {
  const timer = setTimeout(() => {
    onKill();
    child.kill('SIGKILL');
  }, patience);
  child.once('exit', () => clearTimeout(timer));
};

/** In milliseconds. */
const startTime = 2_000;

export const browserCommand = (platform: NodeJS.Platform): readonly [string, ...string[]] => {
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return platform === 'darwin' ? ['open'] : ['xdg-open'];
};

/** In the program of the system that opens addresses, else in the first one of BROWSER that can be started. */
export const openUrl = async (env: App['env'], url: string, platform: NodeJS.Platform): Promise<boolean> => {
  for (const command of [[...browserCommand(platform), '%s'] as const, ...namedBrowsers(env['BROWSER'] ?? '')]) {
    if (await openIn(env, command, url)) return true;
  }
  return false;
};

type Command = readonly [name: string, ...words: string[]];

/** Several commands with colons between them; `%s` in one is the address, which follows the others. */
const namedBrowsers = (commands: string): Command[] => commands.split(':').flatMap((command): Command[] => {
  const [name, ...words] = command.split(' ').filter((word) => word !== '');
  if (name === undefined) return [];
  return [[name, ...words, ...words.some((word) => word.includes('%s')) ? [] : ['%s']]];
});

/**
 * Without a shell, and without this terminal, which a browser for terminals would use. A program that still runs after
 * `startTime` is the browser itself.
 */
const openIn = (
  env: App['env'], [name, ...words]: Command, url: string,
): Promise<boolean> => new Promise((resolve) => {
  const given = words.map((word) => word.replaceAll('%s', () => url));
  const child = spawn(name, given, { stdio: 'ignore', detached: true, env });
  const timer = setTimeout(() => resolve(true), startTime);
  const end = (isOpen: boolean) => {
    clearTimeout(timer);
    resolve(isOpen);
  };
  child.on('error', () => end(false));
  child.on('exit', (code) => end(code === 0));
  child.unref();
});

/** In milliseconds. A program in the background can hold the streams open; `silent` is for a silent stream. */
const drainTime = { silent: 1_000, most: 4_000 };

/** The most that a program can have written before it ended and that is not read yet: a pipe and a buffer, in bytes. */
const mostUnread = 1_048_576;

/**
 * Ends at most 5 seconds after the program, even if a program in the background writes on.
 * @param onStart receives the function that passes signals on. A terminal sends Ctrl-C to the program itself
 */
export const runProgram = (
  env: App['env'], command: readonly string[], receive: Parameters<Tools['run']>[1],
  onStart: (passOn: (signal: NodeJS.Signals) => void) => void, drain = drainTime,
): Promise<EndedProgram> => new Promise((resolve) => {
  const [name = '', ...words] = command;
  const child = spawn(name, words, { stdio: ['inherit', 'pipe', 'pipe'], env });
  const hasTerminal = [0, 1, 2].some((file) => isatty(file));
  const relays = [
    relay(child.stdout, (chunk) => receive('out', chunk), drain),
    relay(child.stderr, (chunk) => receive('err', chunk), drain),
  ];
  const close = () => { for (const relayed of relays) relayed.close(); };
  let hasEnded = false;
  let signals = 0;
  onStart((signal) => {
    if (hasEnded) return close();
    if (signal === 'SIGINT' && hasTerminal) return;
    child.kill(signal);
    signals += 1;
    if (signals === 2 || ignoresSignal(child.pid, signal)) killLate(child, () => { child.once('exit', close); });
  });
  child.on('error', (error: NodeJS.ErrnoException) => {
    if (child.pid === undefined) resolve({ exit: error.code === 'ENOENT' ? 127 : 126, signal: null, error });
  });
  child.on('exit', (code, signal) => {
    hasEnded = true;
    for (const { endSoon } of relays) endSoon();
    const exit = signal ? 128 + os.constants.signals[signal] : code ?? 1;
    void Promise.all(relays.map(({ ended }) => ended)).then(() => resolve({ exit, signal, error: null }));
  });
});

/** A program that does not ignore it may clean up. Only Linux reports this. */
const ignoresSignal = (pid: number | undefined, signal: NodeJS.Signals): boolean => {
  try {
    const [, mask] = /^SigIgn:\s*([\da-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return (BigInt(`0x${mask}`) >> BigInt(os.constants.signals[signal] - 1) & 1n) === 1n;
  } catch {
    return false;
  }
};

/** If that fails, the stream is closed, and the program gets an error when it writes again. */
const relay = (stream: Readable, receive: (chunk: Uint8Array) => Promise<void>, { silent, most }: typeof drainTime) => {
  let isSilent = false;
  let isPassing = false;
  let left = Infinity;
  const close = () => { stream.destroy(); };
  const pass = async (): Promise<void> => {
    for await (const chunk of stream) {
      isPassing = true;
      await receive(chunk as Uint8Array);
      isPassing = isSilent = false;
      if ((left -= (chunk as Uint8Array).length) <= 0) return close();
    }
  };
  const ended = pass().catch(close);
  const endSoon = () => {
    let elapsed = 0;
    const timer = setInterval(() => {
      const isOverdue = (elapsed += silent) >= most;
      if (isOverdue) left = Math.min(left, mostUnread);
      // What the reader of this program's output has not taken yet is not lost, nor what the system holds.
      setImmediate(() => {
        if ((isSilent || isOverdue) && !isPassing && stream.readableLength === 0) close();
        isSilent = true;
      });
    }, silent);
    void ended.then(() => clearInterval(timer));
  };
  return { ended, endSoon, close };
};

/** Lets a POSIX shell exec a single program: a signal would otherwise end the waiting shell and leave the program. */
const execCommand = (command: string): string => isSimple(command) ? `exec ${command}` : command;

const isSimple = (command: string): boolean => !/[;&|<>()`\n]|^\s*\w+=/.test(command);

/** @param line ignored by editors that are not known @throws Problem if the editor cannot start or fails */
export const runEditor = async (
  { env, isWindows, isTerminal }: Pick<App, 'env'> & { readonly isWindows: boolean; readonly isTerminal: boolean },
  file: string, signal: AbortSignal, line?: number,
): Promise<void> => {
  const named = env['VISUAL'] || env['EDITOR'];
  if (!named && !isWindows && !isTerminal) {
    throw usage('cannot open an editor without a terminal', 'set VISUAL or EDITOR to a program that edits the file');
  }
  const command = named || (isWindows ? 'notepad' : 'vi');
  const [program, args] = commandLine(command, line === undefined ? [file] : atLine(command, file, line), isWindows);
  const name = plainLine(command);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['inherit', 2, 2], shell: isWindows });
    terminateOn(signal, child);
    child.on('error', (cause) => {
      reject(new Problem('failure', `cannot start the editor ${name}`, editorHint, { cause }));
    });
    child.on('exit', (code, killedBy) => {
      const problem = exitProblem(name, code, killedBy);
      if (problem) reject(problem);
      else resolve();
    });
  });
};

const editorHint = 'set VISUAL or EDITOR to an installed editor';

/** A shell parses the command, which can have arguments and quotes; the path of an existing file is run directly. */
const commandLine = (command: string, words: readonly string[], isWindows: boolean): [string, string[]] => {
  if (isWindows) return [command, words.map((word) => `"${word}"`)];
  if (existsSync(command)) return [command, [...words]];
  return ['/bin/sh', ['-c', `${execCommand(command)} "$@"`, 'editor', ...words]];
};

const lineForms: readonly (readonly [name: RegExp, words: (file: string, line: number) => string[]])[] = [
  [/^(code|code-insiders|codium|cursor)$/, (file, line) => ['--goto', `${file}:${line}`]],
  [/^(subl|hx|helix|zed)$/, (file, line) => [`${file}:${line}`]],
  [/^(n?vi|n?vim|[gm]vim|view|nano|pico|emacs|emacsclient|kak|micro|joe|ne|jed|mg)$/,
    (file, line) => [`+${line}`, file]],
];

const atLine = (command: string, file: string, line: number): string[] => {
  const name = basename(command.trim().split(/\s+/)[0] ?? '').replace(/\.(exe|cmd)$/i, '');
  return lineForms.find(([names]) => names.test(name))?.[1](file, line) ?? [file];
};

const exitProblem = (name: string, code: number | null, killedBy: string | null): Problem | null => {
  if (code === 0) return null;
  if (killedBy !== null) return new Problem('interrupted', `the editor ${name} was terminated by ${killedBy}`);
  if (notStartedCodes.includes(code!)) return new Problem('failure', `cannot start the editor ${name}`, editorHint);
  return new Problem('cancelled', `the editor ${name} exited with ${code}; nothing was sent`);
};
