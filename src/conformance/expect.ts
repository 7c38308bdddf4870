import { Difference, Skipped, type Deviation, type Got, type Probe, type Severity } from './check.js';

const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
};

/** Compares values as JSON. @param what `Name:` for the value of a header @throws Difference */
export const same = (got: Got, what: string, actual: unknown, expected: unknown, severity?: Severity): void => {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  const header = /^([\w-]+):$/.exec(what)?.[1];
  const when = typeof expected === 'string' ? { when: expected } : {};
  const value = typeof actual === 'string' ? { value: actual } : {};
  throw difference(got, `${what} ${shown(expected)}`, actual, severity ?? severityOf(what, actual, expected),
    header === undefined ? null : { kind: 'header', header: header.toLowerCase(), ...when, ...value });
};

/** A key or header that is missing is a warning, and an added one information. */
const severityOf = (what: string, actual: unknown, expected: unknown): Severity | undefined => {
  if (!/^(`\w+`|[\w-]+:)$/.test(what)) return undefined;
  return actual === undefined ? 'warning' : expected === undefined ? 'info' : undefined;
};

const difference = (
  got: Got, expected: string, actual: unknown, severity: Severity | undefined, deviation: Deviation | null,
): Difference => new Difference(got.request, expected, shown(actual), severity, deviation && { got, deviation });

/** @throws Difference */
export const holds = (
  got: Got, what: string, isTrue: boolean, actual: unknown, severity?: Severity, deviation: Deviation | null = null,
): void => {
  if (!isTrue) throw difference(got, what, actual, severity ?? severityOf(what, actual, true), deviation);
};

/** @throws Difference */
export const hasHeader = (got: Got, name: string): void =>
  holds(got, `the header ${name}`, got.headers[name.toLowerCase()] !== undefined, undefined, 'warning',
    { kind: 'header', header: name.toLowerCase() });

/** @throws Difference */
export const hasStatus = (got: Got, ...expected: readonly number[]): Got => {
  const deviation = { kind: 'status', statuses: expected } as const;
  holds(got, statusText(expected), expected.includes(got.status), got.status, undefined, deviation);
  return got;
};

const statusText = (statuses: readonly number[]): string => `status ${statuses.join(' or ')}`;

type ErrorKey = 'error' | 'message';

/** An error with a text under one key; the text may be a pattern. @throws Difference */
export const hasError = (got: Got, status: number, key: ErrorKey, text: string | RegExp): void => {
  const deviation: Deviation = typeof text === 'string' ? { kind: 'error', status, key, text }
    : { kind: 'status', statuses: [status] };
  holds(got, statusText([status]), got.status === status, got.status, undefined, deviation);
  const value = objectIn(got)[key];
  const fits = typeof value === 'string' && (typeof text === 'string' ? value === text : text.test(value));
  const isText = typeof text === 'string';
  holds(got, `${key} ${isText ? shown(text) : String(text)}`, fits, got.json ?? got.text, undefined,
    isText ? deviation : null);
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

/** @throws Difference if one of the keys is missing */
export const hasKeys = (got: Got, value: Values, keys: readonly string[]): void => {
  const missing = keys.filter((key) => !(key in value));
  holds(got, `the keys ${keys.join(', ')}`, missing.length === 0, `without ${missing.join(', ')}`, 'warning',
    { kind: 'keys', objects: [{ keys, missing }] });
};

/** The keys of an object and no others. @throws Difference */
export const hasOnlyKeys = (got: Got, value: Values, keys: readonly string[]): void => {
  hasKeys(got, value, keys);
  const added = Object.keys(value).filter((key) => !keys.includes(key));
  holds(got, `no keys besides ${keys.join(', ')}`, added.length === 0, `also ${added.join(', ')}`, 'info');
};

/** What is read alone has the content that it has in a list. @throws Difference */
export const isEqual = (alone: Got, list: Got, expected: unknown): void => {
  const [key, actual, other] = firstDifference('', alone.json, expected) ?? [null];
  if (key !== null) same(alone, `${key || 'the object'} as in ${list.request}:`, actual, other);
};

type Unequal = readonly [path: string, actual: unknown, expected: unknown];

/** Null for the same values of the keys that both have; facts about shapes find the others. */
const firstDifference = (path: string, actual: unknown, expected: unknown): Unequal | null => {
  if (!isKeyed(actual) || !isKeyed(expected)) {
    return JSON.stringify(actual) === JSON.stringify(expected) ? null : [path, actual, expected];
  }
  const [length, other] = [actual, expected].map((one) => Array.isArray(one) ? one.length : undefined);
  if (length !== other) return [path, actual, expected];
  for (const key of Object.keys(expected).filter((one) => Object.hasOwn(actual, one))) {
    const found = firstDifference(path === '' ? key : `${path}.${key}`, actual[key], expected[key]);
    if (found) return found;
  }
  return null;
};

const isKeyed = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The first item that fits. @throws Skipped if there is none */
export const firstWith = <T>(items: readonly T[], what: string, fits: (item: T) => boolean): T => {
  const found = items.find(fits);
  if (found === undefined) throw new Skipped(`there is no ${what} to look at`);
  return found;
};

/** A GET that must succeed. @throws Difference */
export const read = async (probe: Probe, path: string, query?: string): Promise<Got> =>
  hasStatus(await probe.call('GET', path, query === undefined ? {} : { query }), 200);
