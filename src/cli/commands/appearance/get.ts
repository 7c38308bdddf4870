import { Appearance } from '../../../contract/appearance.js';
import type { App } from '../../app.js';
import { openClient } from '../../service/connection/client.js';
import { settingsOf } from '../../service/settings/settings.js';
import { defineCommand, handler } from '../../command-line/command.js';
import { fieldPrinter } from '../../terminal/output/record-printer.js';
import { fieldNames } from '../../terminal/output/view.js';

export const appearanceGetCommand = (app: App) =>
  defineCommand('get', 'Show the appearance of the instance', ['appearance get', 'appearance get --json=title,logo'],
    fieldNames(Appearance))
    .action(handler<object>(async (flags) => {
      const print = fieldPrinter(app, flags, Appearance);
      const client = await openClient(app, flags, await settingsOf(app, flags));
      await print(await client.appearance.get());
    }));
