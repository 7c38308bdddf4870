import { suggestionReach } from '../../../contract/conventions.js';
import type { Discussion } from '../../../contract/shapes/note.js';
import { counted } from '../../../text/messages.js';
import { plainText } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import {
  defineCommand, handler, refArgument, refOption, threadArguments,
} from '../../command-line/command.js';
import { withListFlags, type ListFlags } from '../../command-line/flags.js';
import type { RefFlags } from '../../command-line/ref.js';
import {
  applySuggestions, headFiles, type HeadFiles, hasChangedLines, suggestionPatch,
} from '../../notes/suggestions/apply.js';
import {
  type Suggested, suggestionName, suggestionRecord, suggestionsIn, suggestionView,
} from '../../notes/suggestions/suggested.js';
import { openNamedTarget, type Target } from '../../service/targets/target.js';
import {
  allThreads, checkThread, noteOf, parseThreadWords, threadFinder, type ThreadWords,
} from '../../service/targets/threads.js';
import { say, showText } from '../../terminal/io/messages.js';
import { chosenFormat } from '../../terminal/output/format.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { selectableNames } from '../../terminal/output/view.js';

interface Flags extends ListFlags, Pick<RefFlags, 'mr'> {
  readonly apply?: boolean;
}

interface Input extends Flags, ThreadWords {
  readonly isCommitted: boolean;
}

export const discussionsSuggestionsCommand = (app: App) =>
  withListFlags(defineCommand('suggestions', 'Print the suggested changes as a patch, or apply them', [
    '# Check whether the suggestions still apply\ndiscussions suggestions mr/12 | git apply --check',
    'discussions suggestions mr/12 0287db --apply',
    'discussions suggestions mr/12 --commit',
  ], selectableNames(suggestionView)).addOption(refOption('merge_request')))
    .addArgument(refArgument())
    .addArgument(threadArguments())
    .option('--apply', 'change the files of the work tree, all or none of them')
    .option('--commit', 'apply them as one commit, which names their authors')
    .action(handler<Flags & { readonly commit?: boolean }>(({ commit = false, ...flags }, ...words: string[]) =>
      discussionsSuggestions(app, { ...flags, ...parseThreadWords(flags, words), isCommitted: commit })));

const discussionsSuggestions = async (app: App, input: Input): Promise<void> => {
  input.threads.forEach(checkThread);
  const print = listPrinter(app, input, suggestionView);
  const target = await openNamedTarget(app, input, input.ref);
  if (target.kind !== 'merge_request') {
    throw usage(`${target.name} has no suggestions`, 'name a merge request, such as mr/12');
  }
  const found = (await requestThreads(app, target, input)).flatMap(suggestionsIn);
  const head = found.length === 0 ? null : await headFiles(app, target);
  const suggestions = head === null ? [] : await selectUsable(app, input, head, found);
  if (head === null || suggestions.length === 0) {
    if (chosenFormat(input) === null) return say(app, input, `no suggestions to apply on ${target.name}`);
    return print(wholeList([]));
  }
  if (input.apply || input.isCommitted) await apply(app, input, head, suggestions);
  else if (chosenFormat(input) === null) return printPatch(app, input, await suggestionPatch(head, suggestions));
  if (chosenFormat(input) !== null) await print(wholeList(suggestions.map(suggestionRecord)), target.web);
};

const requestThreads = async (app: App, target: Target, { threads }: Input): Promise<readonly Discussion[]> => {
  if (threads.length === 0 && target.ref.note === undefined) return allThreads(app, target);
  const words = threads.length > 0 ? threads : [`#note_${noteOf(target, undefined)}`];
  const find = await threadFinder(target, words);
  const found = new Map<string, Discussion>();
  for (const word of words) {
    const thread = await find(word);
    found.set(thread.id, thread);
  }
  return [...found.values()];
};

/** Leaves out settled suggestions, and resolved and older ones unless all threads are meant. */
const selectUsable = async (
  app: App, input: Input, head: HeadFiles, found: readonly Suggested[],
): Promise<readonly Suggested[]> => {
  const isAll = input.threads.length === 0;
  const refusalReason = async (one: Suggested): Promise<(typeof reasons)[number] | null> => {
    const { is_resolved, head_sha } = one;
    if (one.is_applied) return 'that the service has applied';
    if (one.is_incomplete) return 'that the service sent incompletely';
    if (!isAll) return null;
    if (is_resolved) return 'in resolved threads';
    if (head_sha !== null && head_sha !== head.head_sha) return 'on older versions of the diff';
    return await hasChangedLines(head, one) ? 'on lines that changed since' : null;
  };
  const refusals = await Promise.all(found.map(refusalReason));
  for (const reason of reasons) {
    const count = refusals.filter((one) => one === reason).length;
    if (count > 0) await say(app, input, `left out ${counted(count, 'suggestion')} ${reason}`);
  }
  return found.filter((_, at) => refusals[at] === null);
};

const reasons = [
  'that the service has applied', 'that the service sent incompletely', 'in resolved threads',
  'on older versions of the diff', 'on lines that changed since',
] as const;

const apply = async (
  app: App, input: Input, head: HeadFiles, suggestions: readonly Suggested[],
): Promise<void> => {
  const count = counted(suggestions.length, 'suggestion');
  for (const long of suggestions.filter(({ is_long }) => is_long)) {
    const name = suggestionName(long);
    await say(app, input,
      `the suggestion on ${name} spans more than ${suggestionReach} lines: the service refuses to apply it`);
  }
  const { paths, commit } = await applySuggestions(
    app, head, suggestions, { commit: input.isCommitted, dryRun: input.dryRun ?? false });
  if (input.dryRun) {
    if (chosenFormat(input) === null) await printPatch(app, input, await suggestionPatch(head, suggestions));
    return say(app, input, `would apply ${count}`);
  }
  const made = commit === null ? '' : ` in commit ${commit.slice(0, 8)}`;
  await say(app, input, `applied ${count} to ${counted(paths.length, 'file')}${made}`);
};

const printPatch = async (app: App, input: Input, patch: string): Promise<void> => {
  if (app.out.isTerminal) return showText(app, input, plainText(patch));
  await app.out.write(patch);
};
