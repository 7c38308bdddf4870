import type { FactId } from '../contract/behavior/behavior.js';
import type { NoteableKind } from '../contract/conventions.js';
import type { Dialect } from '../contract/endpoint.js';

/** A request of a check, below the prefix of the API. `token` is that of the caller if omitted, and null for none. */
export interface Sent {
  readonly query?: string;
  readonly json?: unknown;
  readonly form?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string | null;
  /** Below the address of the service itself. */
  readonly isOutsideApi?: boolean;
  readonly isCleanUp?: boolean;
}

export interface Got {
  readonly request: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: unknown;
}

export type ObjectName = 'project' | 'group' | 'parent' | NoteableKind;

/** The paths of the objects that checks look at, and of those that they may write to. */
export type Objects = Readonly<Record<ObjectName, string | null>>;

export interface Probe {
  readonly dialect: Dialect;
  readonly objects: Objects;
  /** Why an object that was named cannot be looked at. */
  readonly unreachable?: Partial<Record<ObjectName, string>>;
  readonly call: (method: string, path: string, sent?: Sent) => Promise<Got>;
}

/** How much a difference matters to clients: they ignore added keys, miss missing ones, and break at another type. */
export type Severity = 'info' | 'warning' | 'error';

/** In which way a response deviates, for a server that imitates it. */
type Deviation =
  /** `when` is the expected value, any if undefined; without `value` the header is missing. */
  | { readonly kind: 'header'; readonly header: string; readonly when?: string; readonly value?: string }
  | { readonly kind: 'status'; readonly statuses: readonly number[] }
  | { readonly kind: 'error'; readonly status: number; readonly key: 'error' | 'message'; readonly text: string }
  | { readonly kind: 'keys'; readonly objects: readonly MissingKeys[] };

/** The keys that an object should have, and those of them that it lacks. */
interface MissingKeys { readonly keys: readonly string[]; readonly missing: readonly string[] }

/** Thrown by functions that compare a response, or send a request that must succeed or fail. */
export class Difference extends Error {
  override readonly name = 'Difference';
  /** The response and in which way it deviates, where that is known. */
  readonly got: Got | null = null;
  readonly deviation: Deviation | null = null;
  constructor(
    readonly request: string, readonly expected: string, readonly actual: string, readonly severity: Severity = 'error',
    found: { readonly got: Got; readonly deviation: Deviation } | null = null,
  ) {
    super(`${request}: expected ${expected}, got ${actual}`);
    if (found !== null) Object.assign(this, found);
  }
}

/** Thrown where an object, a right or a state that a check needs is missing. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

/**
 * What a check may change: nothing, notes that it deletes again, the appearance, or links of epics, for which it makes
 * epics that nothing can delete. Requests that the service has to reject may change something too, where it does not.
 */
export type Effect = 'none' | 'notes' | 'appearance' | 'epics';

export interface Check {
  readonly effect: Effect;
  readonly run: (probe: Probe) => Promise<void>;
}

export type Checks = Readonly<Partial<Record<FactId, Check>>>;

export const reading = (run: Check['run']): Check => ({ effect: 'none', run });
export const linkingEpics = (run: Check['run']): Check => ({ effect: 'epics', run });

export const observing = (
  call: Probe['call'], see: (got: Got, method: string, path: string, sent?: Sent) => void,
): Probe['call'] => async (method, path, sent) => {
  const got = await call(method, path, sent);
  see(got, method, path, sent);
  return got;
};

/** The notes that requests of the check create are deleted when it ends, even by a failure. */
export const writingNotes = (run: Check['run']): Check => ({
  effect: 'notes',
  run: async (probe) => {
    const created = new Set<string>();
    const call = observing(probe.call, (got, method, path) => {
      if (method === 'POST') notesCreated(path, got).forEach((note) => created.add(note));
      if (method === 'DELETE' && got.status === 204) created.delete(path);
    });
    try {
      await run({ ...probe, call });
    } finally {
      await deleteNotes(probe, created);
    }
  },
});

const notesCreated = (path: string, { status, json }: Got): string[] => {
  if (status >= 300 || typeof json !== 'object' || json === null) return [];
  const { id, notes } = json as { readonly id?: unknown; readonly notes?: unknown };
  if (id === undefined) return [];
  if (/\/(draft_)?notes$/.test(path)) return [`${path}/${String(id)}`];
  if (!Array.isArray(notes)) return [];
  return notes.map((note: { readonly id?: unknown } | null) => `${path}/${String(id)}/notes/${String(note?.id)}`);
};

const deleteNotes = async ({ call }: Probe, paths: Iterable<string>): Promise<void> => {
  for (const path of paths) {
    const { request, status } = await call('DELETE', path, { isCleanUp: true });
    const remains = status >= 400 && status !== 404;
    if (remains) throw new Difference(request, 'the deletion of a note of the check', `status ${status}`);
  }
};

/** The path of an object. @throws Skipped if there is none to look at */
export const objectPath = ({ objects, unreachable }: Probe, name: ObjectName): string => {
  const path = objects[name];
  const reason = unreachable?.[name];
  if (path === null && reason !== undefined) throw new Skipped(reason);
  const noun = name === 'parent' ? 'epic' : name.replace('_', ' ');
  if (path === null) throw new Skipped(`no ${noun} to check it on: name one`);
  return path;
};

const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
};

/** Compares values as JSON. @param what `Name:` for the value of a header */
export const same = (got: Got, what: string, actual: unknown, expected: unknown, severity?: Severity): void => {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  const header = /^([\w-]+):$/.exec(what)?.[1];
  const when = typeof expected === 'string' ? { when: expected } : {};
  const value = typeof actual === 'string' ? { value: actual } : {};
  const deviation: Deviation | null =
    header === undefined ? null : { kind: 'header', header: header.toLowerCase(), ...when, ...value };
  throw new Difference(got.request, `${what} ${shown(expected)}`, shown(actual),
    severity ?? severityOf(what, actual, expected), deviation && { got, deviation });
};

/** A key or header that is missing is a warning, and an added one information. */
const severityOf = (what: string, actual: unknown, expected: unknown): Severity | undefined => {
  if (!/^(`\w+`|[\w-]+:)$/.test(what)) return undefined;
  return actual === undefined ? 'warning' : expected === undefined ? 'info' : undefined;
};

export const holds = (
  got: Got, what: string, isTrue: boolean, actual: unknown, severity?: Severity, deviation: Deviation | null = null,
): void => {
  if (isTrue) return;
  throw new Difference(got.request, what, shown(actual), severity ?? severityOf(what, actual, true),
    deviation && { got, deviation });
};

export const hasHeader = (got: Got, name: string): void =>
  holds(got, `the header ${name}`, got.headers[name.toLowerCase()] !== undefined, undefined, 'warning',
    { kind: 'header', header: name.toLowerCase() });

/** @throws Difference that names all of them that are missing */
export const hasAllHeaders = (got: Got, names: readonly string[]): void =>
  same(got, 'the missing headers', names.filter((name) => got.headers[name] === undefined), [], 'warning');

export const hasStatus = (got: Got, ...expected: readonly number[]): Got => {
  const deviation = { kind: 'status', statuses: expected } as const;
  holds(got, statusText(expected), expected.includes(got.status), got.status, undefined, deviation);
  return got;
};

const statusText = (statuses: readonly number[]): string => `status ${statuses.join(' or ')}`;

export type Rejection = readonly [status: number, key: 'error' | 'message', text: string | RegExp];

/** An error with a text under one key; the text may be a pattern. */
export const hasError = (got: Got, ...[status, key, text]: Rejection): void => {
  const isText = typeof text === 'string';
  const deviation: Deviation | null = isText ? { kind: 'error', status, key, text } : null;
  holds(got, statusText([status]), got.status === status, got.status, undefined,
    deviation ?? { kind: 'status', statuses: [status] });
  const value = objectIn(got)[key];
  const fits = typeof value === 'string' && (isText ? value === text : text.test(value));
  holds(got, `${key} ${isText ? shown(text) : String(text)}`, fits, got.json ?? got.text, undefined, deviation);
};

export const rejects = async (
  probe: Probe, method: string, path: string, sent: Sent, ...error: Rejection
): Promise<void> => hasError(await probe.call(method, path, sent), ...error);

export type PathOf = (probe: Probe) => string;

export const pathBelow = (name: ObjectName, rest: string): PathOf => (probe) => objectPath(probe, name) + rest;

export const onResponse = (
  method: string, path: string | PathOf, sent: Sent, look: (got: Got) => unknown,
): Check => (method === 'GET' || method === 'HEAD' ? reading : writingNotes)(async (probe) => {
  look(await probe.call(method, typeof path === 'string' ? path : path(probe), sent));
});

export const onRead = (path: string | PathOf, look: (got: Got) => unknown, query?: string): Check =>
  onResponse('GET', path, query === undefined ? {} : { query }, (got) => look(hasStatus(got, 200)));

export const rejection = (method: string, path: string | PathOf, sent: Sent, ...error: Rejection): Check =>
  onResponse(method, path, sent, (got) => hasError(got, ...error));

export type Values = Readonly<Record<string, unknown>>;

export const recordId = (value: unknown): unknown => (value as { readonly id?: unknown } | null | undefined)?.id;

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

export const isTextOrNull = (got: Got, what: string, value: unknown): void =>
  holds(got, `a text as ${what}, or null`, value === null || typeof value === 'string', value);

export const hasValues = (got: Got, value: Values, expected: Values): void => {
  for (const [key, one] of Object.entries(expected)) same(got, `\`${key}\``, value[key], one);
};

export const objectHas = (got: Got, expected: Values): void => hasValues(got, objectIn(got), expected);

export const sameIn = (got: Got, what: string, key: string, expected: unknown): void =>
  same(got, what, objectIn(got)[key], expected);

export const hasKeys = (got: Got, value: Values, keys: readonly string[]): void => {
  const missing = keys.filter((key) => !(key in value));
  holds(got, `the keys ${keys.join(', ')}`, missing.length === 0, `without ${missing.join(', ')}`, 'warning',
    { kind: 'keys', objects: [{ keys, missing }] });
};

export const hasOnlyKeys = (got: Got, value: Values, keys: readonly string[]): void => {
  hasKeys(got, value, keys);
  const added = Object.keys(value).filter((key) => !keys.includes(key));
  holds(got, `no keys besides ${keys.join(', ')}`, added.length === 0, `also ${added.join(', ')}`, 'info');
};

/** What is read alone has the content that it has in a list. */
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

const isKeyed = (value: unknown): value is Values => typeof value === 'object' && value !== null;

/** The first item, or the first that fits. @throws Skipped if there is none */
export const firstWith = <T>(items: readonly T[], what: string, fits: (item: T) => boolean = () => true): T => {
  const found = items.find(fits);
  if (found === undefined) throw new Skipped(`there is no ${what} to look at`);
  return found;
};

export const read = async (probe: Probe, path: string, query?: string): Promise<Got> =>
  hasStatus(await probe.call('GET', path, query === undefined ? {} : { query }), 200);

export const put = async (probe: Probe, path: string, json: unknown): Promise<Got> =>
  hasStatus(await probe.call('PUT', path, { json }), 200);
