import { dirname } from 'node:path';
import type { Command } from 'commander';
import type { BaseUrl } from '../../../client/base-url.js';
import type { App, Profile } from '../../app.js';
import { open } from '../../connection/session.js';
import { Problem, usage } from '../../errors/failure.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { canAsk, say } from '../../io/messages.js';
import { utf8 } from '../../io/streams.js';
import { removeToken, storeToken, withoutToken, storageOf, type StoredToken } from '../../settings/credential.js';
import { chosenProfile, hasToken, isDryRun, withProfile, type Chosen } from '../../settings/profiles.js';
import { withRemotes } from '../../settings/remotes.js';
import { address, firstFound, settingsOf, urlPlaces } from '../../settings/settings.js';
import { nullIfUnsupported } from '../../targets/epic.js';

interface Input extends GlobalFlags {
  readonly withToken?: boolean;
  readonly insecureStorage?: boolean;
}

export const authLoginCommand = (app: App): Command =>
  verb('login', 'check an access token and keep it in a profile', [
    'auth login --url https://gitlab.example.com',
    'auth login --url https://gitlab.example.com --profile work --with-token < token.txt',
  ])
    .option('--with-token', 'read the token from standard input')
    .option('--insecure-storage', 'keep the token in the profile file, and not in the system keyring')
    .action(acting<Input>((flags) => authLogin(app, flags)));

const authLogin = async (app: App, input: Input): Promise<void> => {
  const chosen = await chosenProfile(app, input);
  const { profile: _, ...flags } = input;
  const url = await serviceFor(app, input, chosen);
  const token = await tokenFrom(app, input, url);
  const settings = await settingsOf(app, { ...flags, url: url.href, token });
  const user = await nullIfUnsupported((await open(app, input, settings)).lookups.user({}));
  if (await isDryRun(app, input, `keep the token of ${url.href} in profile ${chosen.name}`)) return;
  const { kept, before } = await keep(app, input, chosen.name, url, token);
  const who = user ? ` as ${user.username}` : ', which does not tell whose token it is';
  await say(app, input, `logged in to ${url.href}${who}; ${whereabouts(app, chosen.name, kept)}`);
  const other = replaced(before, url);
  if (other) await say(app, input, `it takes the place of the token for ${other}; --profile NAME keeps both`);
  await warnOfOthers(app, input);
};

/** A profile says where a token goes and which certificates are trusted. */
const warnOfOthers = async (app: App, input: Input): Promise<void> => {
  const { path, isShared } = app.profiles;
  if (!isShared()) return;
  await say(app, input, `warning: other users can replace files in ${dirname(path)}; \`chmod go-w\` prevents that`);
};

/** The other service that the profile had a token for. */
const replaced = (profile: Profile, { origin }: BaseUrl): string | null => {
  const before = hasToken(profile) ? address(profile.url) : null;
  return before && before.origin !== origin ? before.href : null;
};

const serviceFor = async (app: App, input: Input, { profile, name }: Chosen): Promise<BaseUrl> => {
  const found = firstFound([input.url, '--url'], ...urlPlaces(app.env), [profile.url, `profile ${name}`]);
  return address(found?.value ?? await asked(app, input))!;
};

/** What a git remote names is a suggestion; only a person can take it. */
const asked = async (app: App, input: Input): Promise<string> => {
  if (!canAsk(app, input)) throw usage('which service?', 'name it with --url');
  const { profile: _, ...flags } = input;
  const { url } = await withRemotes(app, await settingsOf(app, flags));
  const answer = await app.ask.text(`Base URL of the service${url ? ` (${url.href})` : ''}`);
  return answer.trim() === '' && url ? url.href : answer.trim();
};

const tokenFrom = async (app: App, input: Input, { origin, href }: BaseUrl): Promise<string> => {
  if (input.token !== undefined) return input.token;
  if (!input.withToken && !canAsk(app, input)) {
    throw usage('there is nobody to ask for the token', 'hand it over on standard input with --with-token');
  }
  if (!input.withToken) await say(app, input, `tokens are made at ${href}/-/user_settings/personal_access_tokens`);
  const token = input.withToken ? utf8(await app.stdin.read(), '-')
    : await app.ask.password(`Access token for ${origin}, with scope api`);
  if (token.trim() === '') {
    throw new Problem('unauthenticated', 'no token was given',
      'make one with scope api in the settings of the user, project or group');
  }
  return token.trim();
};

/** The keyring may ask the user to unlock it, so it is called before and after the profiles are locked. */
const keep = async (
  app: App, { insecureStorage }: Input, name: string, url: BaseUrl, token: string,
): Promise<{ readonly kept: StoredToken; readonly before: Profile }> => {
  const kept = insecureStorage ? { entry: { token }, reason: null } : await storeToken(app, name, url.href, token);
  const change = { ...withoutToken, ...kept.entry, url: url.href };
  const { profiles } = await app.profiles.change((all) =>
    ({ ...withProfile(all, name, change), current: all.profiles[all.current] ? all.current : name }));
  const before = profiles[name] ?? {};
  const isMoved = kept.entry.token !== undefined || address(before.url)?.origin !== url.origin;
  if (isMoved) await removeToken(app, name, before);
  return { kept, before };
};

const whereabouts = (app: App, name: string, { entry, reason }: StoredToken): string => {
  const place = `the token of profile ${name} is kept in ${storageOf(app, entry)}`;
  return reason === null ? place : `no system keyring works here (${reason}), so ${place}`;
};
