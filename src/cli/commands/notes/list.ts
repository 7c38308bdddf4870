import type { Note } from '../../../contract/shapes/note.js';
import type { App } from '../../app.js';
import { newsIn, onlyNew } from '../../notes/seen.js';
import { filteredPageSize, filterFrom, filterNotes, withOwner } from '../../notes/filters/filter.js';
import { isFiltered, withFilters, type FilterFlags } from '../../notes/filters/flags.js';
import { reportMissingNames } from '../../notes/filters/people.js';
import { defineCommand, handler, withRef } from '../../command-line/command.js';
import { agentOption, type ListFlags, withListFlags } from '../../command-line/flags.js';
import { listPrinter, type Listed } from '../../terminal/output/list-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import type { RefFlags } from '../../command-line/ref.js';
import { openNamedTarget, type Target } from '../../service/targets/target.js';
import { checkWebFlag, showPage, withWebFlag, type WebFlag } from '../../service/targets/web-page.js';
import { listedNoteView } from '../../notes/views/note.js';

interface Input extends ListFlags, RefFlags, FilterFlags, WebFlag {
  readonly new?: boolean;
}

export const notesListCommand = (app: App) =>
  withListFlags(withWebFlag(withFilters(withRef(
    defineCommand('list', 'List the notes of all threads, grouped by thread', [
      'notes list mr/12',
      '# List what one person wrote\nnotes list issue/7 --author ada --no-system',
      'notes list mr/12 --json=id,body,resolved',
    ], selectableNames(listedNoteView))))))
    .addOption(agentOption())
    .option('--new', 'only notes of others since the last look')
    .action(handler<Input>((flags, ref?: string) => notesList(app, { ...flags, ref })));

const notesList = async (app: App, input: Input): Promise<void> => {
  const print = listPrinter(app, input, listedNoteView);
  const filter = await filterFrom(app, input);
  checkWebFlag(input, { '--new': input.new, filters: isFiltered(input) });
  const target = await openNamedTarget(app, input, input.ref);
  if (input.web) return showPage(app, input, target);
  const { client, kind, path } = target;
  const per_page = input.new ? 100 : filteredPageSize(filter, input);
  const threads = client.discussions[kind].list({ ...path, per_page });
  const filtered = filterNotes(await withOwner(filter, client), threads);
  await print(input.new ? newNotes(app, target, filtered) : filtered, target.web);
  await reportMissingNames(app, input, filter);
};

const newNotes = (app: App, target: Target, notes: Listed<Note>): Listed<Note> => {
  const isNew = newsIn(app, target);
  return onlyNew(notes, (note) => isNew({ notes: [note] }));
};
