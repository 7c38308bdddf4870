import { Argument } from 'commander';
import { unlessAborted } from '../../../wire/time.js';
import type { App } from '../../app.js';
import { errorReason } from '../../changes/report.js';
import { CommandExit, exits, Problem, usage } from '../../command-line/failure.js';
import { instantOf } from '../../notes/filters/filter.js';
import { defineCommand, handler, withGracefulEnd, withRefFlags } from '../../command-line/command.js';
import { milliseconds, type GlobalFlags } from '../../command-line/flags.js';
import { say, wrappedText } from '../../terminal/io/messages.js';
import { throwIfClosed } from '../../terminal/io/streams.js';
import { chosenFormat, compileJq, selectedFields, writers } from '../../terminal/output/format.js';
import { displayFor, selectableNames, selectorOf } from '../../terminal/output/view.js';
import { printFullRef, type RefFlags, wordForms } from '../../command-line/ref.js';
import { isTemporary } from '../../service/connection/unsupported.js';
import { type Destination, destinationOf, openDestination, type Target } from '../../service/targets/target.js';
import { checkResolvable, checkServiceResolves } from '../../service/targets/threads.js';
import {
  watchedNoteable, type WatchedNoteable, type WatchEvent, watchEventView, watchSentence,
} from '../../notes/watch.js';

interface Input extends GlobalFlags, RefFlags {
  readonly refs: readonly string[];
  readonly interval?: string;
  readonly since?: string;
  readonly untilResolved?: boolean;
}

export const discussionsWatchCommand = (app: App) =>
  withGracefulEnd(withRefFlags(defineCommand('watch', 'Print the changes of threads as they happen', [
    'discussions watch mr/12 issue/7 --since 1h',
    '# Wait until all threads are resolved\ndiscussions watch mr/12 --until-resolved --quiet > /dev/null',
    "# Print the text of new notes\ndiscussions watch mr/12 -q 'select(.event == \"created\") | .note.body'",
  ], selectableNames(watchEventView))))
    .addArgument(new Argument('[ref...]', `${wordForms}, short forms such as !12, or URLs`))
    .option('--interval <seconds>', 'polling interval in seconds (default: 10)')
    .option('--since <when>', 'also print the changes since then: 2024-05-01, 2024-05-01T12:00Z, or 30m, 6h, 3d, 2w')
    .option('--until-resolved', 'end when all threads are resolved')
    .action(handler<Input>((flags, ...refs: (string | undefined)[]) =>
      untilInterrupted(app, discussionsWatch(app, { ...flags, refs: refs.filter((ref) => ref !== undefined) }))));

/** Ctrl-C is how most people end it: nothing needs to be said. @throws CommandExit */
const untilInterrupted = async ({ signal }: App, watching: Promise<void>): Promise<void> => {
  try {
    await unlessAborted(watching, signal);
  } catch (error) {
    const isInterrupted = signal.aborted && !(signal.reason instanceof Problem);
    throw isInterrupted ? new CommandExit(exits.interrupted) : error;
  }
};

const discussionsWatch = async (app: App, input: Input): Promise<void> => {
  const print = await eventPrinter(app, input);
  const interval = milliseconds(input.interval ?? '10', '--interval');
  const since = input.since === undefined ? null : instantOf(input.since, '--since', app.now(), false);
  const watched = (await watchedTargets(app, input)).map((target) => watchedNoteable(app, target, interval, since));
  const printed = { left: input.limit ?? Infinity };
  const printLimited: PrintEvent = async (event) => { if (printed.left-- > 0) await print(event); };
  for (let failures = 0; ;) {
    const hasFailed = await lookAtAll(app, input, watched, printLimited, waitAfter(failures + 1, interval));
    if (!input.untilResolved) throwIfClosed(app.out);
    if (!input.untilResolved && printed.left <= 0) return;
    failures = hasFailed ? failures + 1 : 0;
    if (input.untilResolved && !hasFailed && await areAllResolved(watched)) {
      return say(app, input, `all threads of ${watched.map(({ name }) => name).join(', ')} are resolved`);
    }
    await app.sleep(waitAfter(failures, interval));
  }
};

const watchedTargets = async (app: App, input: Input): Promise<Target[]> => {
  const words = input.refs.length === 0 ? [undefined] : input.refs;
  const found = new Map<string, { readonly target: Target; readonly destination: Destination }>();
  for (const word of words) {
    const destination = await destinationOf(app, input, word);
    if (input.untilResolved) checkResolvable(destination);
    const target = await openDestination(app, input, destination);
    const { base, kind, path } = target;
    const key = JSON.stringify([base, kind, path]);
    if (input.untilResolved && !found.has(key)) await checkServiceResolves(target);
    found.set(key, { target, destination });
  }
  const isOneContainer = new Set([...found.values()].map(({ destination }) => destination.container)).size < 2;
  return [...found.values()].map(({ target, destination: { ref, container } }) =>
    isOneContainer ? target : { ...target, name: printFullRef(ref, container) });
};

type PrintEvent = (event: WatchEvent) => Promise<void>;

/** Prints sentences on a terminal, JSON elsewhere. @throws Problem for a format other than JSON */
const eventPrinter = async (app: App, flags: GlobalFlags): Promise<PrintEvent> => {
  const chosen = chosenFormat(flags);
  if (chosen === null && app.out.isTerminal) {
    return async (event) => app.out.write(`${await wrappedText(app.out, watchSentence(event))}\n`);
  }
  const format = chosen ?? 'ndjson';
  if (format !== 'ndjson' && format !== 'json') {
    throw usage(`\`discussions watch\` cannot print ${format}`, 'use -o ndjson, or remove -o');
  }
  const fields = selectedFields(flags, selectableNames(watchEventView));
  const context = { view: watchEventView, out: app.out, display: displayFor(app), fields };
  if (flags.jq !== undefined) {
    const run = await compileJq(app, flags.jq, flags);
    const select = selectorOf(context.view, context.display, context.fields);
    return (event) => run(JSON.stringify(select(event)));
  }
  const { record } = await writers.ndjson(context);
  return (event) => app.out.write(record(event, 0));
};

const longestWait = 60_000;

/** The wait after several failures in a row doubles each time. */
const waitAfter = (failures: number, interval: number): number =>
  Math.max(interval, failures === 0 ? 0 : Math.min(longestWait, Math.max(interval, 5_000) * 2 ** (failures - 1)));

const lookAtAll = async (
  app: App, input: Input, watched: readonly WatchedNoteable[], print: PrintEvent, wait: number,
): Promise<boolean> => {
  let hasFailed = false;
  for (const { name, look } of watched) {
    const events = await look().catch(async (error: unknown) => {
      app.signal.throwIfAborted();
      if (!isTemporary(error)) throw error;
      hasFailed = true;
      await say(app, input, `cannot read the threads of ${name}: ${errorReason(error as Error)}; `
        + `trying again in ${wait / 1000} seconds`);
      return [];
    });
    for (const event of events) await print(event);
  }
  return hasFailed;
};

/** A service that cannot say it now is asked again after the next look. */
const areAllResolved = async (watched: readonly WatchedNoteable[]): Promise<boolean> => {
  try {
    for (const { isResolved } of watched) if (!await isResolved()) return false;
    return true;
  } catch (error) {
    if (!isTemporary(error)) throw error;
    return false;
  }
};
