import type { Command } from 'commander';
import type { App } from '../../app.js';
import { Problem } from '../../errors/failure.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { consent, say } from '../../io/messages.js';
import { removeToken, withoutToken } from '../../settings/credential.js';
import { chosenProfile, hasToken, isDryRun, withProfile } from '../../settings/profiles.js';
import { firstFound, tokenPlaces } from '../../settings/settings.js';

export const authLogoutCommand = (app: App): Command =>
  verb('logout', 'remove the token from a profile', ['auth logout', 'auth logout --profile work --yes'])
    .action(acting<object>((flags) => authLogout(app, flags)));

const authLogout = async (app: App, input: GlobalFlags): Promise<void> => {
  const { name, profile } = await chosenProfile(app, input);
  if (!hasToken(profile)) throw new Problem('unauthenticated', `profile ${name} has no token`, otherToken(app));
  if (await isDryRun(app, input, `remove the token from profile ${name}`)) return;
  await consent(app, input, `remove the token for ${profile.url} from profile ${name}`);
  const before = await app.profiles.change((all) => withProfile(all, name, withoutToken));
  const reason = await removeToken(app, name, before.profiles[name] ?? {});
  if (reason !== null) throw stillThere(name, reason);
  await say(app, input,
    `removed the token from profile ${name}; the service still accepts it until it is revoked there`);
};

const stillThere = (name: string, reason: string): Problem => new Problem('failure',
  `profile ${name} uses the token no more, but the system keyring did not remove it: ${reason}`,
  'delete what it keeps for colloquy with its own program, and revoke the token at the service');

/** Logging out leaves the environment as it is. */
const otherToken = ({ env }: App): string => {
  const from = firstFound(...tokenPlaces(env))?.from;
  return from === undefined ? '`colloquy auth status` shows the profiles'
    : `the token in use is that of ${from}: unset it`;
};
