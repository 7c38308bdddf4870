import { appendFile, readFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { isatty } from 'node:tty';
import { version } from '../version.js';
import type { App, Connection } from './app.js';
import { cacheFolder } from './cache/folder.js';
import { newSeen } from './cache/record.js';
import { clientOver, newJournal, socketsTo, transportOver } from './connection/connect.js';
import { exits, Problem } from './errors/failure.js';
import { questionsAt } from './io/prompts.js';
import { lenient, outputTo } from './io/streams.js';
import { run } from './run.js';
import { homeFolder } from './settings/folders.js';
import { systemKeyring } from './settings/keyring.js';
import { configFolder, profileStore } from './settings/profiles.js';
import { gitRemotes } from './settings/remotes.js';
import { draftFolder, stateFolder } from './writing/drafts.js';

const { env } = process;
const isWindows = process.platform === 'win32';

/**
 * Runs the command line of this process with the real world around it. Resolves to the exit code. The first signal ends
 * what the program does, which then says how far it came; the second ends it at once.
 */
export const main = async (): Promise<number> => {
  const stop = new AbortController();
  const guest: Guest = { isThere: false, leave: new AbortController(), gone: () => stop.abort() };
  const end = (name: NodeJS.Signals) => {
    if (name === 'SIGINT' && guest.isThere) return;
    if (stop.signal.aborted) process.exit(exits.interrupted);
    if (guest.isThere && !guest.leave.signal.aborted) guest.leave.abort();
    else stop.abort();
  };
  const drained = () => {
    // A question listens too while it waits, and has its own answer.
    if (process.listenerCount('beforeExit') === 1) stop.abort(new Problem('failure', neverEnds, neverEndsHint));
  };
  for (const name of signals) process.on(name, end);
  process.on('beforeExit', drained);
  try {
    const code = await run(process.argv.slice(2), realApp(stop.signal, guest));
    // What was interrupted may wait for something yet; that is not waited for.
    if (code === exits.interrupted) process.exit(code);
    return code;
  } finally {
    for (const name of signals) process.off(name, end);
    process.off('beforeExit', drained);
  }
};

/** Node would end the process with 0 where a promise never settles and nothing is left to wait for. */
const neverEnds = 'the command stopped before it finished, without an error';
const neverEndsHint = 'this is a bug in colloquy: check what was stored before trying again, and report it';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * An editor or a pager, which has the terminal while it is there: Ctrl-C is its business then. Other signals ask it to
 * leave first: what the program has to say would be lost on its screen.
 */
interface Guest {
  isThere: boolean;
  readonly leave: AbortController;
  /** To be called when it left because it was asked to. */
  readonly gone: () => void;
}

const realApp = (signal: AbortSignal, guest: Guest): App => ({
  out: outputTo(1, () => process.stdout, env),
  err: lenient(outputTo(2, () => process.stderr, env)),
  stdin: { isTerminal: isatty(0), read: readStdin },
  files: { read: (path) => readFile(path), append: (path, text) => appendFile(path, text, { mode: 0o600 }) },
  env,
  now,
  ask: questionsAt(process, signal),
  edit: (path) => edit(path, guest),
  drafts: draftFolder(state()),
  journal: newJournal(),
  branch,
  remotes: gitRemotes,
  tools: {
    page: (command, text) => page(command, text, guest),
    gitDiff: async (...asked) => (await import('./io/tools.js')).gitDiff(...asked),
  },
  profiles: profileStore(configFolder(env, home(), process.platform)),
  keyring: systemKeyring,
  secrets: new Set(),
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
  const named = env[isWindows ? 'USERPROFILE' : 'HOME'];
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

const edit = async (path: string, guest: Guest): Promise<void> => {
  const { runEditor } = await import('./writing/editor.js');
  return handingOver(guest, (leave) => runEditor(env, path, isWindows, leave));
};

const page = async (command: string, text: string, guest: Guest): Promise<boolean> => {
  const { runPager } = await import('./io/tools.js');
  return handingOver(guest, (leave) => runPager(env, command, text, isWindows, leave));
};

/** Of a Ctrl-C and the end of what it was meant for, the end may be heard first. */
const handingOver = async <T>(guest: Guest, work: (leave: AbortSignal) => Promise<T>): Promise<T> => {
  guest.isThere = true;
  try {
    return await work(guest.leave.signal);
  } finally {
    await new Promise((resolve) => { setImmediate(resolve); });
    guest.isThere = false;
    if (guest.leave.signal.aborted) guest.gone();
  }
};

/** The branch that the nearest git folder has checked out. */
const branch = async (folder = process.cwd()): Promise<string | null> => {
  const head = await readFile(join(folder, '.git', 'HEAD'), 'utf8').catch(() => null);
  if (head !== null) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? null;
  return dirname(folder) === folder ? null : branch(dirname(folder));
};
