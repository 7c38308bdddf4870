import type { Command } from 'commander';
import type { App } from '../../app.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { say } from '../../say.js';
import { chosenProfile } from '../../settings/chosen.js';
import { hasToken, withProfile, type Profile, type ProfileKey } from '../../settings/profiles.js';
import { rehearsed } from '../../settings/rehearsed.js';
import { dropToken, noToken } from '../../settings/tokens.js';
import { address } from '../../settings/address.js';
import { checkValue, keyArgument } from './key.js';

export const configSetCommand = (app: App): Command =>
  verb('set', 'change one setting of a profile',
    ['config set project acme/app', 'config set url https://gitlab.example.com --profile work'])
    .addArgument(keyArgument())
    .argument('<value>', 'new value')
    .action(acting<object>((flags, key: string, value: string) => configSet(app, flags, key as ProfileKey, value)));

const configSet = async (app: App, input: GlobalFlags, key: ProfileKey, value: string): Promise<void> => {
  checkValue(key, value);
  const { name } = await chosenProfile(app, input);
  if (await rehearsed(app, input, `set ${key} in profile ${name}`)) return;
  const losesToken = (profile: Profile) => key === 'url' && hasToken(profile) && isElsewhere(profile, value);
  const { profiles } = await app.profiles.change((all) =>
    withProfile(all, name, { [key]: value, ...(losesToken(all.profiles[name] ?? {}) && noToken) }));
  await say(app, input, `set ${key} in profile ${name}`);
  const before = profiles[name] ?? {};
  if (!losesToken(before)) return;
  await dropToken(app, name, before);
  await say(app, input, `its token was for ${before.url} and is removed; \`colloquy auth login\` stores a new one`);
};

/** A token stays with the origin it was made for. */
const isElsewhere = ({ url }: Profile, value: string): boolean => address(url)?.origin !== address(value)?.origin;
