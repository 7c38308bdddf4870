import type { Command } from 'commander';
import type { App } from '../../app.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { say } from '../../say.js';
import { chosenProfile } from '../../settings/chosen.js';
import { hasToken, withProfile, type Profile, type ProfileKey } from '../../settings/profiles.js';
import { rehearsed } from '../../settings/rehearsed.js';
import { dropToken, noToken } from '../../settings/tokens.js';
import { keyArgument } from './key.js';

export const configUnsetCommand = (app: App): Command =>
  verb('unset', 'remove one setting of a profile', ['config unset project', 'config unset group --profile work'])
    .addArgument(keyArgument())
    .action(acting<object>((flags, key: string) => configUnset(app, flags, key as ProfileKey)));

/** A profile without url has no service its token could be for. */
const configUnset = async (app: App, input: GlobalFlags, key: ProfileKey): Promise<void> => {
  const { name, profile } = await chosenProfile(app, input);
  const losesToken = (one: Profile) => key === 'url' && hasToken(one);
  const isThere = profile[key] !== undefined || losesToken(profile);
  if (!isThere) return say(app, input, `${key} is not set in profile ${name}`);
  if (await rehearsed(app, input, `remove ${key} from profile ${name}`)) return;
  const { profiles } = await app.profiles.change((all) =>
    withProfile(all, name, { [key]: undefined, ...(losesToken(all.profiles[name] ?? {}) && noToken) }));
  const before = profiles[name] ?? {};
  const isTokenLost = losesToken(before);
  if (isTokenLost) await dropToken(app, name, before);
  await say(app, input, `removed ${key}${isTokenLost ? ' and the token for it' : ''} from profile ${name}`);
};
