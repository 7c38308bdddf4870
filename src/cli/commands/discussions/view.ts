import { InvalidArgumentError, Option } from 'commander';
import type { Discussion } from '../../../contract/shapes/note.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { defineCommand, handler, withRef } from '../../command-line/command.js';
import { agentOption, type GlobalFlags, isForAgents } from '../../command-line/flags.js';
import type { RefFlags } from '../../command-line/ref.js';
import { filterFrom, threadPasses, withOwner } from '../../notes/filters/filter.js';
import { isFiltered, noThreads, withFilters, type FilterFlags } from '../../notes/filters/flags.js';
import { reportMissingNames } from '../../notes/filters/people.js';
import { placedThreads, type PlacedThread, shownProofs } from '../../notes/places.js';
import { versionDiffs } from '../../notes/position/version.js';
import { newestFiles } from '../../notes/position/known-diff.js';
import { markSeen, newsIn, tryMarkSeen, needSeenPlace } from '../../notes/seen.js';
import { type State, threadState } from '../../notes/views/note.js';
import { placedThreadView, wholeAgent } from '../../notes/views/discussion.js';
import { fileFinder, threadCode } from '../../notes/views/code.js';
import { inPlaceOrder, wholeMarkdown, wholeText, type Whole } from '../../notes/views/conversation.js';
import { subjectLines, subjectOf, type ThreadCounts } from '../../notes/views/subject.js';
import { openNamedTarget, type Target } from '../../service/targets/target.js';
import { allThreads } from '../../service/targets/threads.js';
import { checkWebFlag, showPage, withWebFlag, type WebFlag } from '../../service/targets/web-page.js';
import { say, showText, withProgress } from '../../terminal/io/messages.js';
import { throwIfClosed } from '../../terminal/io/streams.js';
import type { Paint } from '../../terminal/io/style.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { listPrinter, omissionNote, sayLeftOut, wholeList } from '../../terminal/output/list-printer.js';
import { displayFor, selectableNames } from '../../terminal/output/view.js';

interface Input extends GlobalFlags, RefFlags, FilterFlags, WebFlag {
  readonly context?: number;
  readonly new?: boolean;
  readonly markRead?: boolean;
}

/** These filters mean something else here: resolved threads are opened, and system notes are shown. */
const otherMeaning = ['--resolved', '--no-system'];

export const discussionsViewCommand = (app: App) =>
  withWebFlag(withFilters(withRef(defineCommand('view', 'Show all threads as one conversation, by file and line', [
    '# Read all threads, each below the code it is about\ndiscussions view mr/12',
    '# Read the unresolved ones below src/ with more code\ndiscussions view mr/12 --unresolved --path src/ --context 8',
    '# Save them as a document\ndiscussions view mr/12 -o markdown > threads.md',
  ], selectableNames(placedThreadView))), otherMeaning))
    .addOption(agentOption())
    .addOption(new Option('--context <n>', 'lines of code above and below the commented ones, by default 3')
      .argParser(parseContext).helpGroup('Output:'))
    .option('--resolved', 'show resolved threads whole, not as one line each')
    .option('--system', 'also show the notes that the service wrote')
    .option('--new', 'only threads that others wrote in since the last look')
    .option('--mark-read', 'count all notes as seen')
    .action(handler<Input>((flags, ref?: string) => discussionsView(app, { ...flags, ref })));

const parseContext = (text: string): number => {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('give --context a whole number from 0 to 999');
  return Number(text);
};

const discussionsView = async (app: App, input: Input): Promise<void> => {
  const { resolved: opensResolved = false, system: _, ...filters } = input;
  const print = viewPrinter(app, input);
  checkWebFlag(input, { '--mark-read': input.markRead, '--new': input.new, filters: isFiltered(filters) });
  const filter = await filterFrom(app, { ...filters, ...!showsSystem(input) && { system: false } });
  const isPlain = !isFiltered(filters) && !input.new && input.limit === undefined;
  if (input.markRead && !isPlain) {
    throw usage('--mark-read cannot be combined with filters, --new and --limit', 'remove them, or remove --mark-read');
  }
  const target = await openNamedTarget(app, input, input.ref);
  if (input.web) return showPage(app, input, target);
  const [placed, isNew, proofOf] = [placedThreads(app, target, {}), newsIn(app, target), shownProofs(app, target)];
  const { all, files, subject } = await withProgress(app, input, `reading ${target.name}`,
    () => readAll(app, input, target, isNew));
  const applied = await withOwner(filter, target.client);
  for (const name of applied.names) {
    for (const thread of all) name.meet(thread);
    name.end();
  }
  // A thread that comes without notes is odd, not one of system notes alone.
  const isOdd = (thread: Discussion) => isPlain && thread.notes.length === 0;
  const passing = all.flatMap((thread) => {
    const shown = showsSystem(input) ? thread : { ...thread, notes: thread.notes.filter((note) => !note.system) };
    return isOdd(thread) || threadPasses(applied, shown) ? [shown] : [];
  });
  const records = await Promise.all(passing.map(async (thread) =>
    ({ ...await placed(thread), new: await isNew(thread), proof: await proofOf(thread) })));
  const threads = inPlaceOrder(records.filter((thread) => !input.new || thread.new), files);
  const [fileAt, context] = [fileFinder(files), input.context ?? 3];
  const shownCode = (thread: PlacedThread) => threadCode(app, target, thread, { fileAt, context });
  const counts = await threadCounts(all, isNew);
  const heading = (paint: Paint) => subjectLines(target.name, subject, counts, paint);
  await print({ threads, codeOf: shownCode, opensResolved, heading }, target, () => whyNone(app, filters, all));
  throwIfClosed(app.out);
  const notes = all.flatMap((thread) => thread.notes);
  if (input.markRead) await markSeen(app, input, await needSeenPlace(target), notes);
  else if (isPlain && isLook(app, input)) await tryMarkSeen(app, input, target, notes);
  await reportMissingNames(app, input, applied);
};

/** The path may be misspelled if no thread is on it. */
const whyNone = async (app: App, filters: FilterFlags, all: readonly Discussion[]): Promise<string> => {
  const { path } = filters;
  const onPath = path === undefined ? null : await filterFrom(app, { path });
  const isUnknown = onPath !== null && !all.some((thread) => threadPasses(onPath, thread));
  return noThreads(filters) + (isUnknown ? `; no thread is on ${plainLine(path!)}` : '');
};

const showsSystem = ({ system, type }: Input): boolean => system === true || type?.includes('system') === true;

/** The mark of a look counts only if a person reads it. */
const isLook = ({ out }: App, input: Input): boolean => showsText(input) && out.isTerminal;

const showsText = (flags: GlobalFlags): boolean =>
  flags.json === undefined && (chosenFormat(flags) ?? 'table') === 'table';

const readAll = async (app: App, input: Input, target: Target, isNew: ReturnType<typeof newsIn>) => {
  const subjectIfShown = showsText(input) ? subjectOf(target) : null;
  const versions = versionDiffs(target).all();
  const [all, files, subject] = await Promise.all(
    [allThreads(app, target), newestFiles(app, target), subjectIfShown, versions, isNew({ notes: [] })]);
  return { all, files, subject };
};

const threadCounts = async (
  all: readonly Discussion[], isNew: ReturnType<typeof newsIn>,
): Promise<ThreadCounts> => {
  const news = await Promise.all(all.map(isNew));
  const count = (state: State) => all.filter((thread) => threadState(thread) === state).length;
  return { open: count('open'), resolved: count('resolved'), new: news.filter((one) => one).length };
};

const viewPrinter = (app: App, input: Input) => {
  const print = listPrinter(app, input, placedThreadView);
  return async (whole: Whole, target: Target, why: () => Promise<string>): Promise<void> => {
    const { threads, opensResolved } = whole;
    const show = wholePrinter(app, input, target, why);
    if (show !== null) {
      await show({ ...whole, threads: threads.slice(0, input.limit) });
      return sayLeftOut(app, input, omissionNote(threads.length, input.limit));
    }
    const isOpen = (thread: PlacedThread) => threadState(thread) !== 'resolved';
    const isAll = chosenFormat(input) !== 'ndjson' || opensResolved;
    return print(wholeList(isAll ? threads : threads.filter(isOpen)), target.web);
  };
};

/** Null for a format of lists. */
const wholePrinter = (
  app: App, input: Input, target: Target, why: () => Promise<string>,
): ((whole: Whole) => Promise<void>) | null => {
  if (showsText(input)) {
    return async (whole) => {
      const { threads } = whole;
      if (threads.length === 0) return say(app, input, await why());
      const prompt = `${counted(threads.length, 'thread')}?lt, line %lt?L of %L..?e (end).`;
      await showText(app, input, await wholeText(whole, displayFor(app, target.web)), prompt);
    };
  }
  if (chosenFormat(input) === 'markdown' && input.json === undefined) {
    return async (whole) => app.out.write(await wholeMarkdown(whole, `Threads of ${target.name}`));
  }
  if (!isForAgents(input)) return null;
  return async (whole) => app.out.write(await wholeAgent(whole, input.context !== undefined));
};
