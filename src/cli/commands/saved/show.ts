import { Argument } from 'commander';
import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import { defineCommand, handler } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { savedRecord, type SavedText, readSavedTexts, savedTextView } from '../../notes/write/drafts.js';
import { chosenFormat, printValue } from '../../terminal/output/format.js';
import { recordPrinter } from '../../terminal/output/record-printer.js';
import { selectableNames } from '../../terminal/output/view.js';

export const savedIdArgument = (): Argument => new Argument('<id>', 'id of the text, as `saved list` prints it');

export const savedShowCommand = (app: App) =>
  defineCommand('show', 'Print a saved text', [
    'saved show 1a2b3c4d', '# Save it in a file\nsaved show 1a2b3c4d > note.md',
  ], selectableNames(savedTextView))
    .addArgument(savedIdArgument())
    .action(handler<object>(async (flags, id: string) => {
      if (chosenFormat(flags) === null) {
        return printValue(app, flags, (await savedText(app, flags, id)).text.replace(/\n$/, ''));
      }
      const print = recordPrinter(app, flags, savedTextView);
      await print(savedRecord(await savedText(app, flags, id)));
    }));

export const savedText = async (app: App, flags: GlobalFlags, id: string): Promise<SavedText> => {
  const found = (await readSavedTexts(app, flags)).find((one) => one.id === id);
  if (found) return found;
  throw new Problem('not_found', `no saved text ${JSON.stringify(id)}`, 'run `colloquy saved list` to list them');
};
