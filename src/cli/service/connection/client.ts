import type { BaseUrl } from '../../../client/base-url.js';
import type { Observer } from '../../../client/events.js';
import type { NoteClient } from '../../../client/note-client.js';
import type { Routes } from '../../../client/options.js';
import type { App, CacheFolder } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { type GlobalFlags, isDebugging, milliseconds, wholeNumber } from '../../command-line/flags.js';
import { noUrlHint } from '../../command-line/hints.js';
import { noteReporter, waitReporter } from '../../terminal/io/messages.js';
import { readPem } from '../../terminal/io/streams.js';
import { checkLogin, credentialAt, isCi, type Settings, settingsOf, tokenFor } from '../settings/settings.js';
import { withRemotes } from '../settings/remotes.js';
import { address, type Found, pastedPlace, pastedUrl } from '../settings/sources.js';
import {
  clientOver, type Connection, openSandbox, openSandboxTransport, openTransportTo, type RequestOptions,
} from './transport.js';

/**
 * @param base the base URL of a pasted URL; overrides the settings
 * @throws Problem if no service URL is given or no token may be sent to it
 */
export const openClient = async (
  app: App, flags: GlobalFlags, given: Settings, base?: string,
): Promise<NoteClient> => {
  const options = await requestOptions(app, flags);
  if (flags.sandbox) return openSandbox(app, flags, options);
  const { url, token, own } = await usedService(app, flags, given, base);
  const records = { routes: knownPaths(app.cache), completions: app.cache.completions };
  const connection = { ...options, ...records, url, ...token, ...own };
  return clientOver(await app.openSockets(connection), connection, app.signal);
};

export const requestOptions = async (app: App, flags: GlobalFlags): Promise<RequestOptions> => ({
  dryRun: flags.dryRun ?? false, activity: app.activity, time: app.time,
  // In CI, notes get a marker. At a terminal, the user decides whether to send a missing note again after a timeout.
  ...isCi(app.env) ? { once: 'marker' } : { once: 'text', ...!app.err.isTerminal && { resend: true } },
  ...await observersIn(app, flags),
});

const usedService = async (
  app: App, flags: GlobalFlags, given: Settings, base?: string, needsContainer = base === undefined,
) => {
  const { url, settings } = await serviceOf(app, given, base);
  noteSources(app, settings, url, base, needsContainer);
  if (isDebugging(flags)) await (await import('./debug.js')).printSources(app, settings, base);
  const token = await tokenFor(app, settings, url);
  return { url, settings, token, own: await connectionSettings(app, settings) };
};

const observersIn = async (app: App, flags: GlobalFlags): Promise<Pick<RequestOptions, 'observe' | 'trace'>> => {
  const [reportWait, reportNote] = [waitReporter(app, flags), noteReporter(app, flags)];
  const report: Observer = (event) => {
    reportWait(event);
    reportNote(event);
  };
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

/** A pasted URL, else the settings, else a git remote. @throws Problem if there is none */
export const serviceOf = async (
  app: App, given: Settings, base?: string,
): Promise<{ url: BaseUrl; settings: Settings }> => {
  const pasted = address(pastedPlace(base));
  const settings = pasted || given.url ? given : await withRemotes(app, given);
  const url = pasted ?? settings.url;
  if (url) return { url, settings };
  checkLogin(app, {}, settings);
  throw usage('no service URL given', noUrlHint('log in with `colloquy auth login`'));
};

/** @throws Problem for unreadable files and invalid numbers */
export const connectionSettings = async (
  app: App, { timeout, retries, tls }: Settings,
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

interface OpenOptions {
  /** Whether to look up project and group in the git remotes if they are not set. */
  readonly needsContainer: boolean;
  readonly limits?: Pick<Connection, 'timeout' | 'responseTimeout' | 'retries'>;
  /** The base URL of a pasted URL; overrides the settings. */
  readonly base?: string;
}

/** @throws Problem if no service URL is given or no token may be sent to it */
export const openTransport = async (
  app: App, flags: GlobalFlags, { needsContainer, limits, base }: OpenOptions,
) => {
  const options = await requestOptions(app, flags);
  const given = await settingsOf(app, flags);
  if (flags.sandbox) {
    const anonymous = async () => (await openSandboxTransport(app, flags, options, null)).transport;
    return { ...await openSandboxTransport(app, flags, options), anonymous, settings: given };
  }
  const { url, settings, token, own } = await usedService(
    app, flags, needsContainer ? await withRemotes(app, given) : given, base, needsContainer && base === undefined);
  const connection = { ...options, url, ...settings.timeout === null && limits, ...own };
  const transport = await openTransportTo(app, { ...connection, ...token });
  return { transport, anonymous: () => openTransportTo(app, { ...connection, token: null }), base: url, settings };
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
