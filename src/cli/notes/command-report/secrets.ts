import { mentionsSecret } from '../../../wire/redact.js';
import { linesOf, maskOf, type Mask } from '../../../wire/secret-forms.js';
import type { App } from '../../app.js';

/** Words that name a secret as a whole part of a name. `PWD` alone is the working directory. */
const secretPart = /(^|_)(AUTH|CREDS?|JWT|PASS|PASSCODE|PAT)(_|$)|_PWD(_|$)|^PWD_/i;

/** Whether a variable with this name contains a secret. */
const isSecretVariable = (name: string): boolean => mentionsSecret(name) || /KEY/i.test(name) || secretPart.test(name);

/** Shorter values occur in other words too. */
const shortest = 8;

/** What a report must not show, and the names of `--redact` that have no value to mask. */
interface Secrets {
  readonly mask: Mask;
  /** Names whose variable is not set, or has a value that is too short to be recognized. */
  readonly unusable: readonly string[];
}

/** Finds the secrets in the environment, by the names of the variables. @param names further variables */
export const secretsIn = ({ env, secrets }: App, names: readonly string[]): Secrets => {
  const found = Object.entries(env).filter(([name]) => isSecretVariable(name) || names.includes(name));
  const values = [...found.map(([, value = '']) => value), ...secrets];
  return {
    mask: maskOf(values, { shortest, mark: '[masked]' }),
    unusable: names.filter((name) => linesOf(env[name] ?? '', shortest).length === 0),
  };
};
