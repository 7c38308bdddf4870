import type { Command } from 'commander';
import { Appearance } from '../../../contract/shapes/appearance.js';
import type { App } from '../../app.js';
import { openPlain } from '../../connection/session.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { fieldPrinter } from '../../output/record-printer.js';
import { fieldNames } from '../../output/view.js';

export const appearanceGetCommand = (app: App): Command =>
  verb('get', 'show the appearance of the instance', ['appearance get', 'appearance get --json=title,logo'],
    fieldNames(Appearance))
    .action(acting<object>((flags) => appearanceGet(app, flags)));

const appearanceGet = async (app: App, input: GlobalFlags): Promise<void> => {
  const print = fieldPrinter(app, input, Appearance);
  const client = await openPlain(app, input);
  await print(await client.appearance.get({}));
};
