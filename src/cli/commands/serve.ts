import { Option, type Command } from 'commander';
import type { RunningServer, ServerOptions } from '../../server/index.js';
import type { App } from '../app.js';
import { Problem, usage } from '../errors/failure.js';
import { acting, endingItself, verb } from '../flags/command.js';
import { perMinute, wholeNumber, type GlobalFlags } from '../flags/global.js';
import { say } from '../io/messages.js';
import { plainLine } from '../io/plain.js';
import { withProgress } from '../io/progress.js';
import { readPem } from '../io/streams.js';
import { formatOf, printValue } from '../output/format.js';

interface Input extends GlobalFlags {
  readonly host: string;
  readonly port: string;
  readonly world?: string;
  readonly data?: string;
  readonly backup?: string;
  readonly durability: 'process' | 'power';
  readonly dialect: 'document' | 'live';
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly latency: string;
  readonly rateLimit?: number;
  readonly log?: string;
  readonly allowRemote?: boolean;
  readonly allowedHost?: readonly string[];
}

export const serveCommand = (app: App, summary: string): Command =>
  endingItself(verb('serve', summary, [
    'serve --json --dialect live', 'serve --port 8080 --world world.yaml --data world.db',
    'serve --data world.db --backup copy.db',
  ]))
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on, 0 for a free one', '0')
    .option('--world <path>', 'YAML or JSON file to start from; the demo world when left out')
    .option('--data <place>', 'SQLite file or postgres:// URL to keep everything in; in memory when left out')
    .option('--backup <path>', 'copy the file of --data to this new one and end; servers may be using it')
    .addOption(new Option('--durability <what>', 'what answered writes outlive: the process, or a loss of power too')
      .choices(['process', 'power']).default('process'))
    .addOption(new Option('--dialect <name>', 'whose words to use').choices(['document', 'live']).default('document'))
    .option('--tls-cert <path>', 'certificate to serve https with, PEM')
    .option('--tls-key <path>', 'key of the certificate, PEM')
    .option('--latency <ms>', 'milliseconds before each answer of the interface', '0')
    .addOption(new Option('--rate-limit <n>', 'requests a minute for each token, N or N/min').argParser(perMinute))
    .option('--log <path>', 'add a line of JSON to this file for every request')
    .option('--allow-remote', 'allow an address that other machines can reach')
    .addOption(new Option('--allowed-host <name>',
      'additional host name to accept; the control plane then needs its token; repeatable')
      .argParser((name: string, others: readonly string[] | undefined) => [...others ?? [], name]))
    .action(acting<Input>((flags) => serve(app, flags)));

const serve = async (app: App, input: Input): Promise<void> => {
  if (input.backup !== undefined) return backUp(app, input, input.backup);
  checkHost(input);
  const options = await serverOptions(app, input);
  const { startServer } = await import('../../server/index.js');
  const running = await told(app, input, input.world && `reading ${input.world}`, () => startServer(options));
  try {
    await announce(app, input, running);
    await aborted(app.signal);
  } finally {
    await running.close();
  }
};

const backUp = async (app: App, input: Input, target: string): Promise<void> => {
  const { data } = input;
  if (data === undefined) throw usage('--backup copies the file of --data, and none is named');
  const { backupStore } = await import('../../server/index.js');
  await told(app, input, `copying ${data}`, () => backupStore({ file: data, target }));
  await printValue(app, input, target);
};

const checkHost = ({ host, allowRemote }: Input): void => {
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
  if (!isLoopback && !allowRemote) {
    throw usage(`${host} can be reached by other machines, and this is a server for tests`,
      '--allow-remote serves there all the same');
  }
};

const serverOptions = async (app: App, input: Input): Promise<ServerOptions> => {
  const { host, world, data, durability, dialect, tlsCert, tlsKey, rateLimit, log, allowedHost } = input;
  const controlToken = app.env['COLLOQUY_CONTROL_TOKEN'];
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw usage('--tls-cert and --tls-key go together', 'name both');
  }
  const tls = tlsCert !== undefined && tlsKey !== undefined
    ? { cert: await readPem(app, tlsCert), key: await readPem(app, tlsKey) } : undefined;
  return {
    host, port: portFrom(input.port), dialect, durability, now: app.now,
    latency: wholeNumber(input.latency, '--latency'),
    ...(world !== undefined && { world }), ...(data !== undefined && { data }), ...(tls && { tls }),
    ...(rateLimit !== undefined && { rateLimit }), ...(allowedHost && { allowedHosts: allowedHost }),
    ...(controlToken && { controlToken }),
    ...(log !== undefined && { onRequest: (request) => { void append(app, log, request); } }),
    onFault: (error, id) => { void say(app, {}, `request ${id} failed: ${wordsOf(error)}`); },
  };
};

/** What is wrong with the data is for whoever runs the server to put right; any other fault is the program's. */
const wordsOf = (error: unknown): string => {
  const { name, message, hint, stack } = error as Error & { hint?: string };
  return name === 'StoreError' && hint !== undefined ? `${message}\n${hint}` : stack ?? String(error);
};

/** Requests are answered whether or not they can be written down. */
const append = (app: App, log: string, request: unknown): Promise<void> =>
  app.files.append(log, `${JSON.stringify(request)}\n`).catch((error: Error) => say(app, {}, error.message));

const portFrom = (text: string): number => {
  const port = wholeNumber(text, '--port');
  if (port > 65_535) throw usage(`there is no port ${text}`);
  return port;
};

/** Large worlds and stores take their time. @param what it is at, if that may be long */
const told = async <T>(app: App, input: Input, what: string | undefined, work: () => Promise<T>): Promise<T> => {
  try {
    return await (what ? withProgress(app, input, plainLine(what), work) : work());
  } catch (error) {
    throw orUnusable(error);
  }
};

const announce = async (app: App, input: Input, { url, tokens }: RunningServer): Promise<void> => {
  const format = formatOf(input);
  const ready = { url, pid: app.pid, tokens };
  await app.out.write(format === 'json' || format === 'ndjson' ? `${JSON.stringify(ready)}\n` : `${url}\n`);
  const some = Object.entries(tokens).map(([user, token]) => `${user} ${token}`).join(', ');
  if (format === 'table' && some) await say(app, input, `tokens: ${some}; Ctrl-C ends`);
};

const aborted = (signal: AbortSignal): Promise<void> => new Promise((resolve) => {
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
});

type Refusal = Error & { hint?: string; code?: string; address?: string; port?: number };

const refusals = ['WorldError', 'StoreError', 'ListenError'];

const atAddress: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program', EACCES: 'is not for this user to listen at',
  EADDRNOTAVAIL: 'is no address of this machine',
};

/** What a server could not begin with, a world, a store or an address, in words; other errors stay what they are. */
export const orUnusable = (error: unknown): unknown => {
  const { name, message, hint, code = '', address, port } = error as Refusal;
  if (refusals.includes(name)) return new Problem('usage', message, hint ?? null, { cause: error });
  if (!Object.hasOwn(atAddress, code)) return error;
  return new Problem('failure', `${address}:${port} ${atAddress[code]} (${code})`,
    'choose another --host or --port; port 0 picks a free one', { cause: error });
};
