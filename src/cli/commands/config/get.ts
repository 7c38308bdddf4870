import type { Command } from 'commander';
import type { App } from '../../app.js';
import { Problem } from '../../failures.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { printValue } from '../../output/value.js';
import { chosenProfile } from '../../settings/chosen.js';
import type { ProfileKey } from '../../settings/profiles.js';
import { keyArgument } from './key.js';

export const configGetCommand = (app: App): Command =>
  verb('get', 'print one setting of a profile', ['config get url', 'config get project --profile work'])
    .addArgument(keyArgument())
    .action(acting<object>((flags, key: string) => configGet(app, flags, key as ProfileKey)));

const configGet = async (app: App, input: GlobalFlags, key: ProfileKey): Promise<void> => {
  const { name, profile } = await chosenProfile(app, input);
  const value = profile[key];
  if (value === undefined) {
    throw new Problem('not_found', `${key} is not set in profile ${name}`,
      `\`colloquy config set ${key} VALUE\` sets it`);
  }
  await printValue(app, input, value);
};
