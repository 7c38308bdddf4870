import type { Command } from 'commander';
import type { Discussion } from '../../../contract/shapes/note.js';
import type { App } from '../../app.js';
import { makeChanges, type Change } from '../../changes/changes.js';
import { usage } from '../../command-line/errors/failure.js';
import { filterFrom, filterThreads, withMine } from '../../notes/filters/filter.js';
import { isFiltered, withFilters, type FilterFlags } from '../../notes/filters/flags.js';
import {
  defineCommand, handler, refArgument, threadArguments, withRefFlags,
} from '../../command-line/flags/command.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { canAsk, consent, say } from '../../terminal/io/messages.js';
import { changePrinter, isBrief, type PrintChange } from '../../terminal/output/change-printer.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { recordPrinter } from '../../terminal/output/record-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import { hasRefFlag, isRef, isUrl, type RefFlags } from '../../command-line/refs/ref.js';
import { targetOf, type Target } from '../../service/targets/target.js';
import {
  checkResolvable, checkThread, isThread, noteOf, threadFinder, threadLines,
} from '../../service/targets/threads.js';
import { notePage, stateOf } from '../../notes/views/cells.js';
import { discussionView } from '../../notes/views/discussion.js';

interface Input extends GlobalFlags, RefFlags, FilterFlags, Words {
  /** The state that the threads get. */
  readonly to: 'resolved' | 'open';
}

interface Words {
  readonly ref?: string;
  readonly threads: readonly string[];
}

const command = (app: App, name: string, summary: string, to: Input['to']): Command =>
  withFilters(withRefFlags(defineCommand(name, summary, [
    `discussions ${name} mr/12 0287db 53a2`,
    `discussions ${name} https://gitlab.example.com/acme/app/-/merge_requests/12#note_345`,
    `discussions ${name} mr/12 --all --author bob`,
  ], selectableNames(discussionView))))
    .addArgument(refArgument())
    .addArgument(threadArguments())
    .action(handler<RefFlags & FilterFlags>((flags, ...words: string[]) =>
      discussionsResolve(app, { ...flags, ...parseWords(flags, words), to })));

export const discussionsResolveCommand = (app: App): Command => command(app, 'resolve',
  'resolve threads of a merge request, or with --all every match', 'resolved');

export const discussionsUnresolveCommand = (app: App): Command => command(app, 'unresolve',
  'reopen threads of a merge request, or with --all every match', 'open');

/** The first word is the reference if it is one. Pasted URLs of several notes are all threads. */
const parseWords = (flags: RefFlags, words: readonly (string | undefined)[]): Words => {
  const [first, ...others] = words.filter((word) => word !== undefined);
  if (first === undefined) return { threads: [] };
  const isReference = isRef(first) || (others.length > 0 && !isThread(first));
  if (hasRefFlag(flags) || !isReference) return { threads: [first, ...others] };
  return { ref: first, threads: [first, ...others].every(isNoteUrl) ? [first, ...others] : others };
};

const isNoteUrl = (word: string): boolean => isUrl(word) && /#note_\d+$/.test(word);

const discussionsResolve = async (app: App, input: Input): Promise<void> => {
  checkFlags(input);
  const isList = input.all === true || input.threads.length > 1;
  const printList = listPrinter(app, { ...input, all: false }, discussionView);
  const printOne = recordPrinter(app, input, discussionView);
  const target = await targetOf(app, input, input.ref);
  checkResolvable(target);
  const records: Discussion[] = [];
  const print = changePrinter(app, input, isList ? async (thread) => { records.push(thread); } : printOne);
  const changes = input.all ? await changesToAll(app, input, target, print) : changesTo(input, target, print);
  if (!isList) return changes[0]!.make();
  const failure = await makeChanges(app, input, changes);
  if (!isBrief(app, input) && !input.dryRun) await printList(wholeList(records));
  if (failure !== null) throw failure;
};

const checkFlags = ({ all, threads, limit, ...flags }: Input): void => {
  if (all && limit !== undefined) throw usage('--all and --limit cannot be combined', 'use only one of them');
  if (all && threads.length > 0) throw usage('--all and a thread cannot be combined', 'remove one of them');
  if (!all && isFiltered(flags)) throw usage('filters require --all', 'add --all, or remove the filters');
  threads.forEach(checkThread);
};

const changesTo = (input: Input, target: Target, print: PrintChange<Discussion>): Change[] => {
  const words = input.threads.length > 0 ? input.threads : [`#note_${noteOf(target, undefined)}`];
  const find = threadFinder(target, words);
  const done = new Set<string>();
  return words.map((name) => ({
    name,
    make: async () => {
      const thread = await find(name);
      if (done.has(thread.id)) return;
      done.add(thread.id);
      await setState(input, target, thread, print);
    },
  }));
};

/** @throws Problem unless the user consents */
const changesToAll = async (
  app: App, input: Input, target: Target, print: PrintChange<Discussion>,
): Promise<Change[]> => {
  const { client, path, name } = target;
  const filter = await withMine(await filterFrom(app, input), client);
  const threads: Discussion[] = [];
  for await (const { items } of filterThreads(filter, client.discussions.merge_request.list(path)).pages()) {
    threads.push(...items.filter((thread) => stateOf(thread) === (input.to === 'resolved' ? 'open' : 'resolved')));
  }
  const state = input.to === 'resolved' ? 'unresolved' : 'resolved';
  if (threads.length === 0) {
    await say(app, input, `no ${state} threads on ${name}${isFiltered(input) ? ' pass the filters' : ''}`);
    return [];
  }
  if (!input.yes && canAsk(app, input)) await say(app, input, `${state} threads:\n${threadLines(threads)}`);
  const count = threads.length === 1 ? '1 thread' : `${threads.length} threads`;
  await consent(app, input, `${input.to === 'resolved' ? 'resolve' : 'unresolve'} ${count} of ${name}`);
  return threads.map((thread) => ({ name: thread.id, make: () => setState(input, target, thread, print) }));
};

/** Sends nothing for a thread that is in the wanted state already. */
const setState = async (
  { to }: Input, target: Target, thread: Discussion, print: PrintChange<Discussion>,
): Promise<void> => {
  const verb = to === 'resolved' ? 'resolved' : 'unresolved';
  const address = notePage(thread.notes[0]?.id, target);
  if (stateOf(thread) === to) {
    return print(`thread ${thread.id} was already ${verb}`, thread, address);
  }
  const params = { ...target.path, discussion_id: thread.id, resolved: to === 'resolved' };
  const changed = await target.client.discussions.merge_request.resolve(params);
  await print(`${verb} thread ${thread.id}`, changed, address);
};
