import { Option } from 'commander';
import type { Note } from '../../../contract/shapes/note.js';
import type { App } from '../../app.js';
import { filteredPageSize, filterFrom, filterThreads, withOwner } from '../../notes/filters/filter.js';
import { isFiltered, noThreads, withFilters, type FilterFlags } from '../../notes/filters/flags.js';
import { reportMissingNames } from '../../notes/filters/people.js';
import { markSeen, newsIn, onlyNew, needSeenPlace } from '../../notes/seen.js';
import { defineCommand, handler, withRef } from '../../command-line/command.js';
import { agent, formats, type ListFlags, withListFlags } from '../../command-line/flags.js';
import { listPrinter, mapPages } from '../../terminal/output/list-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import type { RefFlags } from '../../command-line/ref.js';
import { openNamedTarget } from '../../service/targets/target.js';
import { usage } from '../../command-line/failure.js';
import { showsPlaces, withPlaces, type PlacedThread } from '../../notes/places.js';
import { isGone, placedThreadView, quickfix, quickfixLine } from '../../notes/views/discussion.js';
import { checkWebFlag, showPage, withWebFlag, type WebFlag } from '../../service/targets/web-page.js';
import { say } from '../../terminal/io/messages.js';
import { throwIfClosed } from '../../terminal/io/streams.js';
import { counted } from '../../../text/messages.js';

interface Input extends ListFlags, RefFlags, FilterFlags, WebFlag {
  readonly new?: boolean;
  readonly markRead?: boolean;
}

export const discussionsListCommand = (app: App) =>
  withListFlags(withWebFlag(withFilters(withRef(
    defineCommand('list', 'List the threads of a merge request, issue, snippet, epic or commit', [
      '# List the threads of merge request 12\ndiscussions list mr/12 -p acme/app',
      '# List those of the last three days that wait for an answer below src/\n'
        + 'discussions list mr/12 --unresolved --path src/ --since 3d',
      '# Step through them in Vim\ndiscussions list mr/12 -o quickfix > threads.txt && vim -q threads.txt',
    ], selectableNames(placedThreadView))))))
    .addOption(new Option('-o, --output <format>',
      'output format; quickfix is for editors, agent has the fewest words')
      .choices([...formats, quickfix, agent]).helpGroup('Output:'))
    .option('--new', 'only threads that others wrote in since the last look')
    .option('--mark-read', 'count all notes as seen, so that the inbox no longer has them as new')
    .action(handler<Input>((flags, ref?: string) => discussionsList(app, { ...flags, ref })));

const discussionsList = async (app: App, input: Input): Promise<void> => {
  const print = listPrinter(app, input, {
    ...placedThreadView, emptyText: noThreads(input),
    ownFormats: { ...placedThreadView.ownFormats, quickfix: quickfixLine },
  });
  checkWebFlag(input, { '--mark-read': input.markRead, '--new': input.new, filters: isFiltered(input) });
  const filter = await filterFrom(app, input);
  if (input.markRead && (isFiltered(input) || input.new || input.limit !== undefined)) {
    throw usage('--mark-read cannot be combined with filters, --new and --limit', 'remove them, or remove --mark-read');
  }
  const target = await openNamedTarget(app, input, input.ref);
  if (input.web) return showPage(app, input, target);
  const { client, kind, path } = target;
  const isQuickfix = String(input.output) === quickfix;
  const per_page = input.new || isQuickfix ? 100 : filteredPageSize(filter, input);
  const threads = client.discussions[kind].list({ ...path, per_page });
  const filtered = filterThreads(await withOwner(filter, client), threads);
  const listed = input.new ? onlyNew(filtered, newsIn(app, target)) : filtered;
  const placed = showsPlaces(app, input) ? withPlaces(app, target, input, listed) : listed;
  const seen: Pick<Note, 'id'>[] = [];
  let gone = 0;
  const count = (shown: readonly PlacedThread[]) => {
    for (const { notes } of shown) seen.push(...notes.map(({ id }) => ({ id })));
    gone += shown.filter(isGone).length;
    return isQuickfix ? shown.filter((thread) => quickfixLine(thread) !== '') : shown;
  };
  await print(isQuickfix || input.markRead ? mapPages(placed, count, isQuickfix) : placed, target.web);
  if (isQuickfix && gone > 0) {
    await say(app, input, `left out ${counted(gone, 'thread')} whose line is not in the newest version`);
  }
  throwIfClosed(app.out);
  if (input.markRead) await markSeen(app, input, await needSeenPlace(target), seen);
  await reportMissingNames(app, input, filter);
};
