import type { App } from '../../app.js';
import { defineCommand, handler } from '../../command-line/command.js';
import { withListFlags, type ListFlags } from '../../command-line/flags.js';
import { savedRecord, readSavedTexts, savedTextView } from '../../notes/write/drafts.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { selectableNames } from '../../terminal/output/view.js';

export const savedListCommand = (app: App) =>
  withListFlags(defineCommand('list', 'List comments that were saved because they were not sent',
    ['saved list', 'saved list --json=id,text'], selectableNames(savedTextView)))
    .action(handler<ListFlags>(async (flags) => {
      const print = listPrinter(app, flags, savedTextView);
      await print(wholeList((await readSavedTexts(app, flags)).map(savedRecord)));
    }));
