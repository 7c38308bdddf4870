import { appendFile, readFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import type { App, Connection } from './app.js';
import { newSeen } from './completions/seen.js';
import { clientOver, transportOver } from './connect.js';
import { exits } from './failures.js';
import { socketsTo } from './reach.js';
import { run } from './run.js';
import { cacheFolder } from './settings/cache-folder.js';
import { gitRemotes } from './settings/git.js';
import { homeFolder } from './settings/home.js';
import { systemKeyring } from './settings/keyring.js';
import { configFolder, profileStore } from './settings/store.js';
import { questionsAt } from './terminal/asking.js';
import { lenient, outputTo } from './terminal/output.js';
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

/** Whether an editor or a pager has the terminal: Ctrl-C is its business then. */
interface Editing { now: boolean }

const realApp = (signal: AbortSignal, editing: Editing): App => ({
  out: outputTo(1, () => process.stdout, env),
  err: lenient(outputTo(2, () => process.stderr, env)),
  stdin: { isTerminal: isatty(0), read: readStdin },
  files: { read: (path) => readFile(path), append: (path, text) => appendFile(path, text) },
  env,
  now,
  ask: questionsAt(process),
  edit: (path) => edit(path, signal, editing),
  drafts: draftFolder(state()),
  journal: newJournal(),
  branch,
  remotes: gitRemotes,
  tools: {
    page: (command, text) => page(command, text, editing),
    gitDiff: async (...asked) => (await import('./terminal/tools.js')).gitDiff(...asked),
  },
  profiles: profileStore(configFolder(env, home(), process.platform)),
  keyring: systemKeyring,
  cache: cacheFolder(state(), now),
  seen: newSeen(),
  connect: (connection) => connect(connection, signal),
  reach: async (connection) => transportOver(await socketsTo(env, connection), connection),
  expectMuch: keepYoungSpaceSmall,
  signal,
  pid: process.pid,
  version,
});

const now = () => new Date();

/** What the system would look at first is looked at without its module, which takes time to load. */
const home = () => {
  const named = env[process.platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  return homeFolder([() => named ?? '', homedir, () => userInfo().homedir]);
};

const state = () => stateFolder(env, home(), process.platform);

const readStdin = async (): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
};

const connect = async (connection: Connection, signal: AbortSignal) =>
  clientOver(await socketsTo(env, connection), connection, signal);

/** What a page leaves behind is then cleared away sooner: a long list takes up to a third less memory. */
const keepYoungSpaceSmall = async (): Promise<void> => {
  if (env['COLLOQUY_V8_FLAGS'] === 'off') return;
  (await import('node:v8')).setFlagsFromString('--semi-space-growth-factor=1');
};

const edit = async (path: string, signal: AbortSignal, editing: Editing): Promise<void> => {
  const { runEditor } = await import('./writing/editor.js');
  return handingOver(editing, () => runEditor(env, path, process.platform === 'win32', signal));
};

const page = async (command: string, text: string, editing: Editing): Promise<boolean> => {
  const { runPager } = await import('./terminal/tools.js');
  return handingOver(editing, () => runPager(env, command, text));
};

/** Of a Ctrl-C and the end of what it was meant for, the end may be heard first. */
const handingOver = async <T>(editing: Editing, work: () => Promise<T>): Promise<T> => {
  editing.now = true;
  try {
    return await work();
  } finally {
    await new Promise((resolve) => { setImmediate(resolve); });
    editing.now = false;
  }
};

/** The branch that the nearest git folder has checked out. */
const branch = async (folder = process.cwd()): Promise<string | null> => {
  const head = await readFile(join(folder, '.git', 'HEAD'), 'utf8').catch(() => null);
  if (head !== null) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? null;
  return dirname(folder) === folder ? null : branch(dirname(folder));
};
