import type { App } from '../app.js';

const secretName = /TOKEN|SECRET|PASSWORD|KEY/i;

/** Shorter values occur in other words too. */
const shortest = 8;

/** The texts that a report must not show, and the names of `--redact` that have none. */
export interface Secrets {
  readonly values: readonly string[];
  /** Names whose variable is not set, or has a value that is too short to be recognized. */
  readonly unusable: readonly string[];
}

/** Finds the secrets in the environment, by the names of the variables. @param names further variables */
export const secretsIn = ({ env, secrets }: App, names: readonly string[]): Secrets => {
  const found = Object.entries(env).filter(([name]) => secretName.test(name) || names.includes(name));
  const values = [...found.map(([, value = '']) => value), ...secrets].flatMap(linesOf);
  return {
    values: [...new Set(values)].toSorted((one, other) => other.length - one.length),
    unusable: names.filter((name) => linesOf(env[name] ?? '').length === 0),
  };
};

/** Output is searched line by line, so each line of a value counts by itself, as in private keys. */
const linesOf = (value: string): string[] =>
  value.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => line.length >= shortest);

/** Replaces every secret in a text. @param values the longest first, because a value may contain another */
export const masked = (text: string, values: readonly string[]): string =>
  values.reduce((rest, value) => rest.replaceAll(value, '[masked]'), text);
