import { firstWords } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { agree } from '../../changes/run.js';
import { defineCommand, handler } from '../../command-line/command.js';
import { removeDraft } from '../../notes/write/drafts.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { emptyPrinter } from '../../terminal/output/record-printer.js';
import { savedIdArgument, savedText } from './show.js';

export const savedDeleteCommand = (app: App) =>
  defineCommand('delete', 'Delete a saved text', ['saved delete 1a2b3c4d', 'saved delete 1a2b3c4d --yes'])
    .addArgument(savedIdArgument())
    .action(handler<object>(async (flags, id: string) => {
      const print = emptyPrinter(app, flags);
      const { path, command, ref, text } = await savedText(app, flags, id);
      const willAsk = canAsk(app, flags) && !flags.yes && !flags.dryRun;
      const lines = [`\`${command}\` on ${ref}: ${firstWords(text)}`];
      await agree(app, flags, { lines: willAsk ? lines : [], action: `delete saved text ${id}` });
      if (!flags.dryRun) {
        await removeDraft(app, path);
        await say(app, flags, `deleted saved text ${id}`);
      }
      await print();
    }));
