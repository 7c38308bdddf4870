import { Argument, InvalidArgumentError, type Command } from 'commander';
import { profileKeys, type App, type Profile, type ProfileKey } from '../../app.js';
import { usage } from '../../errors/failure.js';
import { acting, verb } from '../../flags/command.js';
import { milliseconds, wholeNumber, type GlobalFlags } from '../../flags/global.js';
import { say } from '../../io/messages.js';
import { removeToken, withoutToken } from '../../settings/credential.js';
import { chosenProfile, hasToken, isDryRun, withProfile } from '../../settings/profiles.js';
import { address } from '../../settings/settings.js';

export const configSetCommand = (app: App): Command =>
  verb('set', 'change one setting of a profile',
    ['config set project acme/app', 'config set url https://gitlab.example.com --profile work'])
    .addArgument(keyArgument())
    .argument('<value>', 'new value')
    .action(acting<object>((flags, key: string, value: string) => configSet(app, flags, key as ProfileKey, value)));

const configSet = async (app: App, input: GlobalFlags, key: ProfileKey, value: string): Promise<void> => {
  checkValue(key, value);
  const { name } = await chosenProfile(app, input);
  if (await isDryRun(app, input, `set ${key} in profile ${name}`)) return;
  const losesToken = (profile: Profile) => key === 'url' && hasToken(profile) && isElsewhere(profile, value);
  const { profiles } = await app.profiles.change((all) =>
    withProfile(all, name, { [key]: value, ...(losesToken(all.profiles[name] ?? {}) && withoutToken) }));
  await say(app, input, `set ${key} in profile ${name}`);
  const before = profiles[name] ?? {};
  if (!losesToken(before)) return;
  await removeToken(app, name, before);
  await say(app, input, `its token was for ${before.url} and is removed; \`colloquy auth login\` stores a new one`);
};

/** A token stays with the origin it was made for. */
const isElsewhere = ({ url }: Profile, value: string): boolean => address(url)?.origin !== address(value)?.origin;

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
  if (await isDryRun(app, input, `remove ${key} from profile ${name}`)) return;
  const { profiles } = await app.profiles.change((all) =>
    withProfile(all, name, { [key]: undefined, ...(losesToken(all.profiles[name] ?? {}) && withoutToken) }));
  const before = profiles[name] ?? {};
  const isTokenLost = losesToken(before);
  if (isTokenLost) await removeToken(app, name, before);
  await say(app, input, `removed ${key}${isTokenLost ? ' and the token for it' : ''} from profile ${name}`);
};

/** The name of a setting. */
export const keyArgument = (): Argument =>
  new Argument('<key>', 'name of the setting').choices([...profileKeys]).argParser(known);

const known = (text: string): string => {
  if (profileKeys.some((key) => key === text)) return text;
  throw new InvalidArgumentError(text === 'token'
    ? '`colloquy auth login` keeps a token, `colloquy auth token` prints it' : `choices: ${profileKeys.join(', ')}`);
};

/** Refuses a value that no command could use later. @throws Problem */
export const checkValue = (key: ProfileKey, value: string): void => {
  if (value === '') throw usage(`${key} is empty`, `\`colloquy config unset ${key}\` removes it`);
  if (key === 'url') address(value);
  if (key === 'timeout') milliseconds(value, key);
  if (key === 'retries') wholeNumber(value, key);
};
