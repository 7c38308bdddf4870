import type { Command } from 'commander';
import type { App } from '../../app.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { say } from '../../say.js';
import { chosenProfile } from '../../settings/chosen.js';
import { hasToken, withProfile, type ProfileKey } from '../../settings/profiles.js';
import { rehearsed } from '../../settings/rehearsed.js';
import { dropToken, noToken } from '../../settings/tokens.js';
import { keyArgument } from './key.js';

export const configUnsetCommand = (app: App): Command =>
  verb('unset', 'remove one setting of a profile', ['config unset project', 'config unset group --profile work'])
    .addArgument(keyArgument())
    .action(acting<object>((flags, key: string) => configUnset(app, flags, key as ProfileKey)));

/** A profile without url has no service its token could be for. */
const configUnset = async (app: App, input: GlobalFlags, key: ProfileKey): Promise<void> => {
  const { all, name, profile } = await chosenProfile(app, input);
  const losesToken = key === 'url' && hasToken(profile);
  if (profile[key] === undefined && !losesToken) return say(app, input, `${key} is not set in profile ${name}`);
  if (await rehearsed(app, input, `remove ${key} from profile ${name}`)) return;
  if (losesToken) await dropToken(app, name, profile);
  await app.profiles.write(withProfile(all, name, { [key]: undefined, ...(losesToken && noToken) }));
  await say(app, input, `removed ${key}${losesToken ? ' and the token for it' : ''} from profile ${name}`);
};
