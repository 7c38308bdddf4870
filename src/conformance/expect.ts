import { Difference, Skipped, type Got, type Probe, type Severity } from './check.js';

const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
};

/** Compares values as JSON. @throws Difference */
export const same = (got: Got, what: string, actual: unknown, expected: unknown, severity?: Severity): void => {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  throw new Difference(got.request, `${what} ${shown(expected)}`, shown(actual), severity);
};

/** @throws Difference */
export const holds = (got: Got, what: string, isTrue: boolean, actual: unknown, severity?: Severity): void => {
  if (!isTrue) throw new Difference(got.request, what, shown(actual), severity);
};

/** @throws Difference */
export const hasStatus = (got: Got, ...expected: readonly number[]): Got => {
  holds(got, `status ${expected.join(' or ')}`, expected.includes(got.status), got.status);
  return got;
};

type ErrorKey = 'error' | 'message';

/** An error with a text under one key; the text may be a pattern. @throws Difference */
export const hasError = (got: Got, status: number, key: ErrorKey, text: string | RegExp): void => {
  hasStatus(got, status);
  const value = objectIn(got)[key];
  const fits = typeof value === 'string' && (typeof text === 'string' ? value === text : text.test(value));
  holds(got, `${key} ${typeof text === 'string' ? shown(text) : String(text)}`, fits, got.json ?? got.text);
};

type Values = Readonly<Record<string, unknown>>;

/** @throws Difference if the body is not a JSON object */
export const objectIn = (got: Got): Values => {
  const { json } = got;
  holds(got, 'an object of JSON', typeof json === 'object' && json !== null && !Array.isArray(json), json ?? got.text);
  return json as Values;
};

/** @throws Difference if the body is not a JSON list of objects */
export const listIn = (got: Got): readonly Values[] => {
  hasStatus(got, 200);
  const isList = Array.isArray(got.json) && got.json.every((item) => typeof item === 'object' && item !== null);
  holds(got, 'a list of JSON objects', isList, got.json ?? got.text);
  return got.json as readonly Values[];
};

/** @throws Difference if the value is neither a text nor null */
export const isTextOrNull = (got: Got, what: string, value: unknown): void =>
  holds(got, `a text as ${what}, or null`, value === null || typeof value === 'string', value);

/** The keys of an object: missing ones are a warning, added ones worth knowing. @throws Difference */
export const hasKeys = (got: Got, value: Values, keys: readonly string[], severity: Severity = 'warning'): void => {
  const missing = keys.filter((key) => !(key in value));
  holds(got, `the keys ${keys.join(', ')}`, missing.length === 0, `without ${missing.join(', ')}`, severity);
};

/** The keys of an object and no others. @throws Difference */
export const hasOnlyKeys = (got: Got, value: Values, keys: readonly string[]): void => {
  hasKeys(got, value, keys);
  const added = Object.keys(value).filter((key) => !keys.includes(key));
  holds(got, `no keys besides ${keys.join(', ')}`, added.length === 0, `also ${added.join(', ')}`, 'info');
};

/** The first item that fits. @throws Skipped if there is none */
export const firstWith = <T>(items: readonly T[], what: string, fits: (item: T) => boolean): T => {
  const found = items.find(fits);
  if (found === undefined) throw new Skipped(`there is no ${what} to look at`);
  return found;
};

/** A GET that must succeed. @throws Difference */
export const read = async (probe: Probe, path: string, query?: string): Promise<Got> =>
  hasStatus(await probe.call('GET', path, query === undefined ? {} : { query }), 200);
