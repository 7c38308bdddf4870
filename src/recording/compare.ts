import { isUtf8 } from 'node:buffer';
import { mediaType } from '../wire/http.js';
import { isObject, jsonOrNull } from '../wire/json.js';
import { recordedBytes, type RecordedExchange } from './exchange.js';
import { createReplay } from './replay.js';

/** How a later response to the same request differs. */
export interface RecordedDifference {
  /** `info`: clients ignore it. */
  readonly level: 'info' | 'warning' | 'error';
  /** `METHOD /path?query`. */
  readonly request: string;
  /** `status`, `content-type`, or a place in JSON: `[].author.name`. */
  readonly place: string;
  readonly before: string;
  readonly after: string;
}

type Response = RecordedExchange['response'];
type Found = Omit<RecordedDifference, 'request'>;

/**
 * Statuses, fields and types of the responses to the same requests; of values only those that say what something is. A
 * body that cannot be read is never equal. Each difference of a request once.
 */
export const compareRecordings = (
  before: readonly RecordedExchange[], after: readonly RecordedExchange[],
): RecordedDifference[] => {
  const found = new Map<string, RecordedDifference>();
  const report = ({ request: { method, target } }: RecordedExchange, differences: readonly Found[]): void => {
    for (const one of differences) {
      const difference = { ...one, request: `${method} ${target}` };
      found.set(JSON.stringify(difference), difference);
    }
  };
  // A replay answers HEAD as GET, but without the body there is less to compare.
  for (const isOfKind of [isHead, (exchange: RecordedExchange) => !isHead(exchange)]) {
    compareAll(before.filter(isOfKind), after.filter(isOfKind), report);
  }
  return [...found.values()];
};

const isHead = ({ request: { method } }: RecordedExchange): boolean => method === 'HEAD';

const compareAll = (
  before: readonly RecordedExchange[], after: readonly RecordedExchange[],
  report: (exchange: RecordedExchange, differences: readonly Found[]) => void,
): void => {
  const [earlier, later] = [createReplay(before), createReplay(after)];
  for (const exchange of before) {
    const response = later.answer(exchange.request);
    report(exchange, response ? compareResponses(exchange.response, response)
      : [{ level: 'warning', place: 'request', before: 'recorded', after: 'missing' }]);
  }
  const repetitions = new Set(later.unused());
  for (const exchange of after) {
    const response = earlier.answer(exchange.request);
    if (repetitions.has(exchange) && response) report(exchange, compareResponses(response, exchange.response));
    if (!response) report(exchange, [{ level: 'info', place: 'request', before: 'missing', after: 'recorded' }]);
  }
};

const compareResponses = (before: Response, after: Response): Found[] => {
  if (before.status !== after.status) {
    return [{ level: 'error', place: 'status', before: String(before.status), after: String(after.status) }];
  }
  const types = [mediaType(before.headers), mediaType(after.headers)] as const;
  if (types[0] !== types[1]) {
    return [{ level: 'error', place: 'content-type', before: types[0] || 'none', after: types[1] || 'none' }];
  }
  return [...missingHeaders(before.headers, after.headers), ...compareBodies(before, after)];
};

/** Clients act on them: without one, a list may end after its first page. */
const missingHeaders = (before: Response['headers'], after: Response['headers']): Found[] =>
  ['x-next-page', 'x-total', 'location', 'retry-after']
    .filter((name) => Object.hasOwn(before, name) && !Object.hasOwn(after, name))
    .map((place) => ({ level: 'warning', place, before: 'sent', after: 'missing' }));

const compareBodies = (before: Response, after: Response): Found[] => {
  const [one, other] = [responseContent(before), responseContent(after)];
  if (one.json !== undefined && other.json !== undefined) {
    return compareShapes('', listShape([one.json]), listShape([other.json]));
  }
  return one.text === other.text && one.text !== unreadable ? []
    : [{ level: 'error', place: 'body', before: one.text, after: other.text }];
};

const unreadable = 'not JSON';

/** An object or a list is read whatever its type says: there are services that send it as text, or without a type. */
const responseContent = ({ headers, body }: Response): { readonly text: string; readonly json?: unknown } => {
  const bytes = Buffer.from(recordedBytes(body));
  const text = bytes.toString();
  if (text.trim() === '') return { text: 'empty' };
  const isTyped = /[/+]json$/.test(mediaType(headers));
  const json = isUtf8(bytes) ? jsonOrNull(text) : null;
  if (isObject(json) || Array.isArray(json) || (isTyped && (json !== null || text.trim() === 'null'))) {
    return { text: jsonKind(json), json };
  }
  return { text: isTyped ? unreadable : 'content' };
};

interface Shape {
  readonly kinds: ReadonlySet<string>;
  readonly keys: ReadonlyMap<string, Shape>;
  readonly always: ReadonlySet<string>;
  readonly items: Shape | null;
  readonly only: unknown;
}

const listShape = (values: readonly unknown[]): Shape => {
  const objects = values.filter(isObject);
  const items = values.flatMap((value): unknown[] => Array.isArray(value) ? value : []);
  const names = [...new Set(objects.flatMap((value) => Object.keys(value)))];
  return {
    kinds: new Set(values.map(jsonKind)),
    keys: new Map(names.map((key) =>
      [key, listShape(objects.filter((value) => Object.hasOwn(value, key)).map((value) => value[key]))])),
    always: new Set(names.filter((key) => objects.every((value) => Object.hasOwn(value, key)))),
    items: items.length === 0 ? null : listShape(items),
    only: values.length === 1 ? values[0] : null,
  };
};

const jsonKind = (value: unknown): string => value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

/** Their value is the same whenever and by whomever it is asked for. */
const stable = /^(?:type|state|visibility|message|error|error_description|system|resolvable|individual_note|.*_type)$/;

/** @param isField any field but a list can be null, but rarely in all records */
const compareShapes = (place: string, before: Shape, after: Shape, isField = false): Found[] => {
  const mayBeNull = isField && !before.kinds.has('list');
  if ([...after.kinds].some((kind) => !before.kinds.has(kind) && !(mayBeNull && kind === 'null'))) {
    return [{ level: 'error', place: place || 'body', before: kindText(before), after: kindText(after) }];
  }
  if (isField && isOnlyNull(after) && !before.kinds.has('null')) {
    const isOptional = !place.includes('[]') && !before.kinds.has('object') && !before.kinds.has('boolean');
    return isOptional ? [] : [{ level: 'warning', place, before: kindText(before), after: 'null' }];
  }
  const keys = after.kinds.has('object') ? [...new Set([...before.keys.keys(), ...after.keys.keys()])] : [];
  const differences = keys.flatMap((key) => compareKeys(place === '' ? key : `${place}.${key}`, key, before, after));
  return [...differences, ...compareItems(place, before, after)];
};

/** Of fields, texts and numbers may be missing: an issue has no labels any more. */
const compareItems = (list: string, { items }: Shape, after: Shape): Found[] => {
  const place = `${list}[]`;
  if (!items || !after.kinds.has('list')) return [];
  if (after.items) return compareShapes(place, items, after.items);
  const areOptional = list !== '' && !items.kinds.has('object') && !items.kinds.has('list');
  return areOptional ? [] : [{ level: 'warning', place, before: kindText(items), after: 'no item to compare' }];
};

/** A field that all items of a list had is not optional, so one item without it is an error. */
const compareKeys = (place: string, key: string, { keys, always }: Shape, now: Shape): Found[] => {
  const [before, after] = [keys.get(key), now.keys.get(key)];
  if (!before) return [{ level: 'info', place, before: 'missing', after: kindText(after!) }];
  const isRequired = place.includes('[]') && always.has(key);
  if (!after || (isRequired && !now.always.has(key))) {
    const missing = after ? 'missing in some' : 'missing';
    return [{ level: isRequired ? 'error' : 'warning', place, before: kindText(before), after: missing }];
  }
  const isStable = stable.test(key) && !place.includes('[]');
  if (isStable && isScalar(before.only) && isScalar(after.only) && before.only !== after.only) {
    return [{ level: 'warning', place, before: JSON.stringify(before.only), after: JSON.stringify(after.only) }];
  }
  return isOnlyNull(before) ? [] : compareShapes(place, before, after, true);
};

const isOnlyNull = ({ kinds }: Shape): boolean => kinds.size === 1 && kinds.has('null');

const isScalar = (value: unknown): boolean => value !== null && typeof value !== 'object' && value !== undefined;

const kindText = ({ kinds }: Shape): string => [...kinds].join(', ');
