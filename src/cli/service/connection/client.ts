import { type BaseUrl, readBaseUrl } from '../../../client/base-url.js';
import { isRejected, isUnknownResponse } from '../../../client/errors.js';
import type { Observer } from '../../../client/events.js';
import type { NoteClient } from '../../../client/note-client.js';
import type { OnceMode, Routes, TransportOptions } from '../../../client/options.js';
import type { Time } from '../../../wire/time.js';
import type { TokenType } from '../../../contract/conventions.js';
import { isRead, requestLine, type Transport } from '../../../wire/http.js';
import type { Activity, App, CacheFolder, Change, ServiceSockets } from '../../app.js';
import { Problem, serverProblem, usage } from '../../command-line/failure.js';
import { type GlobalFlags, isDebugging, milliseconds, wholeNumber } from '../../command-line/flags.js';
import { noUrlHint } from '../../command-line/hints.js';
import { recordCompletions } from '../../completion-cache.js';
import { noteReporter, say, waitReporter } from '../../terminal/io/messages.js';
import { readPem } from '../../terminal/io/streams.js';
import {
  callSettings, type CallSettings, checkLogin, credentialAt, isCi, type Settings, settingsOf, tokenFor,
} from '../settings/settings.js';
import { withRemotes } from '../settings/remotes.js';
import { address, type Found, pastedPlace, pastedUrl } from '../settings/sources.js';
import { withoutWrites } from './dry-run.js';

interface RequestOptions {
  /** Writes throw `DryRun`. */
  readonly dryRun: boolean;
  readonly observe?: Observer;
  readonly trace?: (transport: Transport, base: string) => Transport;
  readonly activity: Activity;
  readonly time?: Time | undefined;
  readonly once: OnceMode;
  readonly resend?: boolean;
}

export interface Connection extends RequestOptions, ServiceSockets {
  readonly token: string | null;
  readonly tokenType?: TokenType;
  readonly retries?: number;
}

/**
 * @param base the base URL of a pasted URL; overrides the settings
 * @throws Problem if no service URL is given or no token may be sent to it
 */
export const openClient = async (
  app: App, flags: GlobalFlags, given: Settings, base?: string,
): Promise<NoteClient> => {
  const { sockets, connection } = await connect(app, flags, given, { base, needsContainer: true });
  const { createNoteClient } = await import('../../../client/note-client.js');
  const { url, once, resend, activity } = connection;
  const { cache, signal } = app;
  return createNoteClient({
    ...await transportOptions(sockets, connection), signal, once, resend,
    ...!flags.sandbox && {
      routes: knownPaths(cache),
      check: (_endpoint, body, request) => recordCompletions(cache.completions, url.href, request, body),
    },
  }, (odd) => { activity.odd.push(odd); });
};

interface OpenOptions {
  /** Whether a project or group is needed: `openTransport` then looks in the git remotes if it is not set. */
  readonly needsContainer: boolean;
  readonly limits?: Pick<Connection, 'timeout' | 'responseTimeout' | 'retries'>;
  /** The base URL of a pasted URL; overrides the settings. */
  readonly base?: string | undefined;
}

/**
 * For requests that the contract does not have. `anonymous` sends no token.
 * @throws Problem if no service URL is given or no token may be sent to it
 */
export const openTransport = async (app: App, flags: GlobalFlags, options: OpenOptions) => {
  const given = await settingsOf(app, flags);
  const found = options.needsContainer && !flags.sandbox ? await withRemotes(app, given) : given;
  const { sockets, connection, settings } = await connect(app, flags, found, options);
  const anonymous = () => transportOver(sockets, { ...connection, token: null });
  return { transport: await transportOver(sockets, connection), anonymous, base: connection.url, settings };
};

interface Connected { readonly sockets: Transport; readonly connection: Connection; readonly settings: Settings }

/** To the sandbox, or to the service of the settings or of a pasted URL, with the token for it. */
const connect = async (
  app: App, flags: GlobalFlags, given: Settings, { base, needsContainer, limits }: OpenOptions,
): Promise<Connected> => {
  const options = await requestOptions(app, flags);
  if (flags.sandbox) {
    const { handle, token } = await demoOf(app, flags);
    const connection = { ...options, url: readBaseUrl(sandboxUrl), token, tls: {} };
    return { sockets: handle, connection, settings: given };
  }
  const { url, settings } = await serviceOf(app, given, base);
  noteSources(app, settings, url, base, needsContainer && base === undefined);
  if (isDebugging(flags)) await (await import('./debug.js')).printSources(app, settings, base);
  const token = await tokenFor(app, settings, url);
  const calls = callSettings(app, flags, settings, url);
  const own = await connectionSettings(app, calls);
  const connection = { ...options, url, ...token, ...calls.timeout === null && limits, ...own };
  return { sockets: await app.openSockets(connection), connection, settings };
};

export const requestOptions = async (app: App, flags: GlobalFlags): Promise<RequestOptions> => ({
  dryRun: flags.dryRun ?? false, activity: app.activity, time: app.time,
  // In CI, notes get a marker. At a terminal, the user decides whether to send a missing note again after a timeout.
  ...isCi(app.env) ? { once: 'marker' } : { once: 'text', ...!app.err.isTerminal && { resend: true } },
  ...await observersIn(app, flags),
});

const observersIn = async (app: App, flags: GlobalFlags): Promise<Pick<RequestOptions, 'observe' | 'trace'>> => {
  const reporters = [waitReporter(app, flags), noteReporter(app, flags)];
  const report: Observer = (event) => { for (const reporter of reporters) reporter(event); };
  if (!isDebugging(flags)) return { observe: report };
  const { eventPrinter, requestTracer } = await import('./debug.js');
  const print = eventPrinter(app);
  return {
    observe: (event) => {
      print(event);
      report(event);
    },
    trace: requestTracer(app),
  };
};

/** A pasted URL and a path of the API name their project and group themselves. */
const noteSources = (
  app: App, settings: Settings, url: BaseUrl, pasted: string | undefined, needsContainer: boolean,
): void => {
  const { project, group } = needsContainer ? settings.from : { project: null, group: null };
  app.activity.service = url.href;
  const from = pasted === undefined ? settings.from.url : pastedUrl;
  const credential = credentialAt(app, settings, url);
  Object.assign(app.activity.sources, {
    ...(from !== null && { url: from }), ...(credential && { token: credential.from, tokenType: credential.type }),
    ...(project !== null && { project }), ...(group !== null && { group }),
    base: url.href, ...(settings.reference && { reference: settings.reference.from }),
  });
};

/** A pasted URL, else the settings, else a git remote. @throws Problem if there is none, or an agent names another */
export const serviceOf = async (
  app: App, given: Settings, base?: string,
): Promise<{ url: BaseUrl; settings: Settings }> => {
  const pasted = address(pastedPlace(base));
  const isChosen = pasted !== null && !app.agent;
  const settings = isChosen || given.url ? given : await withRemotes(app, given);
  const url = isChosen ? pasted : settings.url;
  if (pasted && url && pasted.href !== url.href) {
    throw new Problem('forbidden', `${pasted.href} is not the service of this server, ${url.href}`,
      'pass a reference on that service, such as acme/app!12');
  }
  if (url) return { url, settings };
  checkLogin(app, {}, settings);
  throw usage('no service URL given', noUrlHint('log in with `colloquy auth login`'));
};

export const connectionSettings = async (
  app: App, { timeout, retries, tls }: CallSettings,
): Promise<Pick<Connection, 'timeout' | 'retries' | 'tls'>> => {
  const pem = async (found: Found | null) => found === null ? undefined : readPem(app, found.value, found.from);
  const [ca, cert, key] = [await pem(tls.ca), await pem(tls.cert), await pem(tls.key)];
  if ((cert === undefined) !== (key === undefined)) {
    throw usage('--client-cert and --client-key must be used together',
      `set both, as flags or in the profile: only ${(tls.cert ?? tls.key)!.from} is set`);
  }
  // A service that sends a byte now and then must end too.
  const limit = timeout && milliseconds(timeout.value, timeout.from);
  return {
    ...limit !== null && { timeout: limit, responseTimeout: limit + longerThanSilence },
    ...(retries !== null && { retries: wholeNumber(retries.value, retries.from) }),
    tls: { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
  };
};

/** In milliseconds: silence is found, and reported, before a response that is only slow. */
const longerThanSilence = 100;

/** Without the contract, for requests that the user writes. */
const transportOver = async (transport: Transport, connection: Connection): Promise<Transport> => {
  const { createRepeatingTransport } = await import('../../../client/create-transport.js');
  return createRepeatingTransport(await transportOptions(transport, connection));
};

const transportOptions = async (transport: Transport, connection: Connection): Promise<TransportOptions> => {
  const { defaultRetry } = await import('../../../client/retry.js');
  const { url, token, tokenType, retries, observe, trace, dryRun, activity, time } = connection;
  const traced = trace ? trace(transport, url.href) : transport;
  return {
    url: url.href, token: token ?? undefined, onEvent: observe, time,
    tokenScheme: tokenType === 'bearer' ? 'bearer' : 'private-token',
    timeout: Infinity,
    transport: dryRun ? withoutWrites(traced, url.href) : withActivity(traced, activity),
    retry: retries === undefined ? defaultRetry : { ...defaultRetry, retries, unreached: retries, serverErrors: true },
  };
};

export const openTransportTo = async (
  app: Pick<App, 'openSockets'>, connection: Connection,
): Promise<Transport> => transportOver(await app.openSockets(connection), connection);

/** @param http what sends requests: `node` is faster for the first call, `undici` for many */
export const socketsTo = async (
  env: App['env'], { url, tls, timeout, responseTimeout }: ServiceSockets, http: 'node' | 'undici' = 'node',
): Promise<Transport> => {
  const { socketTransport } = await import('../../../client/transport/socket.js');
  await checkProxy(env, url.origin);
  return socketTransport(url, { ...tls, ...proxySettings(env), timeout, responseTimeout, http });
};

/** @throws Problem that names the variable of a proxy that cannot be used */
const checkProxy = async (env: App['env'], origin: string): Promise<void> => {
  const { proxyFor } = await import('../../../client/transport/connection.js');
  try {
    proxyFor(origin, proxySettings(env));
  } catch (cause) {
    const names = origin.startsWith('https:') ? ['HTTPS_PROXY', 'https_proxy'] : ['http_proxy', 'HTTP_PROXY'];
    const name = names.find((one) => env[one] !== undefined)!;
    throw new Problem('usage', `${name}: ${(cause as Error).message}`, `set ${name} to http://host:port`, { cause });
  }
};

/** Both spellings; HTTP_PROXY comes last because a web server may set it. */
export const proxySettings = (env: App['env']) => ({
  proxy: { https: env['HTTPS_PROXY'] ?? env['https_proxy'], http: env['http_proxy'] ?? env['HTTP_PROXY'] },
  noProxy: env['NO_PROXY'] ?? env['no_proxy'],
});

const sandboxUrl = 'http://sandbox.localhost';

interface Demo { readonly handle: Transport; readonly token: string }

/** All connections of a process are to the same service; its commands share the set of secrets. */
const demos = new WeakMap<App['secrets'], Promise<Demo>>();

const demoOf = (app: App, flags: GlobalFlags): Promise<Demo> => {
  const demo = demos.get(app.secrets) ?? openDemo(app, flags);
  demos.set(app.secrets, demo);
  return demo;
};

const openDemo = async (app: App, flags: GlobalFlags): Promise<Demo> => {
  if (app.err.isTerminal) await say(app, flags, 'using a demo service in memory: nothing is kept after this command');
  const { openService } = await import('../../../server/index.js');
  const service = await openService({ now: app.now, externalUrl: sandboxUrl })
    .catch((error: unknown) => { throw serverProblem(error) ?? error; });
  return { handle: service.handle, token: service.tokens['root']! };
};

export const newActivity = (): Activity => ({
  draft: null, isDraftEarlier: false, isTextUnsaved: false, isCleaningUp: false, recovery: null,
  omitted: null, warnings: [], changes: [], effects: [], sources: {}, service: null, odd: [],
  waits: { repeats: 0, ms: 0, isReported: false, lastFailure: null },
});

/** Adds every write to the changes before it is sent, and its outcome afterwards. */
export const withActivity = (
  transport: Transport, { changes }: Pick<Activity, 'changes'>,
): Transport => async (request, signal) => {
  if (isRead(request)) return transport(request, signal);
  const change: Change = { request: requestLine(request), outcome: 'open', status: null };
  changes.push(change);
  const forget = () => { changes.splice(changes.indexOf(change), 1); };
  try {
    const response = await transport(request, signal);
    if (response.status >= 200 && response.status < 300) change.outcome = 'done';
    else if (isUnknownResponse(response)) change.status = response.status;
    else forget();
    return response;
  } catch (error) {
    if (isRejected(error)) forget();
    throw error;
  }
};

const file = 'paths.json';
const maxEntries = 200;

/** Cached between calls: read for endpoints with several paths, written if the first path was not supported. */
export const knownPaths = (cache: Pick<CacheFolder, 'read' | 'change'>): Routes => {
  let known: Map<string, string> | null = null;
  const all = () => known ??= new Map(entriesIn(cache.read(file)));
  return {
    get: (key) => all().get(key),
    set: (key, path) => {
      all().set(key, path);
      return cache.change(file, (text) => {
        const entries = entriesIn(text).filter(([other]) => other !== key);
        return JSON.stringify([...entries, [key, path]].slice(-maxEntries));
      });
    },
  };
};

const entriesIn = (text: string | null): [string, string][] => {
  try {
    const entries: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  } catch {
    return [];
  }
};

const isEntry = (entry: unknown): entry is [string, string] =>
  Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === 'string');
