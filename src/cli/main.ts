import { appendFile, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isatty, type WriteStream } from 'node:tty';
import type { App, Connection, Output, Questions } from './app.js';
import { clientOver } from './connect.js';
import { exits } from './failures.js';
import { colorsOf, withoutSwitches } from './output/colors.js';
import { run } from './run.js';
import { configFolder, profileStore } from './settings/store.js';
import { newJournal } from './writing/journal.js';
import { draftFolder, stateFolder } from './writing/state-folder.js';
import { version } from '../version.js';

const { env } = process;

/**
 * Runs the command line of this process with the real world around it. Resolves to the exit code. The first signal ends
 * what the program does, which then says how far it came; the second ends it at once.
 */
export const main = async (): Promise<number> => {
  const stop = new AbortController();
  const editing = { now: false };
  const end = (name: NodeJS.Signals) => {
    if (name === 'SIGINT' && editing.now) return;
    if (stop.signal.aborted) process.exit(exits.interrupted);
    stop.abort();
  };
  for (const name of signals) process.on(name, end);
  try {
    const code = await run(process.argv.slice(2), realApp(stop.signal, editing));
    // What was interrupted may wait for something yet; that is not waited for.
    if (code === exits.interrupted) process.exit(code);
    return code;
  } finally {
    for (const name of signals) process.off(name, end);
  }
};

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Whether an editor has the terminal: Ctrl-C is its business then. */
interface Editing { now: boolean }

const realApp = (signal: AbortSignal, editing: Editing): App => ({
  out: outputTo(process.stdout),
  err: lenient(outputTo(process.stderr)),
  stdin: { isTerminal: isatty(0), read: readStdin },
  files: { read: (path) => readFile(path), append: (path, text) => appendFile(path, text) },
  env,
  now: () => new Date(),
  ask: questions,
  edit: (path) => edit(path, signal, editing),
  drafts: draftFolder(stateFolder(env, homedir(), process.platform)),
  journal: newJournal(),
  branch,
  tools: {
    page: (command, text) => page(command, text, editing),
    gitDiff: async (...asked) => (await import('./terminal/tools.js')).gitDiff(...asked),
  },
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
    rows: stream.rows ?? 24,
    colors: colorsOf(env, stream.isTTY ?? false, stream.isTTY ? stream.getColorDepth(withoutSwitches(env)) : 1),
  };
};

/** Nobody reads what is said beside the result: no reason to fail. */
const lenient = (output: Output): Output => ({ ...output, write: (text) => output.write(text).catch(() => undefined) });

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

const edit = async (path: string, signal: AbortSignal, editing: Editing): Promise<void> => {
  const { runEditor } = await import('./writing/editor.js');
  editing.now = true;
  try {
    await runEditor(env, path, process.platform === 'win32', signal);
  } finally {
    editing.now = false;
  }
};

/** A pager has the terminal as an editor does. */
const page = async (command: string, text: string, editing: Editing): Promise<boolean> => {
  const { runPager } = await import('./terminal/tools.js');
  editing.now = true;
  try {
    return await runPager(env, command, text);
  } finally {
    editing.now = false;
  }
};

/** The branch that the nearest git folder has checked out. */
const branch = async (folder = process.cwd()): Promise<string | null> => {
  const head = await readFile(join(folder, '.git', 'HEAD'), 'utf8').catch(() => null);
  if (head !== null) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? null;
  return dirname(folder) === folder ? null : branch(dirname(folder));
};
