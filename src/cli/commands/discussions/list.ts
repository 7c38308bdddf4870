import type { Command } from 'commander';
import type { App } from '../../app.js';
import { filteredPageSize, filterFrom, filterThreads, withMine } from '../../notes/filters/filter.js';
import { withFilters, type FilterFlags } from '../../notes/filters/flags.js';
import { reportMissingNames } from '../../notes/filters/people.js';
import { defineCommand, handler, refArgument, withRefFlags } from '../../command-line/flags/command.js';
import { withListFlags, type ListFlags } from '../../command-line/flags/list.js';
import { listPrinter } from '../../terminal/output/list-printer.js';
import { selectableNames } from '../../terminal/output/view.js';
import type { RefFlags } from '../../command-line/refs/ref.js';
import { targetOf } from '../../service/targets/target.js';
import { showsPlaces, withPlaces } from '../../notes/places/placed-thread.js';
import { placedThreadView } from '../../notes/views/discussion.js';

interface Input extends ListFlags, RefFlags, FilterFlags {
  readonly ref: string | undefined;
}

export const discussionsListCommand = (app: App): Command =>
  withListFlags(withFilters(withRefFlags(
    defineCommand('list', 'list the threads of a merge request, issue, snippet, epic or commit', [
      'discussions list mr/12 -p acme/app',
      'discussions list mr/12 --unresolved --path src/ --since 3d',
      "discussions list mr/12 -o ndjson --jq '.notes[0].author.username'",
    ], selectableNames(placedThreadView)))))
    .addArgument(refArgument())
    .action(handler<Input>((flags, ref?: string) => discussionsList(app, { ...flags, ref })));

const discussionsList = async (app: App, input: Input): Promise<void> => {
  const print = listPrinter(app, input, placedThreadView);
  const filter = await filterFrom(app, input);
  const target = await targetOf(app, input, input.ref);
  const { client, kind, path } = target;
  const threads = client.discussions[kind].list({ ...path, per_page: filteredPageSize(filter, input) });
  const listed = filterThreads(await withMine(filter, client), threads);
  await print(showsPlaces(app, input) ? withPlaces(app, target, listed) : listed, target.web);
  await reportMissingNames(app, input, filter);
};
