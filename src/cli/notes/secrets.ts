import { plainLine } from '../../text/plain.js';
import { createMask, secretLines } from '../../wire/secrets/known.js';
import { mentionsSecret } from '../../wire/secrets/names.js';
import type { App } from '../app.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { say } from '../terminal/io/messages.js';

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

/** For a text that a program or a file gives. */
export const withoutSecrets = async (app: App, flags: GlobalFlags, text: string, name: string): Promise<string> => {
  const masked = secretsIn(app, []).mask(text);
  if (masked !== text) await say(app, flags, plainLine(`masked the values of secret variables in ${name}`));
  return masked;
};
