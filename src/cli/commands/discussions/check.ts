import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Discussion } from '../../../contract/shapes/note.js';
import { readDuration } from '../../../wire/durations.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/errors/failure.js';
import { checkUsers } from '../../notes/filters/users.js';
import { filterFrom, filterThreads, withMine, type Filter } from '../../notes/filters/filter.js';
import { acceptByOption, resolverOf, withUnaccepted, type AcceptFlags } from '../../notes/filters/acceptance.js';
import { withFilters, type FilterFlags } from '../../notes/filters/flags.js';
import { defineCommand, handler, hideOptions, refArgument, withRefFlags } from '../../command-line/flags/command.js';
import { withListFlags, type ListFlags } from '../../command-line/flags/list.js';
import { say } from '../../terminal/io/messages.js';
import { counted } from '../../../text/counted.js';
import { plainLine } from '../../../text/plain.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { resolvableKinds } from '../../command-line/refs/kinds.js';
import type { RefFlags } from '../../command-line/refs/ref.js';
import { destinationOf, reached, type Target } from '../../service/targets/target.js';
import { checkResolvable, checkServiceResolves } from '../../service/targets/threads.js';
import { stateOf } from '../../notes/views/cells.js';
import { discussionView } from '../../notes/views/discussion.js';

interface Input extends ListFlags, RefFlags, FilterFlags, AcceptFlags {
  readonly ref: string | undefined;
  /** In milliseconds. */
  readonly wait?: number;
}

export const discussionsCheckCommand = (app: App): Command =>
  hideOptions(withListFlags(withFilters(withRefFlags(
    defineCommand('check', 'Exit with code 8 while threads are unresolved', [
      'discussions check mr/12',
      'discussions check mr/12 --author bob --wait 10m',
      'discussions check mr/12 --json=id,notes',
    ], selectableNames(discussionView)), resolvableKinds))), '--resolved', '--unresolved')
    .addArgument(refArgument())
    .addOption(new Option('--wait <duration>', 'maximum time to wait for the threads to be resolved: 90s, 10m, 1h30m')
      .argParser(duration))
    .addOption(acceptByOption())
    .action(handler<Input>((flags, ref?: string) => discussionsCheck(app, { ...flags, ref })));

const duration = (text: string): number => {
  const milliseconds = readDuration(text);
  if (milliseconds === undefined) throw new InvalidArgumentError('use a duration such as 90s, 10m or 1h30m');
  return milliseconds;
};

const discussionsCheck = async (app: App, input: Input): Promise<void> => {
  if (input.resolved) throw usage('--resolved cannot be combined with `check`', 'remove --resolved');
  const print = listPrinter(app, input, discussionView);
  const given = await filterFrom(app, { ...input, unresolved: true });
  const destination = await destinationOf(app, input, input.ref);
  checkResolvable(destination);
  const target = await reached(app, input, destination);
  await checkUsers(target.client, input);
  await checkServiceResolves(target);
  const filter = await withUnaccepted(await withMine(given, target.client), target, input);
  const open = await openThreads(app, input, target, filter);
  if (chosenFormat(input) !== null) await print(wholeList(open), target.web);
  if (open.length > 0) throw new Problem('pending', summary(open, target));
  await say(app, input, `no unresolved threads on ${target.name}`);
};

/** The time between two requests for the threads. */
const interval = 10_000;

/** The unresolved threads; with `--wait`, as soon as there are none, or when the duration has passed. */
const openThreads = async (app: App, input: Input, target: Target, filter: Filter): Promise<Discussion[]> => {
  const end = app.now().getTime() + (input.wait ?? 0);
  for (let isFirst = true; ; isFirst = false) {
    const open = await passing(target, filter);
    const left = end - app.now().getTime();
    if (open.length === 0 || left <= 0) return open;
    if (isFirst) await say(app, input, `waiting: ${summary(open, target)}`);
    await app.sleep(Math.min(interval, left));
  }
};

const passing = async ({ client, kind, path }: Target, filter: Filter): Promise<Discussion[]> => {
  const threads: Discussion[] = [];
  const all = client.discussions[kind].list({ ...path, per_page: 100 });
  for await (const { items } of filterThreads(filter, all).pages()) threads.push(...items);
  return threads;
};

/** `3 unresolved threads on mr/12: 2 by ada, 1 by bob; 1 thread resolved by ada, not by others`. */
const summary = (threads: readonly Discussion[], { name }: Target): string => {
  const open = threads.filter((thread) => stateOf(thread) === 'open');
  const resolved = threads.filter((thread) => !open.includes(thread));
  const resolvers = [...new Set(resolved.map((thread) => plainLine(resolverOf(thread)?.username ?? 'somebody')))];
  return [
    ...open.length === 0 ? [] : [`${counted(open.length, 'unresolved thread')} on ${name}: ${byAuthor(open)}`],
    ...resolved.length === 0 ? []
      : [`${counted(resolved.length, 'thread')} of ${name} resolved by ${resolvers.join(' and ')}, not by others`],
  ].join('; ');
};

const byAuthor = (threads: readonly Discussion[]): string => {
  const counts = new Map<string, number>();
  for (const { notes: [first] } of threads) {
    const author = first === undefined ? '' : plainLine(first.author.username);
    counts.set(author, (counts.get(author) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([author, count]) => `${count} by ${author}`).join(', ');
};
