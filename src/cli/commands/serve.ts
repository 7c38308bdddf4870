import { InvalidArgumentError, Option, type Command } from 'commander';
import { tiers, versionPattern, type Tier } from '../../contract/versions.js';
import type { LoggedRequest, RunningServer, ServerOptions } from '../../server/index.js';
import { isLoopback } from '../../wire/loopback.js';
import type { App } from '../app.js';
import { Problem, usage } from '../errors/failure.js';
import { defineCommand, handler, withGracefulEnd } from '../flags/command.js';
import { perMinute, wholeNumber, type GlobalFlags } from '../flags/global.js';
import { say } from '../io/messages.js';
import { plainLine } from '../io/plain.js';
import { withProgress } from '../io/progress.js';
import { readPem } from '../io/streams.js';
import { painter } from '../io/style.js';
import { formatOf, printValue } from '../output/format.js';

interface Input extends GlobalFlags {
  readonly host: string;
  readonly port: string;
  readonly world?: string;
  readonly data?: string;
  readonly backup?: string;
  readonly durability: 'process' | 'power';
  readonly dialect: 'document' | 'live';
  readonly serviceVersion?: string;
  readonly tier?: Tier;
  readonly quickActions?: 'on' | 'off';
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly latency: string;
  readonly rateLimit?: number;
  readonly log?: string;
  readonly allowRemote?: boolean;
  readonly allowedHost?: readonly string[];
}

export const serveCommand = (app: App, summary: string): Command =>
  withGracefulEnd(defineCommand('serve', summary, [
    'serve --json --dialect live', 'serve --port 8080 --world world.yaml --data world.db',
    'serve --data world.db --backup copy.db',
  ]))
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on, 0 for a free one', '0')
    .option('--world <path>', 'YAML or JSON world to load; a built-in demo world by default')
    .option('--data <place>', 'SQLite file or postgres:// URL to store data in; in memory by default')
    .option('--backup <path>', 'new file to copy the --data file to, even while servers use it; then exit')
    .addOption(new Option('--durability <what>', 'failures that acknowledged writes survive')
      .choices(['process', 'power']).default('process'))
    .addOption(new Option('--dialect <name>', 'response format').choices(['document', 'live']).default('document'))
    .addOption(new Option('--service-version <version>',
      'version of the service, such as 12.7; newer operations and parameters are unknown').argParser(serviceVersion))
    .addOption(new Option('--tier <name>', 'subscription of the service, which decides about epics').choices(tiers))
    .addOption(new Option('--quick-actions <switch>',
      'take lines such as /close out of notes; default: on with --dialect live').choices(['on', 'off']))
    .option('--tls-cert <path>', 'certificate for HTTPS, PEM')
    .option('--tls-key <path>', 'private key of the certificate, PEM')
    .option('--latency <ms>', 'delay before each API response, in milliseconds', '0')
    .addOption(new Option('--rate-limit <n>', 'requests per minute for each token, N or N/min').argParser(perMinute))
    .option('--log <path>', 'file to append a JSON line to for every request')
    .option('--allow-remote', 'allow listening on an address that other machines can reach')
    .addOption(new Option('--allowed-host <name>',
      'additional host name to accept; the control plane then needs its token; repeatable')
      .argParser((name: string, others: readonly string[] | undefined) => [...others ?? [], name]))
    .action(handler<Input>((flags) => serve(app, flags)));

const serve = async (app: App, input: Input): Promise<void> => {
  if (input.backup !== undefined) return backUp(app, input, input.backup);
  checkHost(input);
  const view = showsLines(app, input) ? await terminalView(app) : null;
  const options = await serverOptions(app, input, view);
  const { startServer } = await import('../../server/index.js');
  const task = input.world && `reading ${input.world}`;
  const running = await withTaskProgress(app, input, task, () => startServer(options));
  try {
    await announce(app, input, running, view);
    await untilAborted(app.signal);
  } finally {
    await running.close();
  }
};

/** A terminal shows how to use the server and a line for every request, unless another program reads the result. */
const showsLines = ({ err }: App, input: Input): boolean =>
  err.isTerminal && !input.quiet && formatOf(input) === 'table';

type TerminalView = Awaited<ReturnType<typeof terminalView>>;

/** Loaded only for a terminal, as it measures text with a package. */
const terminalView = async ({ err }: App) => {
  const { requestText, serverText } = await import('../views/server.js');
  return { requestText, serverText, paint: await painter(err.colors) };
};

const backUp = async (app: App, input: Input, target: string): Promise<void> => {
  const { data } = input;
  if (data === undefined) throw usage('--backup needs --data', 'name the SQLite file to copy with --data');
  const { backupStore } = await import('../../server/index.js');
  await withTaskProgress(app, input, `copying ${data}`, () => backupStore({ file: data, target }));
  await printValue(app, input, target);
};

const checkHost = ({ host, allowRemote }: Input): void => {
  if (!isLoopback(host) && !allowRemote) {
    throw usage(`refusing to listen on ${host}: other machines could reach this test server`,
      'pass --allow-remote to allow it');
  }
};

const serverOptions = async (app: App, input: Input, view: TerminalView | null): Promise<ServerOptions> => {
  const { host, world, data, durability, dialect, tlsCert, tlsKey, rateLimit, log, allowedHost } = input;
  const { tier, quickActions } = input;
  const controlToken = app.env['COLLOQUY_CONTROL_TOKEN'];
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw usage('--tls-cert and --tls-key must be used together', 'pass both');
  }
  const tls = tlsCert !== undefined && tlsKey !== undefined
    ? { cert: await readPem(app, tlsCert), key: await readPem(app, tlsKey) } : undefined;
  return {
    host, port: portFrom(input.port), dialect, durability, now: app.now,
    latency: wholeNumber(input.latency, '--latency'),
    ...(tier && { tier }), ...(quickActions && { quickActions: quickActions === 'on' }),
    ...(input.serviceVersion !== undefined && { serviceVersion: input.serviceVersion }),
    ...(world !== undefined && { world }), ...(data !== undefined && { data }), ...(tls && { tls }),
    ...(rateLimit !== undefined && { rateLimit }), ...(allowedHost && { allowedHosts: allowedHost }),
    ...(controlToken && { controlToken }),
    ...((log !== undefined || view) && { onRequest: (request) => { logRequest(app, log, view, request); } }),
    onFault: (error, id) => { void say(app, {}, `request ${id} failed: ${faultText(error)}`); },
  };
};

/** The operator can fix bad data, so it needs no stack trace; any other error is a bug. */
const faultText = (error: unknown): string => {
  const { name, message, hint, stack } = error as Error & { hint?: string };
  return name === 'StoreError' && hint !== undefined ? `${message}\n${hint}` : stack ?? String(error);
};

const logRequest = (
  app: App, log: string | undefined, view: TerminalView | null, request: LoggedRequest,
): void => {
  if (log !== undefined) void appendToLog(app, log, request);
  if (view) void app.err.write(view.requestText(request, view.paint, app.err.columns));
};

/** A failed write to the log must not fail the request. */
const appendToLog = (app: App, log: string, request: unknown): Promise<void> =>
  app.files.append(log, `${JSON.stringify(request)}\n`).catch((error: Error) => say(app, {}, error.message));

const serviceVersion = (text: string): string => {
  if (versionPattern.test(text)) return text;
  throw new InvalidArgumentError('use a version such as 12.7 or 13.12.0-ee');
};

const portFrom = (text: string): number => {
  const port = wholeNumber(text, '--port');
  if (port > 65_535) throw usage(`invalid port ${text}`, 'use a port from 0 to 65535');
  return port;
};

/** Shows progress while a large world or store loads. @param what the progress text, if it may take long */
const withTaskProgress = async <T>(
  app: App, input: Input, what: string | undefined, work: () => Promise<T>,
): Promise<T> => {
  try {
    return await (what ? withProgress(app, input, plainLine(what), work) : work());
  } catch (error) {
    throw asProblem(error);
  }
};

const announce = async (app: App, input: Input, running: RunningServer, view: TerminalView | null): Promise<void> => {
  const { url, tokens } = running;
  const format = formatOf(input);
  const text = view && view.serverText({ url, tokens, counts: await running.counts(), data: input.data }, view.paint);
  const ready = { url, pid: app.pid, tokens };
  await app.out.write(format === 'json' || format === 'ndjson' ? `${JSON.stringify(ready)}\n` : `${url}\n`);
  if (text !== null) await writeWithTokens(app, Object.values(tokens), text);
};

/** Writes a text that shows tokens on purpose, even if COLLOQUY_TOKEN is set to one of them. */
const writeWithTokens = async ({ err, secrets }: App, tokens: readonly string[], text: string): Promise<void> => {
  const hidden = tokens.filter((token) => secrets.delete(token));
  await err.write(text);
  for (const token of hidden) secrets.add(token);
};

const untilAborted = (signal: AbortSignal): Promise<void> => new Promise((resolve) => {
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
});

type StartError = Error & { hint?: string; code?: string; address?: string; port?: number };

const expectedErrors = ['WorldError', 'StoreError', 'ListenError'];

const addressErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use', EACCES: 'cannot be used without more permissions',
  EADDRNOTAVAIL: 'is not an address of this machine',
};

/** Turns an error of the world, the store or the address into a Problem; returns other errors unchanged. */
export const asProblem = (error: unknown): unknown => {
  const { name, message, hint, code = '', address, port } = error as StartError;
  if (expectedErrors.includes(name)) return new Problem('usage', message, hint ?? null, { cause: error });
  if (!Object.hasOwn(addressErrors, code)) return error;
  return new Problem('failure', `${address}:${port} ${addressErrors[code]} (${code})`,
    'choose another --host or --port; port 0 picks a free one', { cause: error });
};
