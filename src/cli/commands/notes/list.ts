import type { Command } from 'commander';
import type { App } from '../../app.js';
import { filteredPageSize, filterFrom, filterNotes, withMine } from '../../notes/filters/filter.js';
import { isFiltered, withFilters, type FilterFlags } from '../../notes/filters/flags.js';
import { reportMissingNames } from '../../notes/filters/people.js';
import { defineCommand, handler, refArgument, withRefFlags } from '../../command-line/flags/command.js';
import { withListFlags, type ListFlags } from '../../command-line/flags/list.js';
import { listPrinter } from '../../terminal/output/list-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import type { RefFlags } from '../../command-line/refs/ref.js';
import { targetOf } from '../../service/targets/target.js';
import { checkWebFlag, showPage, withWebFlag, type WebFlag } from '../../service/targets/web-page.js';
import { listedNoteView } from '../../notes/views/records.js';

interface Input extends ListFlags, RefFlags, FilterFlags, WebFlag {
  readonly ref: string | undefined;
}

export const notesListCommand = (app: App): Command =>
  withListFlags(withWebFlag(withFilters(withRefFlags(
    defineCommand('list', 'list the notes of all threads, grouped by thread', [
      'notes list mr/12', 'notes list issue/7 --author ada --no-system', 'notes list mr/12 --json=id,body,resolved',
    ], selectableNames(listedNoteView))))))
    .addArgument(refArgument())
    .action(handler<Input>((flags, ref?: string) => notesList(app, { ...flags, ref })));

const notesList = async (app: App, input: Input): Promise<void> => {
  const print = listPrinter(app, input, listedNoteView);
  const filter = await filterFrom(app, input);
  checkWebFlag(input, { filters: isFiltered(input) });
  const target = await targetOf(app, input, input.ref);
  if (input.web) return showPage(app, input, target);
  const { client, kind, path } = target;
  const threads = client.discussions[kind].list({ ...path, per_page: filteredPageSize(filter, input) });
  await print(filterNotes(await withMine(filter, client), threads), target.web);
  await reportMissingNames(app, input, filter);
};
