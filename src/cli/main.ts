import { appendFile, rm } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { isatty } from 'node:tty';
import type { Context } from 'node:vm';
import { version } from '../version.js';
import { clearTimeout, longestTimer, monotonicTime, setTimeout } from '../wire/time.js';
import type { Activity, App, EndedProgram, Git, Keyring, Tools } from './app.js';
import { cacheFolder, draftFolder, homeFolder, stateFiles, stateFolder } from './state/folders.js';
import { newCompletionRecords } from './completion-cache.js';
import { newActivity, socketsTo } from './service/connection/client.js';
import { exits, Problem } from './command-line/failure.js';
import { terminalPrompts } from './terminal/io/prompts.js';
import { ignoringErrors, outputTo } from './terminal/io/streams.js';
import { DeadlinePassed, run } from './run.js';
import { configFolder, profileStore, systemKeyring } from './service/settings/profiles.js';
import { isCi, projectFolders } from './service/settings/settings.js';

const { env } = process;
const isWindows = process.platform === 'win32';

/** In milliseconds. Programs such as timeout and npx pass a signal on that the process has got already. */
const echoTime = 200;

/**
 * The first signal aborts the command, which then reports what it has done; the second ends the process at once.
 * @param endInterrupted ends the process after an interrupt, because the command may leave pending work behind
 */
export const main = async (endInterrupted: (code: number) => Promise<unknown> = endNow): Promise<number> => {
  const stop = new AbortController();
  const foreground: ForegroundProgram = {
    isRunning: false, stop: new AbortController(), onStopped: () => stop.abort(), passOn: null,
  };
  let lastSignal = -Infinity;
  const end = (name: NodeJS.Signals) => {
    if (name === 'SIGINT' && foreground.isRunning) return;
    if (monotonicTime() - lastSignal < echoTime) return;
    lastSignal = monotonicTime();
    if (foreground.passOn) return foreground.passOn(name);
    if (stop.signal.aborted) process.exit(exits.interrupted);
    if (foreground.isRunning && !foreground.stop.signal.aborted) foreground.stop.abort();
    else stop.abort();
  };
  const failUnsettled = () => {
    // A prompt listens too while it waits, and handles the event itself.
    if (process.listenerCount('beforeExit') === 1) stop.abort(new Problem('failure', unsettled, unsettledHint));
  };
  const listen = () => { for (const name of signals) process.on(name, end); };
  const unlisten = () => { for (const name of signals) process.off(name, end); };
  const withoutListening: WithoutListening = async (work) => {
    unlisten();
    return work().finally(listen);
  };
  listen();
  process.on('beforeExit', failUnsettled);
  filterWarnings();
  const activity = newActivity();
  const last = lastMoment(stop.signal, () => activity.isCleaningUp);
  try {
    const app = realApp(stop, foreground, withoutListening, activity);
    // Nobody waits for some messages, and the process may end at once.
    const done = run(process.argv.slice(2), app).then((code) => app.err.write('').then(() => code));
    const code = await Promise.race([done, last.passed]);
    if (code === exits.interrupted || stop.signal.aborted) await endInterrupted(code);
    return code;
  } finally {
    last.clear();
    unlisten();
    process.off('beforeExit', failUnsettled);
  }
};

/** In milliseconds. */
const endingTime = 1_700;

/** In units of `endingTime`: for a command that deletes what it made. */
const cleanUpTimes = 12;

/** Resolves when an aborted command has not ended in time: a write to a pipe that nobody reads never does. */
const lastMoment = (signal: AbortSignal, isCleaningUp: () => boolean) => {
  let timer: NodeJS.Timeout;
  const passed = new Promise<number>((resolve) => {
    const wait = (times: number) => {
      timer = setTimeout(() => {
        if (times > 1 && isCleaningUp()) wait(times - 1);
        else resolve(signal.reason instanceof DeadlinePassed ? exits.unavailable : exits.interrupted);
      }, endingTime);
    };
    signal.addEventListener('abort', () => wait(cleanUpTimes), { once: true });
  });
  return { passed, clear: () => clearTimeout(timer) };
};

type WithoutListening = <T>(work: () => Promise<T>) => Promise<T>;

/** It does not keep the process alive. `limit` is for work that blocks the process: signals end that, too. */
export const createDeadline = (
  abort: (reason: Error) => void, withoutListening: WithoutListening = (work) => work(),
): App['deadline'] => {
  let timer: NodeJS.Timeout | undefined;
  let start = () => undefined as void;
  let pass: () => Error;
  let end: number | undefined;
  let limited: Context | undefined;
  const stop = () => {
    clearTimeout(timer);
    end = undefined;
  };
  return {
    set: (milliseconds, reason) => {
      const ms = Math.min(milliseconds, longestTimer);
      pass = () => {
        stop();
        const error = reason();
        abort(error);
        return error;
      };
      start = () => {
        stop();
        end = monotonicTime() + ms;
        timer = setTimeout(pass, ms).unref();
      };
      start();
    },
    restart: () => { start(); },
    stop,
    limit: async (work) => {
      if (end === undefined) return withoutListening(async () => work());
      const { createContext, runInContext } = await import('node:vm');
      const timeout = Math.max(1, Math.ceil(end - monotonicTime()));
      const context = Object.assign(limited ??= createContext({}), { work });
      try {
        return await withoutListening(async () => runInContext('work()', context, { timeout }));
      } catch (error) {
        throw (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? pass() : error;
      }
    },
  };
};

/** A keyring locks the process until its daemon responds, so that no handler would run: signals end the process. */
const endingBySignals = ({ get, set, remove }: Keyring, withoutListening: WithoutListening): Keyring => ({
  get: (account) => withoutListening(() => get(account)),
  set: (account, secret) => withoutListening(() => set(account, secret)),
  remove: (account) => withoutListening(() => remove(account)),
});

/**
 * Node waits at its end for threads that are in a system call, such as the lookup of a name or the opening of a pipe
 * without a reader, so a signal soon ends the process instead.
 */
const endNow = async (code: number): Promise<never> => {
  for (let rest = 4; rest > 0 && isInSystemCall(); rest--) {
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
  if (isInSystemCall()) {
    for (const name of signals) process.removeAllListeners(name);
    process.kill(process.pid, 'SIGINT');
  }
  process.exit(code);
};

const isInSystemCall = (): boolean =>
  process.getActiveResourcesInfo().some((name) => /^(FSReq|GetAddrInfoReq|GetNameInfoReq)/.test(name));

/** Without this error, Node exits with 0 if a promise never settles and no work is left. */
const unsettled = 'the command stopped before it finished, without an error';
const unsettledHint = 'check what was stored before trying again, and report this bug of colloquy';

/** The store is tested on the SQLite of Node 22 and 24, and this program has its own rules for color variables. */
const irrelevantWarnings = /^SQLite is an experimental feature|'NO_COLOR' env is ignored/;

const filterWarnings = () => {
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (irrelevantWarnings.test(warning.message)) return;
    for (const listener of listeners) listener.call(process, warning);
  });
};

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Owns the terminal and handles Ctrl-C. Other signals stop it first: messages would be lost on its screen. */
interface ForegroundProgram {
  isRunning: boolean;
  readonly stop: AbortController;
  readonly onStopped: () => void;
  /** Receives all signals while a program runs that handles them itself. */
  passOn: ((signal: NodeJS.Signals) => void) | null;
}

const realApp = (
  stop: AbortController, foreground: ForegroundProgram, withoutListening: WithoutListening, activity: Activity,
  { signal } = stop,
): App => ({
  out: outputTo(1, () => process.stdout, env),
  err: ignoringErrors(outputTo(2, () => process.stderr, env)),
  stdin: {
    isTerminal: isatty(0),
    read: async () => (await import('./terminal/io/files.js')).readStream(process.stdin, signal),
  },
  files: {
    folder: currentFolder,
    kindOf: async (path) => (await import('./terminal/io/files.js')).kindOf(path),
    read: async (path) => (await import('./terminal/io/files.js')).readAny(path, signal),
    readLimited: async (...words) => (await import('./terminal/io/files.js')).readLimitedFile(...words),
    projectOf: async (path) => {
      if (!isCi(env)) return undefined;
      const { firstContaining, kindOf } = await import('./terminal/io/files.js');
      const isThere = async (folder: string) => await kindOf(folder) !== null;
      return firstContaining(await projectFolders(env, git.top, currentFolder(), isThere), path);
    },
    below: async (...words) => (await import('./terminal/io/files.js')).filesBelow(...words),
    realPath: async (...words) => (await import('./terminal/io/files.js')).realPathBelow(...words),
    append: (path, text) => appendFile(path, text, { mode: 0o600 }),
    openToAppend: async (path) => (await import('./terminal/io/files.js')).openToAppend(path),
    write: async (path, content) => (await import('./terminal/io/files.js')).writeWhole(path, content),
    writeParts: async (path, parts) => (await import('./terminal/io/files.js')).writeWhole(path, parts),
    remove: (path) => rm(path, { force: true }),
  },
  env,
  now, elapsed: monotonicTime,
  sleep: async (milliseconds) => (await import('../wire/time.js')).realTime.sleep(milliseconds, signal),
  ask: {
    ...terminalPrompts(process, signal),
    screen: env['TERM'] === 'dumb' ? null
      : async (work) => (await import('./terminal/io/screen.js')).onScreen(process, signal, work),
    edit: async (path, line) => {
      const { runEditor } = await import('./terminal/io/tools.js');
      const host = { env, isWindows, isTerminal: process.stdin.isTTY };
      return inForeground(foreground, (stop) => runEditor(host, path, stop, line));
    },
  },
  drafts: draftFolder(state),
  state: stateFiles(state),
  activity,
  tools: {
    has: async (name) => (await import('./terminal/io/tools.js')).isInstalled(env, name, isWindows),
    page: async (command, text, prompt) => {
      const { runPager } = await import('./terminal/io/tools.js');
      return inForeground(foreground, (stop) => runPager(env, command, { text, prompt }, isWindows, stop));
    },
    run: (command, receive) => runInForeground(command, receive, foreground),
    openUrl: async (url) => (await import('./terminal/io/tools.js')).openUrl(env, url, process.platform),
  },
  git,
  profiles: {
    ...profileStore(configFolder(env, home, process.platform)),
    keyring: endingBySignals(systemKeyring, withoutListening),
  },
  secrets: new Set(),
  cache: { ...cacheFolder(state, now), completions: newCompletionRecords() },
  openSockets: (service) => socketsTo(env, service),
  signal,
  deadline: createDeadline((reason) => stop.abort(reason), withoutListening),
  program: {
    version, pid: process.pid, run, expectLongList: limitNewSpaceGrowth,
    holder: async () => (await import('./state/lock.js')).ownHolder(),
    isRunning: async (other) => (await import('./state/lock.js')).isRunning(other),
    streams: () => ({ input: process.stdin, output: process.stdout }),
  },
});

const currentFolder = (): string => {
  try {
    return process.cwd();
  } catch {
    throw new Problem('failure', 'the current folder does not exist any more', 'run it again in another folder');
  }
};

const loadGit = async () => (await import('./terminal/io/git.js')).gitIn(currentFolder);

const git: Git = {
  top: async () => (await loadGit()).top(),
  branch: async () => (await loadGit()).branch(),
  remotes: async () => (await loadGit()).remotes(),
  diff: async (...words) => (await loadGit()).diff(...words),
  sha: async (revision) => (await loadGit()).sha(revision),
  tracking: async (name) => (await loadGit()).tracking(name),
  distance: async (...words) => (await loadGit()).distance(...words),
  tracked: {
    at: async (...words) => (await loadGit()).tracked.at(...words),
    read: async (path) => (await loadGit()).tracked.read(path),
    replace: async (contents) => (await loadGit()).tracked.replace(contents),
    commit: async (...words) => (await loadGit()).tracked.commit(...words),
  },
};

const now = () => new Date();

/** The variable that the system reads first is read here, because loading node:os takes time. */
const findHome = () => {
  const named = env[isWindows ? 'USERPROFILE' : 'HOME'];
  return homeFolder([() => named ?? '', homedir, () => userInfo().homedir]);
};

let foundHome: string | undefined;
const home = () => foundHome ??= findHome();

const state = () => stateFolder(env, home, process.platform);

/** Makes V8 collect garbage sooner: a long list takes up to a third less memory. */
const limitNewSpaceGrowth = async (): Promise<void> => {
  if (env['COLLOQUY_V8_FLAGS'] === 'off') return;
  (await import('node:v8')).setFlagsFromString('--semi-space-growth-factor=1');
};

const runInForeground = async (
  command: readonly string[], receive: Parameters<Tools['run']>[1], foreground: ForegroundProgram,
): Promise<EndedProgram> => {
  const { runProgram } = await import('./terminal/io/tools.js');
  try {
    return await runProgram(env, command, receive, (passOn) => { foreground.passOn = passOn; });
  } finally {
    await pendingSignals();
    foreground.passOn = null;
  }
};

/** Ctrl-C may be delivered after the program that it ended has exited. */
const pendingSignals = () => new Promise((resolve) => { setImmediate(resolve); });

const inForeground = async <T>(foreground: ForegroundProgram, work: (stop: AbortSignal) => Promise<T>): Promise<T> => {
  foreground.isRunning = true;
  try {
    return await work(foreground.stop.signal);
  } finally {
    await pendingSignals();
    foreground.isRunning = false;
    if (foreground.stop.signal.aborted) foreground.onStopped();
  }
};
