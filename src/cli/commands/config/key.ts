import { Argument, InvalidArgumentError } from 'commander';
import { usage } from '../../failures.js';
import { milliseconds, wholeNumber } from '../../flags/numbers.js';
import { profileKeys, type ProfileKey } from '../../settings/profiles.js';
import { address } from '../../settings/address.js';

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
