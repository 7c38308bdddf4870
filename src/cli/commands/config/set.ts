import { Argument, InvalidArgumentError } from 'commander';
import { profileKeys, type App, type Profile, type ProfileKey } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { defineCommand, handler } from '../../command-line/command.js';
import { milliseconds, wholeNumber, type GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { removeToken, withoutToken } from '../../service/settings/settings.js';
import { absoluteIfPath, hasToken, isDryRun, selectedProfile, withProfile } from '../../service/settings/profiles.js';
import { address, profileAddress, readTokenType, type Found } from '../../service/settings/sources.js';

export const configSetCommand = (app: App) =>
  defineCommand('set', 'Change one setting of a profile',
    ['config set project acme/app', 'config set url https://gitlab.example.com --profile work'])
    .addArgument(keyArgument())
    .argument('<value>', 'new value')
    .action(handler<object>((flags, key: string, value: string) => configSet(app, flags, key as ProfileKey, value)));

const configSet = async (app: App, input: GlobalFlags, key: ProfileKey, given: string): Promise<void> => {
  checkValue(key, given);
  const value = absoluteIfPath(app, key, given);
  const { name } = await selectedProfile(app, input);
  if (await isDryRun(app, input, `set ${key} in profile ${name}`)) return;
  const former = await changeSetting(app, name, key, value);
  await say(app, input, `set ${key} in profile ${name}`);
  if (former === null) return;
  await removeToken(app, name, former);
  await say(app, input, `removed its token for ${former.url}; run \`colloquy auth login\` to store a new one`);
};

/** @returns the profile before if its token is removed: it is only valid for the origin it was stored for */
const changeSetting = async (
  app: App, name: string, key: ProfileKey, value: string | undefined,
): Promise<Profile | null> => {
  const isElsewhere = (profile: Profile) =>
    value === undefined || profileAddress(name, profile)?.origin !== address(urlFrom(value))?.origin;
  const losesToken = (profile: Profile = {}) => key === 'url' && hasToken(profile) && isElsewhere(profile);
  const { profiles: { [name]: former = {} } } = await app.profiles.change((all) =>
    withProfile(all, name, { [key]: value, ...(losesToken(all.profiles[name]) && withoutToken) }));
  return losesToken(former) ? former : null;
};

const urlFrom = (value: string): Found => ({ value, from: 'url' });

export const configUnsetCommand = (app: App) =>
  defineCommand('unset', 'Remove one setting of a profile',
    ['config unset project', 'config unset group --profile work'])
    .addArgument(keyArgument())
    .action(handler<object>((flags, key: string) => configUnset(app, flags, key as ProfileKey)));

/** Without a URL in the profile, its token belongs to no service and is removed too. */
const configUnset = async (app: App, input: GlobalFlags, key: ProfileKey): Promise<void> => {
  const { name, profile } = await selectedProfile(app, input);
  const isThere = profile[key] !== undefined || (key === 'url' && hasToken(profile));
  if (!isThere) return say(app, input, `${key} is not set in profile ${name}`);
  if (await isDryRun(app, input, `remove ${key} from profile ${name}`)) return;
  const former = await changeSetting(app, name, key, undefined);
  if (former) await removeToken(app, name, former);
  await say(app, input, `removed ${key}${former ? ' and its token' : ''} from profile ${name}`);
};

export const keyArgument = (): Argument =>
  new Argument('<key>', 'name of the setting').choices([...profileKeys]).argParser(parseKey);

const parseKey = (text: string): string => {
  const known = profileKeys.find((key) => key === text.replaceAll('_', '-'));
  if (known !== undefined) return known;
  throw new InvalidArgumentError(text === 'token'
    ? 'use `colloquy auth login` to store a token, `colloquy auth token` to print it'
    : `choose one of: ${profileKeys.join(', ')}`);
};

/** Rejects a value that no command could use. @throws Problem */
const checkValue = (key: ProfileKey, value: string): void => {
  if (value === '') throw usage(`${key} is empty`, `remove it with \`colloquy config unset ${key}\``);
  if (key === 'url') address(urlFrom(value));
  if (key === 'token-type') readTokenType({ value, from: key });
  if (key === 'timeout') milliseconds(value, key);
  if (key === 'retries') wholeNumber(value, key);
};
