import { HintedError } from '../../text/messages.js';
import type { HttpResponse } from '../../wire/http.js';
import { isObject } from '../../wire/json.js';
import { parseJsonObject } from '../../yaml/limits.js';
import { didYouMean } from '../world-file/problem.js';

/** The state of the service was replaced while a fault was waiting. */
export class FaultStopped extends Error { override readonly name = 'FaultStopped'; }

export const closed: HttpResponse = { status: 0, headers: {}, body: '', delivery: { kind: 'reset' } };

export const closedIfStopped = (error: unknown): HttpResponse => {
  if (error instanceof FaultStopped) return closed;
  throw error;
};

/** A fault rule that cannot be used. The message names the rule and the part of it. */
export class FaultError extends HintedError { override readonly name = 'FaultError'; }

export const shownValue = (value: unknown): string => {
  if (Number.isNaN(value)) return 'that is not a number';
  const json = JSON.stringify(value);
  return json.length > longestShown ? `${json.slice(0, longestShown)}…` : json;
};

const longestShown = 200;

/** A fault: which requests it concerns, and what happens to them. */
export interface FaultRule {
  /** An operation (`discussions.*.create`), a method and a path (`GET /user`), or `*`. */
  readonly on: string;
  /** The fault, such as `status 500 after`. */
  readonly do: string;
  /** How likely it is applied; default 1. */
  readonly probability?: number;
  /** The most requests it is applied to. */
  readonly times?: number;
  /** How many matching requests it leaves alone first. */
  readonly skip?: number;
  /** The username of the caller. */
  readonly user?: string;
  /** A header that the request has, or `name: text` for one that contains a text. */
  readonly header?: string;
  /** A text that the body contains. */
  readonly body?: string;
}

/** A file of fault rules, in JSON or YAML: the body of `PUT /-/faults`. */
export interface GivenFaults {
  /** Objects, or strings such as `* => status 500 p=0.3`; the first rule that applies decides. */
  readonly rules: readonly (string | FaultRule)[];
  /** Decides which requests rules with a probability apply to. */
  readonly seed?: number;
}

/** Of `{ rules, seed }`, or of the list of rules alone. @throws FaultError */
export const faultsFrom = async (text: string, source: string): Promise<GivenFaults> => {
  const value = parseJsonObject(text) ?? await parseYaml(text, source);
  const { rules, seed, ...others } = isObject(value) ? value : { rules: value };
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

export const isSeed = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const parseYaml = async (text: string, source: string): Promise<unknown> => {
  const { readYamlOr } = await import('../../yaml/read.js');
  return readYamlOr(text, ({ place, message, hint }) => new FaultError(`${source}:${place.line}: ${message}`, hint))
    .value();
};
