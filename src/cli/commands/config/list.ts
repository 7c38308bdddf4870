import { Type } from '@sinclair/typebox';
import type { Command } from 'commander';
import type { App } from '../../app.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { fieldPrinter } from '../../output/field-printer.js';
import { fieldNames } from '../../output/view.js';
import { chosenProfile } from '../../settings/chosen.js';
import { profileKeys } from '../../settings/profiles.js';

const Settings = Type.Object(Object.fromEntries(profileKeys.map((key) => [key, Type.Optional(Type.String())])));

export const configListCommand = (app: App): Command =>
  verb('list', 'print the settings of a profile, its token aside', ['config list', 'config list --profile work --json'],
    fieldNames(Settings))
    .action(acting<object>((flags) => configList(app, flags)));

const configList = async (app: App, input: GlobalFlags): Promise<void> => {
  const print = fieldPrinter(app, input, Settings);
  const { profile: { token: _, keyring: __, ...settings } } = await chosenProfile(app, input);
  await print(settings);
};
