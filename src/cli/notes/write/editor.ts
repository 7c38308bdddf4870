import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Problem } from '../../command-line/failure.js';
import { plainLine } from '../../../text/plain.js';
import { execCommand, terminate } from '../../terminal/io/tools.js';

type Env = Readonly<Record<string, string | undefined>>;

/** @param line ignored by editors that are not known @throws Problem if the editor cannot start or fails */
export const runEditor = (
  env: Env, file: string, isWindows: boolean, signal: AbortSignal, line?: number,
): Promise<void> => {
  const command = env['VISUAL'] || env['EDITOR'] || (isWindows ? 'notepad' : 'vi');
  const [program, args] = commandLine(command, line === undefined ? [file] : atLine(command, file, line), isWindows);
  const name = plainLine(command);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['inherit', 2, 2], shell: isWindows });
    const stop = () => { terminate(child); };
    signal.addEventListener('abort', stop, { once: true });
    child.on('error', (cause) => {
      reject(new Problem('failure', `cannot start the editor ${name}`, editorHint, { cause }));
    });
    child.on('exit', (code, killedBy) => {
      signal.removeEventListener('abort', stop);
      const problem = problemOf(name, code, killedBy);
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

const problemOf = (name: string, code: number | null, killedBy: string | null): Problem | null => {
  if (code === 0) return null;
  if (killedBy !== null) return new Problem('interrupted', `the editor ${name} was terminated by ${killedBy}`);
  if (code === 126 || code === 127) return new Problem('failure', `cannot start the editor ${name}`, editorHint);
  return new Problem('cancelled', `the editor ${name} exited with ${code}; nothing was sent`);
};
