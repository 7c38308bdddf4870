import { plainLine } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import { defineCommand, handler } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { consent, say } from '../../terminal/io/messages.js';
import { profileNamed, removeToken, withoutToken } from '../../service/settings/settings.js';
import { hasToken, isDryRun, selectedProfile, withProfile } from '../../service/settings/profiles.js';
import { firstFound, tokenPlaces } from '../../service/settings/sources.js';

export const authLogoutCommand = (app: App) =>
  defineCommand('logout', 'Remove the token from a profile', ['auth logout', 'auth logout --profile work --yes'])
    .action(handler<object>((flags) => authLogout(app, flags)));

const authLogout = async (app: App, input: GlobalFlags): Promise<void> => {
  const { all, name } = await selectedProfile(app, input);
  const profile = profileNamed(all, name === all.current ? undefined : name);
  if (!hasToken(profile)) throw new Problem('unauthenticated', `profile ${name} has no token`, otherTokenHint(app));
  if (await isDryRun(app, input, `remove the token from profile ${name}`)) return;
  await consent(app, input, `remove the token for ${profile.url} from profile ${name}`);
  const { profiles } = await app.profiles.change((all) => withProfile(all, name, withoutToken));
  const reason = await removeToken(app, name, profiles[name] ?? {});
  const others = Object.keys(profiles).filter((other) => other !== name && hasToken(profiles[other]!));
  if (reason !== null) {
    throw new Problem('failure',
      `removed the token from profile ${name}, but not from the system keyring: ${reason}`,
      'delete the colloquy entry with the program of the keyring, and revoke the token on the service');
  }
  await say(app, input,
    `removed the token from profile ${name}; it stays valid until it is revoked on the service`);
  if (others.length > 0) {
    await say(app, input, `${plainLine(others.join(', '))} still ${others.length === 1 ? 'has' : 'have'} a token; `
      + 'run `colloquy auth logout --profile NAME` to remove it');
  }
};

/** Logging out does not change the environment. */
const otherTokenHint = ({ env }: App): string => {
  const from = firstFound(...tokenPlaces(env))?.from;
  return from === undefined ? 'run `colloquy auth status` to show the profiles'
    : `unset ${from} to stop using its token`;
};
