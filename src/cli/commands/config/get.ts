import * as Type from '@sinclair/typebox';
import type { Command } from 'commander';
import { profileKeys, type App, type ProfileKey } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import { defineCommand, flagsOf, handler } from '../../command-line/command.js';
import { printValue } from '../../terminal/output/format.js';
import { fieldPrinter } from '../../terminal/output/record-printer.js';
import { fieldNames } from '../../terminal/output/view.js';
import { selectedProfile } from '../../service/settings/profiles.js';
import { keyArgument } from './set.js';

export const configGetCommand = (app: App): Command =>
  defineCommand('get', 'Print one setting of a profile', ['config get url', 'config get project --profile work'])
    .addArgument(keyArgument())
    .action(handler<object>(async (flags, key: string) => {
      const { name, profile } = await selectedProfile(app, flags);
      const value = profile[key as ProfileKey];
      if (value !== undefined) return printValue(app, flags, value);
      throw new Problem('not_found', `${key} is not set in profile ${name}`,
        `set it with \`colloquy config set ${key} VALUE\``);
    }));

const Settings = Type.Object(Object.fromEntries(profileKeys.map((key) => [key, Type.Optional(Type.String())])));

export const configListCommand = (app: App): Command =>
  defineCommand('list', 'Print the settings of a profile without its token',
    ['config list', 'config list --profile work --json'], fieldNames(Settings))
    .action(handler<object>(async (flags) => {
      const print = fieldPrinter(app, flags, Settings);
      const { profile: { token: _, keyring: __, ...settings } } = await selectedProfile(app, flags);
      await print(settings);
    }));

export const configPathCommand = (app: App): Command =>
  defineCommand('path', 'Print the path of the profile file', ['config path', '# Show who can read the profile file\n'
        + 'ls -l "$(colloquy config path)"'])
    .action((_, command: Command) => printValue(app, flagsOf<object>(command), app.profiles.path));
