import type { Command } from 'commander';
import type { Page, Pages } from '../../../client/pages.js';
import type { Discussion } from '../../../contract/shapes/discussion.js';
import type { Note } from '../../../contract/shapes/note.js';
import type { App } from '../../app.js';
import { acting, refArgument, verb, withRefFlags } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { listPrinter, pageSize, type Listed } from '../../output/list-printer.js';
import { targetOf, type RefFlags } from '../../refs/target.js';
import { noteView } from '../../views/note.js';

interface Input extends GlobalFlags, RefFlags {
  readonly ref: string | undefined;
}

export const notesListCommand = (app: App): Command =>
  withRefFlags(verb('list', 'list the notes of all threads, thread by thread', [
    'notes list mr/12', 'notes list issue/7 -o ndjson', 'notes list mr/12 --json=id,body,resolved',
  ]))
    .addArgument(refArgument())
    .action(acting<Input>((flags, ref?: string) => notesList(app, { ...flags, ref })));

const notesList = async (app: App, input: Input): Promise<void> => {
  const print = listPrinter(app, input, noteView);
  const { client, kind, path } = await targetOf(app, input, input.ref);
  const discussions = client.discussions[kind].list({ ...path, per_page: pageSize(input) });
  await print(notesOf(discussions));
};

/** The notes in pages of threads; how many there are in all, the service does not say. */
const notesOf = (discussions: Pages<Discussion>): Listed<Note> => ({
  async *pages(): AsyncIterable<Page<Note>> {
    for await (const page of discussions.pages()) {
      yield { ...page, items: page.items.flatMap(({ notes }) => notes), total: null };
    }
  },
});
