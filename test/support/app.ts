import { isUtf8 } from 'node:buffer';
import { relative, resolve } from 'node:path';
import type { App, DraftFolder, Git, Output, Profiles, Prompts, Remote, StateFolder, Tools, TrackedFiles } from '../../src/cli/app.js';
import { newCompletionRecords } from '../../src/cli/completion-cache.js';
import { type Connection, newActivity } from '../../src/cli/service/connection/client.js';
import { run } from '../../src/cli/run.js';
import { trackedFiles } from '../../src/cli/terminal/io/git.js';
import { firstContaining } from '../../src/cli/terminal/io/files.js';
import { isCi, projectFolders } from '../../src/cli/service/settings/settings.js';
import { noProfiles } from '../../src/cli/service/settings/profiles.js';
import type { Time } from '../../src/wire/time.js';
import type { HttpRequest, HttpResponse, Transport } from '../../src/wire/http.js';
import { fakeTime } from '../client/support/fake-time.js';
import { scriptedScreen, type ScriptedUser } from './screen.js';
import { start, testService, type TestService } from './service.js';

/** How a test's world differs from the default: all streams are pipes, no questions, a developer of `acme/app`. */
export interface WorldOptions {
  /** Standard input, output and error are a terminal. */
  readonly terminal?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** The current time; the default one when omitted. */
  readonly now?: string;
  readonly colors?: Output['colors'];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly profiles?: Profiles;
  /** Answers to questions in order; a question without an answer fails the command. */
  readonly answers?: readonly (string | boolean | number)[];
  /** Lines that are typed while nothing is asked. */
  readonly typed?: string[];
  /** Presses keys at the screen that it sees; there is none when omitted, as with TERM=dumb. */
  readonly screen?: ScriptedUser;
  /** Drafts of earlier calls, by their path below /state/. */
  readonly drafts?: Readonly<Record<string, string>>;
  /** In place of the drafts in memory. */
  readonly draftFolder?: DraftFolder;
  /** Files of the state folder by name; the world writes to it. An error in place of it rejects every write. */
  readonly state?: Map<string, Uint8Array> | Error;
  /** Returns the text that the editor saves, from the text it received. */
  readonly edit?: (text: string) => string | Promise<string>;
  readonly branch?: string;
  readonly workTree?: string;
  /** The current folder; the top of the work tree when omitted. */
  readonly folder?: string;
  readonly remotes?: readonly Remote[];
  /** Secrets in the system keyring by account; there is no keyring when omitted. */
  readonly keyring?: Map<string, string>;
  /** What other programs do; there are none when omitted. */
  readonly tools?: Partial<Tools>;
  /** What git says; it knows nothing when omitted. */
  readonly git?: Partial<Git>;
  /** The files that git tracks; outside of a work tree when omitted. */
  readonly tracked?: TrackedFiles;
  /** Services at other origins. */
  readonly others?: Readonly<Record<string, TestService>>;
  /** Overrides the response of the service where it returns one. */
  readonly answer?: (request: HttpRequest) => HttpResponse | Promise<HttpResponse> | undefined;
  /** Called while the program waits, with how many waits there were so far. */
  readonly asleep?: (count: number) => unknown;
  /** How far the clock was set, in milliseconds, after so many sleeps. */
  readonly clockSet?: (sleeps: number) => number;
  /** The clock and timer of the client; one that does not wait when omitted. */
  readonly time?: Time;
  /** The service; a new one with the world `acme` when omitted. */
  readonly service?: TestService;
}

/** The result of one command line. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Requests sent by this command line. */
  readonly sent: readonly HttpRequest[];
}

export const usualEnv = {
  COLLOQUY_URL: 'http://service.test', COLLOQUY_TOKEN: 'developer-token',
  COLLOQUY_PROJECT: 'acme/app', COLLOQUY_GROUP: 'acme',
};

const noProgram: Tools['run'] = async ([name]) => { throw new Error(`no program ${name} here`); };

/** A folder in memory by default. */
const draftsOf = ({ draftFolder }: WorldOptions, drafts: Map<string, string>): DraftFolder => draftFolder ?? {
  names: async () => [...drafts.keys()].map((path) => path.slice('/state/'.length)),
  pathOf: (name) => `/state/${name}`,
  write: async (name, text) => { drafts.set(`/state/${name}`, text); return `/state/${name}`; },
  read: async (path) => {
    const text = drafts.get(path);
    if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    return text;
  },
  rename: async (from, to) => {
    if (!drafts.has(`/state/${from}`)) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    if (from === to) return `/state/${to}`;
    drafts.set(`/state/${to}`, drafts.get(`/state/${from}`)!).delete(`/state/${from}`);
    return `/state/${to}`;
  },
  remove: async (path) => { drafts.delete(path); },
};

/** The whole program in memory: `run(argv, app)` over the client over the test server, without a socket. */
export const testApp = async (options: WorldOptions = {}) => {
  const service = options.service ?? await testService();
  const written = { out: '', err: '' };
  const sent: HttpRequest[] = [];
  const connections: Connection[] = [];
  const asked: string[] = [];
  const slept: number[] = [];
  const stop = new AbortController();
  const deadlines: (number | 'restart' | 'stop')[] = [];
  let pass = () => undefined as void;
  const appended: Record<string, string> = {};
  const fileWrites: [path: string, content: string | Uint8Array | null][] = [];
  const files = new Map(Object.entries(options.files ?? {}));
  const drafts = new Map<string, string>(Object.entries(options.drafts ?? {}));
  const cache = new Map<string, string>();
  const state = options.state instanceof Error ? options.state : options.state ?? new Map<string, Uint8Array>();
  let profiles = options.profiles ?? noProfiles;

  const output = (stream: 'out' | 'err'): Output => ({
    write: async (text) => { written[stream] += text; },
    writeBytes: async (bytes) => { written[stream] += Buffer.from(bytes).toString(isUtf8(bytes) ? 'utf8' : 'latin1'); },
    isClosed: () => false, isTerminal: options.terminal ?? false, columns: options.columns ?? 100, rows: options.rows ?? 50, colors: options.colors ?? 0,
  });
  const transport: Transport = async (request, signal = stop.signal) => {
    signal.throwIfAborted();
    sent.push(request);
    return options.answer?.(request) ?? service.handle(request);
  };
  const answers = [...options.answers ?? []];
  const ask = async <T>(message: string): Promise<T> => {
    asked.push(message);
    if (answers.length === 0) throw new Error(`nobody answers: ${message}`);
    return answers.shift() as T;
  };
  const questions: Omit<Prompts, 'screen' | 'edit'> = {
    discardTyped: async () => options.typed?.shift() !== undefined,
    confirm: ask, text: ask, password: ask, choose: (message, choices) => ask([message, ...choices].join('\n  ')),
  };

  const secrets = async (): Promise<Map<string, string>> => {
    if (options.keyring === undefined) throw new Error('no keyring here');
    return options.keyring;
  };

  const read = (path: string): Uint8Array => {
    const content = files.get(path);
    const isTooLong = path.split('/').some((name) => name.length > 255);
    const code = path.includes('\0') ? 'ERR_INVALID_ARG_VALUE' : isTooLong ? 'ENAMETOOLONG' : 'ENOENT';
    if (content === undefined) throw Object.assign(new Error('no such file'), { code });
    return typeof content === 'string' ? Buffer.from(content) : content;
  };
  const time = options.time ?? fakeTime();
  const env = { ...usualEnv, ...options.env };
  const tree = options.folder ?? options.workTree ?? '';
  const app: App = {
    out: output('out'), err: output('err'),
    stdin: { isTerminal: options.terminal ?? false, read: async () => Buffer.from(options.stdin ?? '') },
    files: {
      folder: () => tree || '/',
      kindOf: async (path) => files.has(path) ? 'file'
        : [...files.keys()].some((one) => one.startsWith(`${path}/`)) ? 'folder' : null,
      read: async (path) => read(path),
      readLimited: async (path, most, folder) => {
        const content = read(path);
        const isOutside = folder !== undefined && relative(resolve(tree, folder), resolve(tree, path)).startsWith('..');
        if (isOutside) throw Object.assign(new Error('outside'), { code: 'EOUTSIDE' });
        if (content.length > most) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
        return content;
      },
      projectOf: async (path) => isCi(env)
        ? firstContaining(await projectFolders(env, async () => options.workTree ?? null, tree || '/', async () => true), resolve(tree || '/', path))
        : undefined,
      below: async (folder, most) => {
        const paths = [...files.keys()].filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
        return paths.length > most ? null : paths;
      },
      realPath: async (path, folder) => {
        const below = relative(resolve(tree, folder), resolve(tree, path));
        return files.has(path) && !below.startsWith('..') ? below : null;
      },
      append: async (path, text) => { appended[path] = (appended[path] ?? '') + text; },
      openToAppend: async (path) => ({
        append: (text) => { appended[path] = (appended[path] ?? '') + text; }, isInPlace: () => true,
      }),
      write: async (path, content) => { fileWrites.push([path, content]); files.set(path, content); },
      writeParts: async (path, parts) => {
        let text = '';
        for await (const part of parts) text += part;
        fileWrites.push([path, text]);
        files.set(path, text);
      },
      remove: async (path) => { fileWrites.push([path, null]); files.delete(path); },
    },
    env,
    now: () => new Date(Date.parse(options.now ?? start) + slept.reduce((sum, ms) => sum + ms, 0) + (options.clockSet?.(slept.length) ?? 0)),
    elapsed: () => slept.reduce((sum, ms) => sum + ms, 0),
    sleep: async (ms) => {
      stop.signal.throwIfAborted();
      slept.push(ms);
      await options.asleep?.(slept.length);
      stop.signal.throwIfAborted();
    },
    ask: {
      ...questions,
      screen: options.screen === undefined ? null : scriptedScreen(options.screen, options, stop.signal),
      edit: async (path) => { drafts.set(path, await options.edit?.(drafts.get(path)!) ?? drafts.get(path)!); },
    },
    drafts: draftsOf(options, drafts),
    state: stateIn(state),
    activity: newActivity(),
    tools: {
      has: async () => false, page: async () => false, openUrl: async () => false, run: noProgram, ...options.tools,
    },
    git: {
      top: async () => options.workTree ?? null, branch: async () => options.branch ?? null,
      remotes: async () => options.remotes ?? [], diff: async () => null, sha: async () => null,
      tracking: async () => ({ ref: null, remote: null, pushRemote: null, isPushed: false }), distance: async () => null,
      tracked: options.tracked ?? trackedFiles(async () => null), ...options.git,
    },
    profiles: {
      path: '/config/config.json', read: async () => profiles, isShared: () => false, isExposed: () => false,
      change: async (to) => { const before = profiles; profiles = to(before); return before; },
      keyring: {
        get: async (account) => (await secrets()).get(account) ?? null,
        set: async (account, secret) => { (await secrets()).set(account, secret); },
        remove: async (account) => { (await secrets()).delete(account); },
      },
    },
    secrets: new Set(),
    cache: {
      read: (name) => cache.get(name) ?? null, names: () => [...cache.keys()].reverse(),
      change: async (name, to) => { const text = to(cache.get(name) ?? null); cache.delete(name); cache.set(name, text); },
      remove: (name) => { cache.delete(name); }, completions: newCompletionRecords(),
    },
    openSockets: async (connection) => {
      connections.push(connection as Connection);
      return options.others?.[(connection as Connection).url.origin]?.handle ?? transport;
    },
    time,
    deadline: {
      set: (ms, reason) => { deadlines.push(ms); pass = () => stop.abort(reason()); },
      restart: () => { deadlines.push('restart'); }, stop: () => { deadlines.push('stop'); }, limit: async (work) => work(),
    },
    signal: stop.signal,
    program: {
      version: '1.2.3', pid: 4711, run, expectLongList: async () => undefined,
      holder: async () => ({ machine: 'here', pid: 4711, started: '5' }), isRunning: async () => false,
      streams: () => { throw new Error('this app has no streams'); },
    },
  };

  return {
    /** What became of the deadline of the run, which passes when the test says so. */
    deadlines, passDeadline: () => pass(),
    app, service, connections, asked, slept, appended, fileWrites, files, drafts, cache, stop, state,
    profiles: () => profiles,
    run: async (...argv: string[]): Promise<Ran> => {
      Object.assign(written, { out: '', err: '' });
      sent.length = 0;
      const code = await run(argv, { ...app, activity: newActivity(), cache: { ...app.cache, completions: newCompletionRecords() }, secrets: new Set() });
      return { code, ...written, sent: [...sent] };
    },
  };
};

/** A state folder in memory; locks are those of one process. */
const stateIn = (files: Map<string, Uint8Array> | Error): StateFolder => {
  const turns = new Map<string, Promise<undefined>>();
  const all = () => {
    if (files instanceof Error) throw files;
    return files;
  };
  return {
    pathOf: (name) => `/state/${name}`,
    read: async (name) => files instanceof Error ? null : files.get(name) ?? null,
    create: async (name, content) => { all().set(name, Buffer.from(content)); },
    write: async (name, content) => { all().set(name, Buffer.from(content)); },
    append: async (name, text) => { all().set(name, Buffer.concat([all().get(name) ?? Buffer.alloc(0), Buffer.from(text)])); },
    remove: async (name) => { all().delete(name); },
    names: async (folder) => files instanceof Error ? []
      : [...files.keys()].filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1)),
    locked: async (name, work, ifUnwritable) => {
      if (files instanceof Error && ifUnwritable) return ifUnwritable(files);
      all();
      const result = (turns.get(name) ?? Promise.resolve()).then(work);
      turns.set(name, result.then(() => undefined, () => undefined));
      return result;
    },
  };
};

/** Opened with the first request: many command lines send none. */
const openedLater = (): Pick<TestService, 'handle'> => {
  let opened: Promise<TestService> | undefined;
  return { handle: async (request) => (await (opened ??= testService())).handle(request) };
};

/** Runs one command line in a world of its own. */
export const ranIn = async (options: WorldOptions, ...argv: string[]): Promise<Ran> =>
  (await testApp({ service: openedLater() as TestService, ...options })).run(...argv);

/** Runs one command line in the default world. */
export const ran = (...argv: string[]): Promise<Ran> => ranIn({}, ...argv);
