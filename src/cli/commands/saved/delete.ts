import { firstWords } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { agree } from '../../changes/run.js';
import { defineCommand, handler } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { removeDraft } from '../../notes/write/drafts.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { emptyPrinter } from '../../terminal/output/record-printer.js';
import { savedIdArgument, savedText } from './show.js';

export const savedDeleteCommand = (app: App) =>
  defineCommand('delete', 'Delete a saved text', ['saved delete 1a2b3c4d', 'saved delete 1a2b3c4d --yes'])
    .addArgument(savedIdArgument())
    .action(handler<GlobalFlags>((flags, id: string) => savedDelete(app, flags, id)));

const savedDelete = async (app: App, input: GlobalFlags, id: string): Promise<void> => {
  const print = emptyPrinter(app, input);
  const { path, command, ref, text } = await savedText(app, input, id);
  const willAsk = canAsk(app, input) && !input.yes && !input.dryRun;
  const lines = [`\`${command}\` on ${ref}: ${firstWords(text)}`];
  await agree(app, input, { lines: willAsk ? lines : [], action: `delete saved text ${id}` });
  if (input.dryRun) return;
  await removeDraft(app, path);
  await say(app, input, `deleted saved text ${id}`);
  await print();
};
