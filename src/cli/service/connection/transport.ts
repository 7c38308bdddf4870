import { type BaseUrl, readBaseUrl } from '../../../client/base-url.js';
import type { Observer } from '../../../client/events.js';
import type { NoteClient } from '../../../client/note-client.js';
import type { OnceMode, Routes, TransportOptions } from '../../../client/options.js';
import type { Time } from '../../../client/time.js';
import type { TokenType } from '../../../contract/conventions.js';
import type { Transport } from '../../../wire/http.js';
import type { Activity, App, CompletionRecords, ServiceSockets } from '../../app.js';
import { Problem, serverProblem } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { recordCompletions } from '../../completion-cache.js';
import { say } from '../../terminal/io/messages.js';
import { withActivity } from './activity.js';
import { withoutWrites } from './dry-run.js';

export interface RequestOptions {
  /** Writes throw `DryRun`. */
  readonly dryRun: boolean;
  readonly observe?: Observer;
  /** @param base URL of the service */
  readonly trace?: (transport: Transport, base: string) => Transport;
  readonly activity: Activity;
  readonly time?: Time | undefined;
  readonly once: OnceMode;
  readonly resend?: boolean;
}

export interface Connection extends RequestOptions, ServiceSockets {
  /** Null for requests of nobody. */
  readonly token: string | null;
  readonly tokenType?: TokenType;
  readonly retries?: number;
  readonly routes?: Routes;
  /** The client adds the threads and epics of responses. */
  readonly completions?: CompletionRecords;
}

type WithoutSockets = Omit<Connection, 'tls' | 'timeout' | 'responseTimeout'>;

export const clientOver = async (
  transport: Transport, connection: WithoutSockets, signal: AbortSignal,
): Promise<NoteClient> => {
  const { createNoteClient } = await import('../../../client/note-client.js');
  const { routes, completions, url, once, resend, activity } = connection;
  return createNoteClient({
    ...await options(transport, connection), signal, routes, once, resend,
    check: completions && ((_endpoint, body, request) => recordCompletions(completions, url.href, request, body)),
  }, (odd) => { activity.odd.push(odd); });
};

/** Without the contract, for requests that the user writes. */
const transportOver = async (transport: Transport, connection: WithoutSockets): Promise<Transport> => {
  const { createTransport } = await import('../../../client/create-transport.js');
  return createTransport(await options(transport, connection));
};

const options = async (transport: Transport, connection: WithoutSockets): Promise<TransportOptions> => {
  const { defaultRetry } = await import('../../../client/retry.js');
  const { url, token, tokenType, retries, observe, trace, dryRun, activity, time } = connection;
  const traced = trace ? trace(transport, url.href) : transport;
  return {
    url: url.href, token: token ?? undefined, onEvent: observe, time,
    tokenScheme: tokenType === 'bearer' ? 'bearer' : 'private-token',
    timeout: Infinity,
    transport: dryRun ? withoutWrites(traced, url.href) : withActivity(traced, activity),
    retry: retries === undefined ? defaultRetry : { ...defaultRetry, retries, serverErrors: true },
  };
};

/** Opens the sockets of a service for requests that the user writes. */
export const openTransportTo = async (
  app: Pick<App, 'openSockets'>, connection: Connection,
): Promise<Transport> =>
  transportOver(await app.openSockets(connection), connection);

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

const href = 'http://sandbox.localhost';

/** An administrator's client of a new service with the demo world. */
export const openSandbox = async (app: App, flags: GlobalFlags, options: RequestOptions): Promise<NoteClient> => {
  const { handle, token } = await demoOf(app, flags);
  return clientOver(handle, { ...options, url: readBaseUrl(href), token }, app.signal);
};

/** @param given null for requests of nobody */
export const openSandboxTransport = async (
  app: App, flags: GlobalFlags, options: RequestOptions, given?: null,
): Promise<{ transport: Transport; base: BaseUrl }> => {
  const { handle, token } = await demoOf(app, flags);
  const base = readBaseUrl(href);
  const connection = { ...options, url: base, token: given === null ? null : token };
  return { transport: await transportOver(handle, connection), base };
};

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
  // A tool stores reviews as drafts, which only this dialect has (behavior: drafts.write).
  const dialect = app.agent ? 'live' : 'document';
  const service = await openService({ now: app.now, externalUrl: href, dialect })
    .catch((error: unknown) => { throw serverProblem(error) ?? error; });
  return { handle: service.handle, token: service.tokens['root']! };
};
