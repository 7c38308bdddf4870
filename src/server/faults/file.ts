import { isObject } from '../../wire/json.js';
import { parseJson, YamlError } from '../../yaml/limits.js';
import { didYouMean } from '../world-file/problem.js';
import { FaultError } from './error.js';
import type { FaultRule } from './rule.js';

/** A file of fault rules, in JSON or YAML: the body of `PUT /-/faults`. */
export interface GivenFaults {
  /** Objects, or strings such as `* => status 500 p=0.3`; the first rule that applies decides. */
  readonly rules: readonly (string | FaultRule)[];
  /** Decides which requests rules with a probability apply to. */
  readonly seed?: number;
}

/**
 * Reads the rules of a file, which `faults` of a server then sets.
 * @param source the name of the text in errors
 * @throws FaultError
 */
export const faultsFrom = async (text: string, source: string): Promise<GivenFaults> => {
  const value = parseJson(text) ?? await parseYaml(text, source);
  const { rules, seed, ...others } = isObject(value) ? value : {};
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, ['rules', 'seed']) ?? form;
    throw new FaultError(`${source}: unknown key ${JSON.stringify(unknown)}`, hint);
  }
  if (!Array.isArray(rules)) throw new FaultError(`${source}: no list of fault rules`, form);
  if (seed === undefined) return { rules };
  if (isSeed(seed)) return { rules, seed };
  throw new FaultError(`${source}: invalid seed ${JSON.stringify(seed)}`, 'use a whole number from 0');
};

const form = 'use {"seed":7,"rules":[{"on":…,"do":…}]}, in JSON or YAML';

const isSeed = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const parseYaml = async (text: string, source: string): Promise<unknown> => {
  const { readYaml } = await import('../../yaml/read.js');
  try {
    return readYaml(text).value();
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new FaultError(`${source}:${error.place.line}: ${error.message}`, error.hint);
  }
};
