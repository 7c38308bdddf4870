import type { Command } from 'commander';
import type { Discussion } from '../../../contract/shapes/note.js';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { agree, type ChangedRecord, recordChanger } from '../../changes/run.js';
import { usage } from '../../command-line/failure.js';
import { filterFrom, filterThreads, withOwner } from '../../notes/filters/filter.js';
import { isFiltered, withFilters, type FilterFlags } from '../../notes/filters/flags.js';
import { reportMissingNames } from '../../notes/filters/people.js';
import {
  defineCommand, handler, hideOptions, refArgument, threadArguments, withRefFlags,
} from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { wholeList } from '../../terminal/output/list-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { type RefFlags, resolvableKinds } from '../../command-line/ref.js';
import { openNamedTarget, type Target } from '../../service/targets/target.js';
import {
  checkResolvable, checkThread, listed, noteOf, parseThreadWords, setResolved, threadFinder, threadLines,
  type ThreadWords, withId,
} from '../../service/targets/threads.js';
import { threadName } from '../../notes/thread-id.js';
import { notePage, threadState } from '../../notes/views/note.js';
import { pickThread } from '../../notes/views/thread-picker.js';
import { discussionView } from '../../notes/views/discussion.js';

interface Input extends GlobalFlags, RefFlags, FilterFlags, ThreadWords {
  readonly to: 'resolved' | 'open';
}

const command = (app: App, name: string, summary: string, to: Input['to']): Command =>
  hideOptions(withFilters(withRefFlags(defineCommand(name, summary, [
    `discussions ${name} mr/12 0287db 53a2`,
    `discussions ${name} https://gitlab.example.com/acme/app/-/merge_requests/12#note_345`,
    `discussions ${name} mr/12 --all --author bob`,
  ], selectableNames(discussionView)), resolvableKinds)), to === 'open' ? '--unresolved' : '--resolved')
    .addArgument(refArgument())
    .addArgument(threadArguments())
    .option('--all', 'every thread that matches the filters')
    .action(handler<RefFlags & FilterFlags>((flags, ...words: string[]) =>
      discussionsResolve(app, { ...flags, ...parseThreadWords(flags, words), to })));

export const discussionsResolveCommand = (app: App): Command => command(app, 'resolve',
  'Resolve threads, or with --all every match', 'resolved');

export const discussionsUnresolveCommand = (app: App): Command => command(app, 'unresolve',
  'Reopen threads, or with --all every match', 'open');

const discussionsResolve = async (app: App, input: Input): Promise<void> => {
  checkFlags(input);
  const isList = input.all === true || input.threads.length > 1;
  const change = recordChanger(app, input, discussionView, isList);
  const target = await openNamedTarget(app, input, input.ref);
  checkResolvable(target);
  const steps = input.all ? await planStepsForAll(app, input, target) : await planSteps(app, input, target);
  const done = new Set<string>();
  const { failure } = await change({
    steps, name: ({ name }) => name,
    make: async (step) => {
      const thread = await step.find();
      if (done.has(thread.id)) return null;
      done.add(thread.id);
      return giveState(app, input, target, thread);
    },
  });
  if (failure !== null) throw failure;
};

const checkFlags = ({ all, threads, limit, ...flags }: Input): void => {
  if (all && limit !== undefined) throw usage('--all and --limit cannot be combined', 'use only one of them');
  if (all && threads.length > 0) throw usage('--all and a thread cannot be combined', 'remove one of them');
  if (!all && isFiltered(flags)) throw usage('filters require --all', 'add --all, or remove the filters');
  threads.forEach(checkThread);
};

interface Step {
  readonly name: string;
  readonly find: () => Promise<Discussion>;
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
  const find = threadFinder(target, words);
  return words.map((name) => ({ name, find: () => find(name) }));
};

const planStepsForAll = async (app: App, input: Input, target: Target): Promise<Step[]> => {
  const { client, name } = target;
  const filter = await withOwner(await filterFrom(app, input), client);
  const threads: Discussion[] = [];
  const all = wholeList(await listed(target).complete());
  for await (const { items } of filterThreads(filter, all).pages()) {
    threads.push(...items.filter((thread) => threadState(thread) === (input.to === 'resolved' ? 'open' : 'resolved')));
  }
  await reportMissingNames(app, input, filter);
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
  return threads.map((thread) => ({ name: thread.id, find: async () => withId(thread, target) }));
};

/** Sends nothing for a thread that is in the wanted state already. */
const giveState = async (
  app: App, { to }: Input, target: Target, thread: Discussion,
): Promise<ChangedRecord<Discussion>> => {
  const verb = to === 'resolved' ? 'resolved' : 'unresolved';
  const address = notePage(thread.notes[0]?.id, target);
  if (threadState(thread) === to)
    return { message: `${threadName(app, thread.id)} was already ${verb}`, record: thread, address };
  const record = await setResolved(target, thread.id, to === 'resolved');
  return { message: `${verb} ${threadName(app, thread.id)}`, record, address };
};
