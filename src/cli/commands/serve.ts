import { Argument, Option, type Command } from 'commander';
import type { RecordedDifference } from '../../recording/compare.js';
import type { Tier } from '../../contract/conventions.js';
import type { GivenFaults, LoggedRequest, RunningServer, ServerOptions } from '../../server/index.js';
import { isLoopback } from '../../wire/http.js';
import type { App } from '../app.js';
import { serverProblem, usage } from '../command-line/failure.js';
import { defineCommand, handler, withGracefulEnd, withTaskPages } from '../command-line/command.js';
import { instanceOptions, perMinute, repeatable, wholeNumber } from '../command-line/flags.js';
import { addressProblem, portFrom, untilAborted } from '../terminal/io/listening.js';
import { say, withProgress, wrappedText } from '../terminal/io/messages.js';
import { recordedProxy, type RecordFlags } from '../service/recording/record.js';
import { replayedRecording, type ReplayFlags } from '../service/recording/replay.js';
import { readyFile, readyText } from '../service/ready-file.js';
import { requestLog } from '../service/request-log.js';
import { exportLines, isNameOfData, misplacedFile, reportWorld } from '../service/server-lines.js';
import { demo } from '../service/settings/sources.js';
import { openBesides } from '../service/targets/web-page.js';
import { plainLine } from '../../text/plain.js';
import { readPem, readText } from '../terminal/io/streams.js';
import { painter } from '../terminal/io/style.js';
import { chosenFormat, printValue } from '../terminal/output/format.js';

interface Input extends RecordFlags, ReplayFlags {
  readonly host: string;
  readonly port: string;
  readonly world?: string;
  readonly data?: string;
  readonly backup?: string;
  readonly durability: 'process' | 'power';
  readonly dialect?: 'document' | 'live';
  readonly like?: string;
  readonly serviceVersion?: string;
  readonly tier?: Tier;
  readonly quickActions?: 'on' | 'off';
  readonly acceptTokens?: 'private' | 'bearer';
  readonly rejectUnread?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly latency: string;
  readonly rateLimit?: number;
  readonly fault?: readonly string[];
  readonly faultSeed?: string;
  readonly seed?: string;
  readonly now?: string;
  readonly log?: string;
  readonly allowRemote?: boolean;
  readonly allowedHost?: readonly string[];
  readonly allowHooksTo?: readonly string[];
  readonly watch?: boolean;
  readonly readyFile?: string;
  readonly open?: boolean;
}

/** Of `diff`; listed here so that start-up does not load the comparison. */
const differenceFields: readonly (keyof RecordedDifference)[] = ['level', 'request', 'place', 'before', 'after'];

const diffPage = (): Command =>
  defineCommand('diff', 'Compare two recordings, or a recording with what the server does now', [
    '# Exit with 8 if a later run got different responses\nserve diff before.ndjson after.ndjson',
    '# Send the recorded requests to a world\nserve diff before.ndjson --world world.yaml',
  ], differenceFields)
    .addArgument(new Argument('<before>', 'recording of `serve --record`'))
    .addArgument(new Argument('[after]', 'later recording, unless --world is given'))
    .option('--world <path>', 'YAML or JSON world to send the recorded requests to')
    .addOption(instanceOptions.dialect('response format of that world; default: document'));

const recordingPage = (): Command =>
  defineCommand('recording', 'List the requests of a recording', ['serve recording run.ndjson'])
    .addArgument(new Argument('<file>', 'recording of `serve --record`'));

const taskArgument = (): Argument => {
  const task = new Argument('[task]', 'compare or list recordings: see `serve diff --help`')
    .choices(['diff', 'recording']);
  const { parseArg: checkedTask } = task;
  return task.argParser<unknown>((word, before) => isNameOfData(word) ? word : checkedTask!(word, before));
};

export const serveCommand = (app: App, summary: string): Command =>
  withTaskPages(withGracefulEnd(defineCommand('serve', summary, [
    'serve --port 8080 --world world.yaml --data world.db',
    '# Give out the same ids and times in each run\nserve --seed 7 --now 2026-01-01T00:00:00Z',
    '# Record a service, then repeat its responses\n'
      + 'serve --proxy https://gitlab.example.com --record run.ndjson\nserve --replay run.ndjson',
  ], differenceFields)), diffPage(), recordingPage())
    .addArgument(taskArgument())
    .addArgument(new Argument('[files...]', 'for diff: the earlier recording, then the later one or --world'))
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on, 0 for a free one', '0')
    .option('--world <path>', 'YAML or JSON world to load; a built-in demo world by default')
    .option('--watch', 'reset to the --world file whenever it changes')
    .option('--data <place>', 'SQLite file or postgres:// URL to store data in; in memory by default')
    .option('--backup <path>', 'new file to copy the --data file to, even while servers use it; then exit')
    .addOption(new Option('--durability <what>', 'failures that acknowledged writes survive')
      .choices(['process', 'power']).default('process'))
    .addOption(instanceOptions.dialect('response format; default: document'))
    .addOption(instanceOptions.version(
      'version of the service, such as 12.7; newer operations and parameters are unknown'))
    .addOption(instanceOptions.tier('tier of the service, which decides about epics'))
    .option('--proxy <url>', 'service to pass requests on to, instead of responding from a world')
    .option('--record <path>',
      'new file for the exchanges with the --proxy service, without known credentials and names')
    .option('--replay <path>', 'recording to respond from; the world responds to other requests')
    .option('--strict', 'respond with 501 to requests that the --replay recording does not have')
    .option('--like <path>', 'file of `conformance --save`: imitate that instance; other options override it')
    .addOption(new Option('--quick-actions <switch>',
      'run lines such as /close of notes, and remove them; default: on with --dialect live').choices(['on', 'off']))
    .addOption(new Option('--accept-tokens <kind>',
      'only kind of token to accept: PRIVATE-TOKEN or Authorization: Bearer; both by default')
      .choices(['private', 'bearer']))
    .option('--reject-unread', 'respond with 400 to parameters that the operation does not have')
    .option('--tls-cert <path>', 'certificate for HTTPS, PEM')
    .option('--tls-key <path>', 'private key of the certificate, PEM')
    .option('--latency <ms>', 'delay before each API response, in milliseconds', '0')
    .addOption(new Option('--rate-limit <n>', 'requests per minute for each token, N or N/min').argParser(perMinute))
    .addOption(new Option('--fault <rule>',
      "fault rule, such as 'POST /projects/* => status 500 p=0.3', or @FILE: see `help faults`; repeatable")
      .argParser(repeatable))
    .option('--fault-seed <n>', 'seed of faults with a probability')
    .option('--seed <n>', 'seed of thread ids, request ids and fresh tokens, to repeat them')
    .option('--now <time>', 'time of a frozen clock, ISO 8601; the running system clock by default')
    .option('--log <path>', 'file to append a JSON line to for every request')
    .option('--ready-file <path>', 'file with the output of --json, written when the server is ready, removed at exit')
    .option('--open', 'open the inspector, a page that shows and changes the data, in the browser')
    .option('--allow-remote', 'allow listening on an address that other machines can reach')
    .addOption(new Option('--allowed-host <name>',
      'additional host name to accept; the control plane then requires its token; repeatable')
      .argParser(repeatable))
    .addOption(new Option('--allow-hooks-to <host>',
      'host that webhooks may reach besides loopback ones; repeatable').argParser(repeatable))
    .action(handler<Input>((flags, task?: string, ...files: string[]) =>
      task === undefined ? serve(app, flags) : runTask(app, flags, task, files)));

const serve = async (app: App, input: Input): Promise<void> => {
  if (input.backup !== undefined) return backUp(app, input, input.backup);
  checkHost(input);
  const ready = await readyFile(app, input.readyFile);
  const view = showsLines(app, input) ? await terminalView(app) : null;
  if (input.proxy !== undefined && input.replay !== undefined) {
    throw usage('--proxy and --replay cannot be used together', 'leave out one of them');
  }
  const [recorded, replayed] = [await recordedProxy(app, input), await replayedRecording(app, input)];
  const options = {
    ...await serverOptions(app, input, view),
    ...recorded && { proxy: recorded.proxy }, ...replayed && { replay: replayed.replay },
  };
  const { startServer } = await import('../../server/index.js');
  const task = input.world && `reading ${input.world}`;
  let reloads = Promise.resolve();
  const onReload = (error: unknown) => {
    reloads = reloads.then(() => reportReload(app, input, () => ready.write(readiness(input, running)), error));
  };
  const running = await withTaskProgress(app, input, task, () => startServer({ ...options, onReload }));
  try {
    await ready.write(readiness(input, running));
    await reportWorld(app, input, running);
    await announce(app, input, running, view);
    await untilAborted(app.signal);
  } finally {
    app.activity.isCleaningUp = true;
    await running.close();
    await reloads;
    await ready.remove();
  }
  await recorded?.end();
  await replayed?.end();
};

/** Reports the outcome of a reload. A new world may have new tokens. */
const reportReload = async (app: App, input: Input, write: () => Promise<void>, error: unknown): Promise<void> => {
  const problem = error ?? await write().then(() => null, (failure: unknown) => failure);
  if (problem === null) return say(app, input, `reloaded ${input.world}`);
  const { message, problem: what = message, hint } = problem as Error & { problem?: string; hint?: string | null };
  await say(app, {}, [what, hint, error && 'the previous world is still served'].filter(Boolean).join('\n'));
};

const diff = async (app: App, input: Input, files: readonly string[]): Promise<void> => {
  if (input.data !== undefined) throw usage('diff works on a world in memory', 'leave out --data');
  const open = async () => {
    const { openService } = await import('../../server/index.js');
    return openService(await serverOptions(app, input, null)).catch((error: unknown) => { throw asProblem(error); });
  };
  const { runDiff } = await import('../service/recording/tasks.js');
  await runDiff(app, input, files, input.world === undefined ? undefined : open);
};

const runTask = async (app: App, input: Input, task: string, files: readonly string[]): Promise<void> => {
  if (task === 'diff') return diff(app, input, files);
  if (task === 'recording') return (await import('../service/recording/tasks.js')).listRecording(app, input, files);
  throw misplacedFile(task, await faultFile(app, task).then(() => true, () => false));
};

/** A terminal shows how to use the server and a line for every request, unless another program reads the result. */
const showsLines = ({ err }: App, input: Input): boolean =>
  err.isTerminal && !input.quiet && (chosenFormat(input) ?? 'table') === 'table';

type TerminalView = Awaited<ReturnType<typeof terminalView>>;

/** Loaded only for a terminal, as it measures text with a package. */
const terminalView = async ({ err }: App) => {
  const { createRequestText, serverText } = await import('../service/server-text.js');
  const paint = await painter(err.colors);
  return { requestText: createRequestText(paint), serverText, paint };
};

const backUp = async (app: App, input: Input, target: string): Promise<void> => {
  const { data } = input;
  if (data === undefined) throw usage('--backup requires --data', 'name the SQLite file to copy with --data');
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
  const { host, durability, world, data, watch, dialect, serviceVersion, tier, acceptTokens, rejectUnread } = input;
  const { rateLimit, seed, allowedHost: allowedHosts, allowHooksTo, quickActions } = input;
  if (watch && world === undefined) throw usage('--watch requires --world', 'name the file to watch with --world');
  return {
    host, port: portFrom(input.port), durability, now: input.now ?? app.now,
    latency: wholeNumber(input.latency, '--latency'),
    ...withoutUndefined({
      world, data, watch, dialect, serviceVersion, tier, acceptTokens, rejectUnread, rateLimit, allowedHosts,
      allowHooksTo, quickActions: quickActions === undefined ? undefined : quickActions === 'on',
      controlToken: app.env['COLLOQUY_CONTROL_TOKEN'] || undefined,
      seed: seed === undefined ? undefined : wholeNumber(seed, '--seed'),
      tls: await certificate(app, input), like: await imitation(app, input),
    }),
    ...await faultOptions(app, input), ...await requestOption(app, input, view),
    onFault: (error, id) => { void say(app, {}, `request ${id} failed: ${faultText(error)}`); },
  };
};

/** The options that have a value: the server has its own defaults for the others. */
const withoutUndefined = <T extends object>(options: T) => Object.fromEntries(Object.entries(options)
  .filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };

const certificate = async (app: App, { tlsCert, tlsKey }: Input): Promise<ServerOptions['tls']> => {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw usage('--tls-cert and --tls-key must be used together', 'pass both');
  }
  return { cert: await readPem(app, tlsCert, '--tls-cert'), key: await readPem(app, tlsKey, '--tls-key') };
};

const imitation = async (app: App, { like }: Input): Promise<ServerOptions['like']> => {
  if (like === undefined) return undefined;
  const { imitationFrom } = await import('../../server/index.js');
  return imitationFrom(await readText(app, like), like).catch((error: unknown) => { throw asProblem(error); });
};

/** Rules and files in the order of their flags; `--fault-seed` overrides the seed of a file. */
const faultOptions = async (
  app: App, { fault = [], faultSeed }: Input,
): Promise<Pick<ServerOptions, 'faults' | 'faultSeed'>> => {
  const own = faultSeed === undefined ? undefined : wholeNumber(faultSeed, '--fault-seed');
  const given = await Promise.all(fault.map(async (text): Promise<GivenFaults> =>
    text.startsWith('@') ? faultFile(app, text.slice(1)) : { rules: [text] }));
  const seed = own ?? given.find((one) => one.seed !== undefined)?.seed;
  return { faults: given.flatMap(({ rules }) => rules), ...(seed !== undefined && { faultSeed: seed }) };
};

const faultFile = async (app: App, path: string): Promise<GivenFaults> => {
  const { faultsFrom } = await import('../../server/index.js');
  const text = await readText(app, path);
  return faultsFrom(text, path).catch((error: unknown) => { throw asProblem(error); });
};

/** The operator can fix bad data, so it needs no stack trace; any other error is a bug. */
const faultText = (error: unknown): string => {
  const { name, problem, hint, stack } = error as Error & { problem?: string; hint?: string };
  return name === 'StoreError' && hint !== undefined ? `${problem}\n${hint}` : stack ?? String(error);
};

const requestOption = async (
  app: App, { log: path }: Input, view: TerminalView | null,
): Promise<Pick<ServerOptions, 'onRequest'>> => {
  const log = await requestLog(app, path);
  const show = view && ((request: LoggedRequest) => app.err.write(view.requestText(request, app.err.columns)));
  if (!log && !show) return {};
  return { onRequest: (request) => { log?.(request); void show?.(request); } };
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

/** The service of --proxy rejects the tokens of the world. */
const readiness = ({ proxy }: Input, { url, tokens }: RunningServer) =>
  ({ url, tokens: proxy === undefined ? tokens : {} });

const announce = async (app: App, input: Input, running: RunningServer, view: TerminalView | null): Promise<void> => {
  const { inspectorUrl } = running;
  const ready = readiness(input, running);
  const { url, tokens } = ready;
  const format = chosenFormat(input) ?? 'table';
  const place = input.world === undefined && input.data === undefined && input.proxy === undefined ? demo : null;
  const counted = { url, inspectorUrl, tokens, data: input.data, place };
  const text = view && view.serverText({ ...counted, counts: await running.counts() }, view.paint);
  // Before stdout says that the server is ready: who reads both then has both.
  const isJson = format === 'json' || format === 'ndjson';
  if (text === null && !input.quiet) {
    const lines = [...isJson ? [] : exportLines(counted), `inspector: ${inspectorUrl}`];
    await writeWithTokens(app, Object.values(tokens), lines.map((line) => `${line}\n`).join(''));
  }
  await app.out.write(isJson ? readyText(app, ready) : `${url}\n`);
  if (text !== null) await writeWithTokens(app, Object.values(tokens), text);
  if (input.open) void openBesides(app, input, running.inspectorUrlForOnce());
};

/** Writes a text that shows tokens on purpose, even if COLLOQUY_TOKEN is set to one of them. */
const writeWithTokens = async ({ err, secrets }: App, tokens: readonly string[], text: string): Promise<void> => {
  const hidden = tokens.filter((token) => secrets.delete(token));
  await err.write(await wrappedText(err, text));
  for (const token of hidden) secrets.add(token);
};

/** Turns an error of the world, the store or the address into a Problem; returns other errors unchanged. */
const asProblem = (error: unknown): unknown => {
  const problem = addressProblem(error, '--host or --port');
  return serverProblem(problem) ?? problem;
};
