import { isDeepStrictEqual } from 'node:util';
import { plainLine } from '../../../text/plain.js';
import { isParams } from '../../../wire/http.js';
import { createMask, secretLines } from '../../../wire/secrets/known.js';
import { mentionsSecret } from '../../../wire/secrets/names.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from './messages.js';

/** `PWD` alone is the working directory. */
const secretPart = /(^|_)(AUTH|CREDS?|JWT|PASS|PASSCODE|PAT)(_|$)|_PWD(_|$)|^PWD_/i;

const isSecretVariable = (name: string): boolean => mentionsSecret(name) || /KEY/i.test(name) || secretPart.test(name);

/** Shorter values occur in other words too. */
const shortest = 8;

/** @returns also which of the names are not set, or too short to be recognized */
export const secretsIn = ({ env, secrets }: App, names: readonly string[]) => {
  const found = Object.entries(env).filter(([name]) => isSecretVariable(name) || names.includes(name));
  const values = [...found.map(([, value = '']) => value), ...secrets];
  const unusable = names.filter((name) => secretLines(env[name] ?? '', shortest).length === 0);
  return { mask: createMask(values, { shortest, mark: '[masked]' }), unusable };
};

type Change = (text: string) => string;

/**
 * For the texts that a program or a file gives. @param path `-` for standard input @param maskIn masks only what is
 * published: without their secrets, references and paths mean something else
 */
export const withoutSecrets = async <T>(
  app: App, flags: GlobalFlags, given: T, path: string, maskIn: (given: T, mask: Change) => T = mapTexts,
): Promise<T> => {
  const masked = maskIn(given, secretsIn(app, []).mask);
  if (!isDeepStrictEqual(masked, given)) await sayMasked(app, flags, path);
  return masked;
};

export const sayMasked = (app: App, flags: GlobalFlags, path: string): Promise<void> => say(app, flags,
  plainLine(`masked the values of secret variables in ${path === '-' ? 'standard input' : path}`));

const mapTexts = <T>(given: T, change: Change): T => {
  if (typeof given === 'string') return change(given) as T;
  if (Array.isArray(given)) return given.map((one: unknown) => mapTexts(one, change)) as T;
  if (!isParams(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, mapTexts(value, change)])) as T;
};
