import { spawn } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isatty, type WriteStream } from 'node:tty';
import type { App, Connection, Output, Questions } from './app.js';
import { clientOver } from './connect.js';
import { Problem } from './failures.js';
import { colorsOf } from './output/colors.js';
import { run } from './run.js';
import { configFolder, profileStore } from './settings/store.js';
import { version } from '../version.js';

const { env } = process;

/** Runs the command line of this process with the real world around it. Resolves to the exit code. */
export const main = async (): Promise<number> => {
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const name of signals) process.once(name, end);
  try {
    return await run(process.argv.slice(2), realApp(stop.signal));
  } finally {
    for (const name of signals) process.off(name, end);
  }
};

const signals = ['SIGINT', 'SIGTERM'] as const;

const realApp = (signal: AbortSignal): App => ({
  out: outputTo(process.stdout),
  err: outputTo(process.stderr),
  stdin: { isTerminal: isatty(0), read: readStdin },
  files: { read: (path) => readFile(path), append: (path, text) => appendFile(path, text) },
  env,
  now: () => new Date(),
  ask: questions,
  edit,
  branch,
  profiles: profileStore(configFolder(env, homedir(), process.platform)),
  connect: (connection) => connect(connection, signal),
  signal,
  pid: process.pid,
  version,
});

/** A stream that breaks is told by the failed write, so its event is heard and let go. */
const outputTo = (stream: WriteStream): Output => {
  if (stream.listenerCount('error') === 0) stream.on('error', () => undefined);
  return {
    write: (text) => new Promise((resolve, reject) => {
      stream.write(text, (error) => { if (error) reject(error); else resolve(); });
    }),
    isTerminal: stream.isTTY ?? false,
    columns: stream.columns ?? 80,
    colors: colorsOf(env, stream.isTTY ?? false, stream.isTTY ? stream.getColorDepth(env) : 1),
  };
};

const readStdin = async (): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
};

const connect = async (connection: Connection, signal: AbortSignal) => {
  const { socketTransport } = await import('../client/socket.js');
  const proxy = { https: env['HTTPS_PROXY'] ?? env['https_proxy'], http: env['http_proxy'] ?? env['HTTP_PROXY'] };
  const noProxy = env['NO_PROXY'] ?? env['no_proxy'];
  const { url, tls, timeout } = connection;
  return clientOver(socketTransport(url, { ...tls, proxy, noProxy, timeout }), connection, signal);
};

/** inquirer is loaded with the first question. Questions go to stderr: stdout is for results. */
const asked = async <T>(type: 'confirm' | 'input' | 'password', message: string): Promise<T> => {
  const { default: inquirer } = await import('inquirer');
  const prompt = inquirer.createPromptModule({ output: process.stderr });
  const question = { type, name: 'answer', message, ...(type === 'confirm' && { default: false }) };
  return (await prompt([question]) as { answer: T }).answer;
};

const questions: Questions = {
  confirm: (message) => asked('confirm', message),
  text: (message) => asked('input', message),
  password: (message) => asked('password', message),
};

const edit = async (text: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'colloquy-'));
  const file = join(folder, 'note.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    await runEditor(env['VISUAL'] || env['EDITOR'] || 'vi', file);
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** The editor is a command line of its own, such as `code --wait`; a shell takes it apart. */
const runEditor = (command: string, file: string): Promise<void> => new Promise((resolve, reject) => {
  const child = spawn(`${command} "${file}"`, { stdio: 'inherit', shell: true });
  child.on('error', reject);
  child.on('exit', (code) => {
    if (code === 0) resolve();
    else reject(new Problem('cancelled', `the editor ended with ${code}, so nothing was sent`));
  });
});

/** The branch that the nearest git folder has checked out. */
const branch = async (folder = process.cwd()): Promise<string | null> => {
  const head = await readFile(join(folder, '.git', 'HEAD'), 'utf8').catch(() => null);
  if (head !== null) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? null;
  return dirname(folder) === folder ? null : branch(dirname(folder));
};
