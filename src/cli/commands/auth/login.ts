import { dirname } from 'node:path';
import type { BaseUrl } from '../../../client/base-url.js';
import { shellWord } from '../../../text/quoting.js';
import type { App, Profile } from '../../app.js';
import { openClient } from '../../service/connection/client.js';
import { verifiedUser } from '../../service/connection/unsupported.js';
import { Problem, usage } from '../../command-line/failure.js';
import { defineCommand, handler } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { readText } from '../../terminal/io/streams.js';
import {
  removeToken, type SentToken, settingsOf, storageOf, type StoredToken, storeToken, withoutToken,
  withTokenFrom,
} from '../../service/settings/settings.js';
import {
  absoluteIfPath, hasToken, isDryRun, selectedProfile, withProfile, type SelectedProfile,
} from '../../service/settings/profiles.js';
import { withRemotes } from '../../service/settings/remotes.js';
import {
  address, profileAddress, firstFound, overridingVariable, tokenTypeFrom, urlPlaces, withoutLineEnd,
} from '../../service/settings/sources.js';

interface Input extends GlobalFlags {
  readonly withToken?: boolean;
  readonly insecureStorage?: boolean;
}

export const authLoginCommand = (app: App) =>
  defineCommand('login', 'Verify an access token and store it in a profile', [
    'auth login --url https://gitlab.example.com',
    'auth login --url https://gitlab.example.com --token-type bearer',
    '# Read the token from a file\nauth login --url https://gitlab.example.com --profile work --with-token < token.txt',
  ])
    .option('--with-token', 'read the token from standard input')
    .option('--insecure-storage', 'store the token in the profile file instead of the system keyring')
    .action(handler<Input>((flags) => authLogin(app, flags)));

const authLogin = async (app: App, input: Input): Promise<void> => {
  const chosen = await selectedProfile(app, input);
  const url = await baseUrlFor(app, input, chosen);
  const { token, from } = await tokenFrom(app, input, url);
  const tokenType = tokenTypeFrom(input.tokenType, app.env, chosen.profile, chosen.name);
  const sent = { token, ...tokenType !== null && { tokenType } };
  const settings = withTokenFrom(await settingsOf(app, { ...input, url: url.href, ...sent }), from);
  const user = await verifiedUser(await openClient(app, input, settings));
  if (await isDryRun(app, input, `store the token for ${url.href} in profile ${chosen.name}`)) return;
  const { kept, before } = await saveLogin(app, input, chosen.name, url, sent);
  const who = user ? ` as ${user.username}` : ' (user not reported by the service)';
  await say(app, input, `logged in to ${url.href}${who}; ${storageMessage(app, chosen.name, kept)}`);
  if (input.debug && kept.reason !== null) await say(app, input, `keyring: ${kept.reason}`);
  const other = replacedService(chosen.name, before, url);
  if (other) await say(app, input, `replaced the token for ${other}; use --profile NAME to keep both`);
  const variable = overridingVariable(app.env, { url: url.href });
  if (variable !== null) await say(app, input, `${variable} is set and overrides profile ${chosen.name}`);
  await warnAboutSharedFolder(app, input);
};

/** The profile file decides where tokens are sent and which certificates are trusted. */
const warnAboutSharedFolder = async (app: App, input: Input): Promise<void> => {
  const { path, isShared } = app.profiles;
  if (!isShared()) return;
  await say(app, input,
    `warning: other users can replace files in ${dirname(path)}; run \`chmod go-w\` on it to prevent that`);
};

const replacedService = (name: string, profile: Profile, { origin }: BaseUrl): string | null => {
  const before = hasToken(profile) ? profileAddress(name, profile) : null;
  return before && before.origin !== origin ? before.href : null;
};

const baseUrlFor = async (app: App, input: Input, { profile, name }: SelectedProfile): Promise<BaseUrl> => {
  const found = firstFound([input.url, '--url'], [input.profile && profile.url, `profile ${name}`],
    ...urlPlaces(app.env), [profile.url, `profile ${name}`]);
  return address(found ?? { value: await promptForUrl(app, input), from: 'the answer' })!;
};

/** The URL of a git remote is only a suggestion: the user has to confirm it. */
const promptForUrl = async (app: App, input: Input): Promise<string> => {
  if (!canAsk(app, input)) throw usage('no service URL given', 'pass --url');
  const { profile: _, ...flags } = input;
  const { url } = await withRemotes(app, await settingsOf(app, flags));
  const answer = await app.ask.text(`Base URL of the service${url ? ` (${url.href})` : ''}`);
  return answer.trim() === '' && url ? url.href : answer.trim();
};

const tokenFrom = async (app: App, input: Input, { origin, href }: BaseUrl) => {
  if (input.token !== undefined) return { token: withoutLineEnd(input.token), from: '--token' };
  if (!input.withToken && !canAsk(app, input)) {
    const profile = input.profile === undefined ? '' : ` --profile ${shellWord(input.profile)}`;
    throw usage('no token given, and prompting is not possible',
      `pipe it to \`colloquy auth login --url ${shellWord(href)}${profile} --with-token\``);
  }
  if (!input.withToken) await say(app, input, `create a token at ${href}/-/user_settings/personal_access_tokens`);
  const token = input.withToken ? await readText(app, '-')
    : await app.ask.password(`Access token for ${origin} (scope api)`);
  if (token.trim() === '') {
    throw new Problem('unauthenticated', 'no token given',
      'create one with scope api in the settings of the user, project or group');
  }
  return { token: token.trim(), from: input.withToken ? 'standard input' : 'the prompt' };
};

/** The keyring may prompt the user to unlock it, so it is used outside the lock of the profile file. */
const saveLogin = async (
  app: App, input: Input, name: string, url: BaseUrl,
  { token, tokenType }: Pick<SentToken, 'token'> & Partial<SentToken>,
): Promise<{ readonly kept: StoredToken; readonly before: Profile }> => {
  const kept = input.insecureStorage ? { entry: { token }, reason: null }
    : await storeToken(app, name, url.href, token);
  const change = {
    ...withoutToken, ...kept.entry, ...certificatesFrom(app, input), url: url.href, 'token-type': tokenType,
  };
  const { profiles } = await app.profiles.change((all) =>
    ({ ...withProfile(all, name, change), current: isInUse(all.profiles[all.current]) ? all.current : name }));
  const before = profiles[name] ?? {};
  const isMoved = kept.entry.token !== undefined || profileAddress(name, before)?.origin !== url.origin;
  if (isMoved) await removeToken(app, name, before);
  return { kept, before };
};

const isInUse = (profile: Profile = {}): boolean => profile.url !== undefined || hasToken(profile);

const certificatesFrom = (app: App, { caCert, clientCert, clientKey }: Input): Profile =>
  Object.fromEntries(([['ca-cert', caCert], ['client-cert', clientCert], ['client-key', clientKey]] as const)
    .flatMap(([key, path]) => path === undefined ? [] : [[key, absoluteIfPath(app, key, path)]]));

const storageMessage = (app: App, name: string, { entry, reason }: StoredToken): string => {
  const place = `the token of profile ${name} is stored in ${storageOf(app, entry)}`;
  return reason === null ? place : `no system keyring is available, so ${place}`;
};
