import type { Discussion } from '../../../contract/shapes/note.js';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { agree, type ChangedRecord, recordChanger } from '../../changes/run.js';
import { Problem, usage } from '../../command-line/failure.js';
import { filterFrom, filterThreads, withOwner } from '../../notes/filters/filter.js';
import { isFiltered, withFilters, type FilterFlags } from '../../notes/filters/flags.js';
import { reportMissingNames } from '../../notes/filters/people.js';
import {
  defineCommand, handler, hideOptions, threadArguments, withRef,
} from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { wholeList } from '../../terminal/output/list-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { type RefFlags, resolvableKinds } from '../../command-line/ref.js';
import { openNamedTarget, type Target } from '../../service/targets/target.js';
import {
  checkResolvable, checkThread, findThread, listed, noteOf, parseThreadWords, setResolved, threadFinder, threadLines,
  type ThreadWords, unseenNotes, withId,
} from '../../service/targets/threads.js';
import { once } from '../../service/connection/batch.js';
import { DryRun } from '../../service/connection/dry-run.js';
import type { Fix, FixFlags } from '../../notes/fixes/fixed-by.js';
import { threadName } from '../../notes/thread-id.js';
import { notePage, threadState } from '../../notes/views/note.js';
import { tokenOwner } from '../../notes/write/own-notes.js';
import { isCi } from '../../service/settings/settings.js';
import { pickThread } from '../../notes/views/thread-picker.js';
import { discussionView } from '../../notes/views/discussion.js';

interface Input extends GlobalFlags, RefFlags, FilterFlags, ThreadWords, FixFlags {
  readonly to: 'resolved' | 'open';
  readonly changed?: boolean;
}

const command = (app: App, name: string, summary: string, to: Input['to']) =>
  hideOptions(withFilters(withRef(defineCommand(name, summary, [
    `discussions ${name} mr/12 0287db 53a2`,
    `discussions ${name} mr/12 --all --author bob`,
    to === 'resolved' ? `discussions ${name} mr/12 0287db --fixed-by HEAD`
      : `discussions ${name} https://gitlab.example.com/acme/app/-/merge_requests/12#note_345`,
  ], selectableNames(discussionView)), resolvableKinds)), to === 'open' ? '--unresolved' : '--resolved')
    .addArgument(threadArguments())
    .option('--all', 'every thread that matches the filters')
    .action(handler<RefFlags & FilterFlags>((flags, ...words: string[]) =>
      discussionsResolve(app, { ...flags, ...parseThreadWords(flags, words), to })));

export const discussionsResolveCommand = (app: App) => command(app, 'resolve',
  'Resolve threads, or with --all every match', 'resolved')
  .option('--fixed-by <sha>', 'commit that changes the commented lines, or HEAD')
  .option('--force', 'with --fixed-by: even if that is not verified')
  .option('--changed', 'with --all: threads whose lines were changed');

export const discussionsUnresolveCommand = (app: App) => command(app, 'unresolve',
  'Reopen threads, or with --all every match', 'open');

const discussionsResolve = async (app: App, input: Input): Promise<void> => {
  checkFlags(input);
  const isFix = input.fixedBy !== undefined;
  const isList = input.all === true || input.threads.length > 1 || (isFix && input.dryRun === true);
  const change = recordChanger(app, input, discussionView, isList);
  const target = await openNamedTarget(app, input, input.ref);
  checkResolvable(target);
  const planned = input.changed ? await planChanged(app, input, target)
    : input.all ? await planStepsForAll(app, input, target) : await planSteps(app, input, target);
  const steps: readonly Step[] = isFix ? await planFixes(app, input, target, planned) : planned;
  const done = new Set<string>();
  const { failure } = await change({
    steps, name: ({ name }) => name,
    make: async ({ find, fix }) => {
      if (fix) return reply(target, fix, find, done);
      const thread = await find();
      if (done.has(thread.id)) return null;
      done.add(thread.id);
      return giveState(app, input, target, thread);
    },
  });
  if (failure !== null) throw failure;
};

/** Each reply is a step before the one that resolves its thread. Nothing is written before all are verified. */
const planFixes = async (app: App, input: Input, target: Target, planned: readonly Step[]): Promise<Step[]> => {
  const { fixesBy } = await import('../../notes/fixes/fixed-by.js');
  checkMergeRequest(target, '--fixed-by');
  const threads = new Map<string, Discussion>();
  for (const { find } of planned) {
    const thread = await find();
    threads.set(thread.id, thread);
  }
  const fixes = await fixesBy(app, input, target, [...threads.values()]);
  return fixes.flatMap((fix) => fixSteps(target, fix));
};

const checkMergeRequest = ({ kind, name }: Target, flag: string): void => {
  if (kind !== 'merge_request') throw usage(`${flag} cannot be used on ${name}`, 'name a merge request');
};

/** The response to the request that resolves a thread has the reply; one that is resolved already is read again. */
const fixSteps = (target: Target, fix: Fix): Step[] => {
  const { thread } = fix;
  const find = async () => thread;
  const findState = threadState(thread) === 'resolved' ? () => findThread(target, thread.id) : find;
  return [{ name: `reply to ${thread.id}`, find, fix }, { name: thread.id, find: findState }];
};

/** In a job, whoever wrote the merge request decides what its commits change: only the token's own threads count. */
const planChanged = async (app: App, input: Input, target: Target): Promise<readonly Step[]> => {
  const { changedThreads } = await import('../../notes/fixes/fixed-by.js');
  checkMergeRequest(target, '--changed');
  const threads = await matchingThreads(app, input, target);
  const own = isCi(app.env) ? await ownThreads(target, threads) : threads;
  const { changed, unread } = await changedThreads(app, target, own);
  for (const { id } of unread) {
    await say(app, input, `left ${threadName(app, id)}: what the commits change cannot be read`);
  }
  if (changed.length === 0) {
    await say(app, input, `no unresolved threads on ${target.name} whose commented lines have changed`);
    return [];
  }
  await agree(app, input, {
    lines: changed.flatMap(({ lines }) => lines),
    action: `resolve ${counted(changed.length, 'thread')} of ${target.name}`,
  });
  const find = shownFinder(app, input, target);
  return changed.flatMap(({ fix }) => fixSteps(target, fix).map((step) => ({ ...step, find: () => find(fix.thread) })));
};

/** Reads the threads again after a question. @throws Problem for one with notes that were not shown */
const shownFinder = (app: App, { yes, dryRun, to }: Input, target: Target) => {
  const threads = once(() => listed(target).all());
  return async (shown: Discussion): Promise<Discussion> => {
    if (yes || dryRun || to === 'open') return withId(shown, target);
    const thread = (await threads()).find(({ id }) => id === shown.id) ?? shown;
    if (unseenNotes(shown, thread).length === 0) return withId(thread, target);
    throw new Problem('failure', `${threadName(app, shown.id)} has notes that arrived after it was shown`,
      'read them, then run the command again');
  };
};

/** @throws Problem if it is unknown whose the token is */
const ownThreads = async ({ client }: Target, threads: readonly Discussion[]): Promise<readonly Discussion[]> => {
  const owner = await tokenOwner(client);
  if (!owner) throw usage('cannot tell who owns the token', 'use a token that may read its user');
  return threads.filter(({ notes: [first] }) => first?.author.id === owner.id);
};

/** A thread whose reply is not stored stays open. */
const reply = async (target: Target, fix: Fix, find: Step['find'], done: Set<string>): Promise<null> => {
  const { replyFixed } = await import('../../notes/fixes/fixed-by.js');
  await find().then(() => replyFixed(target, fix)).catch((error: unknown) => {
    if (!(error instanceof DryRun)) done.add(fix.thread.id);
    throw error;
  });
  return null;
};

const checkFlags = ({ all, threads, limit, ...flags }: Input): void => {
  if (flags.changed && !all) throw usage('--changed requires --all', 'add --all');
  if (flags.changed && flags.fixedBy !== undefined) {
    throw usage('--changed and --fixed-by cannot be combined', 'use only one of them');
  }
  if (flags.force && flags.fixedBy === undefined) throw usage('--force requires --fixed-by', 'name the commit');
  if (all && limit !== undefined) throw usage('--all and --limit cannot be combined', 'use only one of them');
  if (all && threads.length > 0) throw usage('--all and a thread cannot be combined', 'remove one of them');
  if (!all && isFiltered(flags)) throw usage('filters require --all', 'add --all, or remove the filters');
  threads.forEach(checkThread);
};

interface Step {
  readonly name: string;
  readonly find: () => Promise<Discussion>;
  /** Set if the step adds the reply that names the fix. */
  readonly fix?: Fix;
}

/** Without a thread the user picks one at a terminal. */
const planSteps = async (app: App, input: Input, target: Target): Promise<Step[]> => {
  if (input.threads.length === 0 && target.ref.note === undefined && canAsk(app, input)) {
    const wanted = input.to === 'resolved' ? { verb: 'Resolve', state: 'open' } as const
      : { verb: 'Reopen', state: 'resolved' } as const;
    const picked = await pickThread(app, target, wanted);
    return [{ name: picked.id, find: async () => picked }];
  }
  const words = input.threads.length > 0 ? input.threads : [`#note_${noteOf(target, undefined)}`];
  const find = await threadFinder(target, words);
  return words.map((name) => ({ name, find: () => find(name) }));
};

const matchingThreads = async (app: App, input: Input, target: Target): Promise<readonly Discussion[]> => {
  const filter = await withOwner(await filterFrom(app, input), target.client);
  const threads: Discussion[] = [];
  const all = wholeList(await listed(target).complete());
  for await (const { items } of filterThreads(filter, all).pages()) {
    threads.push(...items.filter((thread) => threadState(thread) === (input.to === 'resolved' ? 'open' : 'resolved')));
  }
  await reportMissingNames(app, input, filter);
  return threads;
};

const planStepsForAll = async (app: App, input: Input, target: Target): Promise<Step[]> => {
  const { name } = target;
  const threads = await matchingThreads(app, input, target);
  const state = input.to === 'resolved' ? 'unresolved' : 'resolved';
  if (threads.length === 0) {
    await say(app, input, `no ${state} threads on ${name}${isFiltered(input) ? ' pass the filters' : ''}`);
    return [];
  }
  const count = counted(threads.length, 'thread');
  await agree(app, input, {
    lines: input.yes || !canAsk(app, input) ? [] : [`${state} threads:\n${threadLines(threads)}`],
    action: `${input.to === 'resolved' ? 'resolve' : 'unresolve'} ${count} of ${name}`,
  });
  const find = shownFinder(app, input, target);
  return threads.map((thread) => ({ name: thread.id, find: () => find(thread) }));
};

/** Sends nothing for a thread that is in the wanted state already. */
const giveState = async (
  app: App, input: Input, target: Target, thread: Discussion,
): Promise<ChangedRecord<Discussion>> => {
  const { to } = input;
  const verb = to === 'resolved' ? 'resolved' : 'unresolved';
  const address = notePage(thread.notes[0]?.id, target);
  if (threadState(thread) === to)
    return { message: `${threadName(app, thread.id)} was already ${verb}`, record: thread, address };
  if (input.dryRun && thread.notes.every(({ resolvable }) => resolvable === false)) {
    await say(app, input, `${threadName(app, thread.id)} is not resolvable: the service would reject the request`);
  }
  const record = await setResolved(target, thread.id, to === 'resolved');
  return { message: `${verb} ${threadName(app, thread.id)}`, record, address };
};
