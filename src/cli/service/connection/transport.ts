import { basename } from 'node:path';
import { type BaseUrl, readBaseUrl } from '../../../client/base-url.js';
import { isRejected, isUnknownResponse, requestLine } from '../../../client/errors.js';
import type { Observer } from '../../../client/events.js';
import type { NoteClient } from '../../../client/note-client.js';
import type { OnceMode, Routes, TransportOptions } from '../../../client/options.js';
import type { Time } from '../../../client/time.js';
import type { OddRecord } from '../../../client/whole-records.js';
import type { TokenType } from '../../../contract/conventions.js';
import { groupedBy } from '../../../text/groups.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { HttpResponse, Transport } from '../../../wire/http.js';
import type { Activity, App, Change, CompletionRecords, DraftFolder, ServiceSockets } from '../../app.js';
import { Problem, serverProblem } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { recordCompletions } from '../../completion-cache.js';
import { say } from '../../terminal/io/messages.js';
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
  const service = await openService({ now: app.now, externalUrl: href })
    .catch((error: unknown) => { throw serverProblem(error) ?? error; });
  return { handle: service.handle, token: service.tokens['root']! };
};

export const newActivity = (): Activity => ({
  draft: null, isDraftEarlier: false, isTextUnsaved: false, isCleaningUp: false, undone: null, recovery: null,
  changes: [], sources: {}, service: null, odd: [],
  waits: { repeats: 0, ms: 0, isReported: false, lastFailure: null },
});

/** Where a recovery is known, the hint after it says what to do. */
export const changeSummary = (
  { changes, undone, recovery }: Pick<Activity, 'changes' | 'undone' | 'recovery'>,
): string => {
  const open = changes.filter(({ outcome }) => outcome === 'open');
  const done = changes.length - open.length;
  if (changes.length === 0) return undone ?? 'nothing was changed';
  const before = done === 0 ? '' : counted(done, 'change was made', 'changes were made');
  if (open.length === 0) return before;
  const check = recovery === null ? ': check before sending it again' : '';
  const after = `${responsesTo(open)} may have been stored${check}`;
  return before === '' ? after : `${before}; ${after}`;
};

/** Names each request once, however often it was sent. */
const responsesTo = (open: readonly Change[]): string => {
  const last = new Map<string, number | null>();
  for (const { request, status } of open) last.set(request, status ?? last.get(request) ?? null);
  const texts = [...groupedBy(last, ([, status]) => status)].map(([status, requests]) => {
    const response = status === null ? 'no response' : `${status} as the last response`;
    return `${requests.map(([request]) => request).join(', ')} got ${response}`;
  });
  return `${texts.join(', ')}${texts.length > 1 ? ',' : ''} and`;
};

/** --recover finds only files in the drafts folder; if that is not writable, the draft is elsewhere. */
export const draftMessage = ({ pathOf }: Pick<DraftFolder, 'pathOf'>, path: string): string =>
  `draft saved; ${pathOf(basename(path)) === path ? 'run again with --recover' : 'send it with -F'} (${path})`;

/** Adds every write to the changes before it is sent, and its outcome afterwards. */
export const withActivity = (
  transport: Transport, { changes }: Pick<Activity, 'changes'>,
): Transport => async (request, signal) => {
  if (request.method === 'GET' || request.method === 'HEAD') return transport(request, signal);
  const change: Change = { request: requestLine(request), outcome: 'open', status: null };
  changes.push(change);
  const forget = () => { changes.splice(changes.indexOf(change), 1); };
  try {
    const response = await transport(request, signal);
    if (isDone(response)) change.outcome = 'done';
    else if (isUnknownResponse(response)) change.status = response.status;
    else forget();
    return response;
  } catch (error) {
    if (isRejected(error)) forget();
    throw error;
  }
};

const isDone = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;

const mostNamed = 5;

/** Once for all that were read: `the service sent 1 incomplete record: note 345 without author`. */
export const reportOddRecords = async (app: App, flags: GlobalFlags): Promise<void> => {
  const texts = [...new Set(app.activity.odd.map(oddRecordText))];
  const more = texts.length - mostNamed;
  await say(app, flags, `the service sent ${counted(texts.length, 'incomplete record')}: `
    + plainLine(texts.slice(0, mostNamed).join('; ')) + (more > 0 ? `; and ${more} more` : ''));
};

const oddRecordText = ({ kind, id, fields }: OddRecord): string => {
  const noun = nouns[kind] ?? kind.replace(/\B[A-Z]/g, ' $&').toLowerCase();
  return `${noun}${id === null ? '' : ` ${id}`} without ${fields.join(', ')}`;
};

const nouns: Readonly<Record<string, string>> = {
  Discussion: 'thread', EpicDetails: 'epic', LinkedEpic: 'epic', CurrentUser: 'user', DiffVersion: 'diff version',
  DiffVersionDetails: 'diff version', FileDiff: 'file', CommitDetails: 'commit', MergeRequestChanges: 'merge request',
};
