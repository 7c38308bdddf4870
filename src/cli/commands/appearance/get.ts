import type { Command } from 'commander';
import { Appearance } from '../../../contract/appearance.js';
import type { App } from '../../app.js';
import { openClient } from '../../service/connection/client.js';
import { settingsOf } from '../../service/settings/settings.js';
import { defineCommand, handler } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { fieldPrinter } from '../../terminal/output/record-printer.js';
import { fieldNames } from '../../terminal/output/view.js';

export const appearanceGetCommand = (app: App): Command =>
  defineCommand('get', 'Show the appearance of the instance', ['appearance get', 'appearance get --json=title,logo'],
    fieldNames(Appearance))
    .action(handler<object>((flags) => appearanceGet(app, flags)));

const appearanceGet = async (app: App, input: GlobalFlags): Promise<void> => {
  const print = fieldPrinter(app, input, Appearance);
  const client = await openClient(app, input, await settingsOf(app, input));
  await print(await client.appearance.get());
};
