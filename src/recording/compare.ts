import { mediaType } from '../wire/http.js';
import { isObject, jsonOrNull } from '../wire/json-object.js';
import type { RecordedExchange } from './exchange.js';
import { createReplay } from './replay.js';

/** `info`: clients ignore it. */
type DifferenceLevel = 'info' | 'warning' | 'error';

/** How a later response to the same request differs. */
export interface RecordedDifference {
  readonly level: DifferenceLevel;
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
 * Statuses, fields and types of the responses to the same requests; of values only those that say what something is.
 * Each difference of a request once.
 */
export const compareRecordings = (
  before: readonly RecordedExchange[], after: readonly RecordedExchange[],
): RecordedDifference[] => {
  const [earlier, later] = [createReplay(before), createReplay(after)];
  const found = new Map<string, RecordedDifference>();
  const report = ({ request: { method, target } }: RecordedExchange, differences: readonly Found[]): void => {
    for (const one of differences) {
      const difference = { ...one, request: `${method} ${target}` };
      found.set(JSON.stringify(difference), difference);
    }
  };
  for (const exchange of before) {
    const response = later.answer(exchange.request);
    report(exchange, response ? compareResponses(exchange.response, response)
      : [{ level: 'warning', place: 'request', before: 'recorded', after: 'missing' }]);
  }
  for (const exchange of after) {
    if (earlier.answer(exchange.request) !== null) continue;
    report(exchange, [{ level: 'info', place: 'request', before: 'missing', after: 'recorded' }]);
  }
  return [...found.values()];
};

const compareResponses = (before: Response, after: Response): Found[] => {
  if (before.status !== after.status) {
    return [{ level: 'error', place: 'status', before: String(before.status), after: String(after.status) }];
  }
  const types = [mediaType(before.headers), mediaType(after.headers)] as const;
  if (types[0] !== types[1]) {
    return [{ level: 'error', place: 'content-type', before: types[0] || 'none', after: types[1] || 'none' }];
  }
  const [one, other] = [jsonOf(before), jsonOf(after)];
  return one === undefined || other === undefined ? [] : compareShapes('', shapeOf([one]), shapeOf([other]));
};

const jsonOf = ({ headers, body }: Response): unknown =>
  typeof body === 'string' && body !== '' && /[/+]json$/.test(mediaType(headers)) ? jsonOrNull(body) : undefined;

/** What values at one place look like. */
interface Shape {
  /** Types apart from null: any value can be missing. */
  readonly kinds: ReadonlySet<string>;
  readonly keys: ReadonlyMap<string, Shape>;
  /** Of the items of all lists; null without any. */
  readonly items: Shape | null;
  /** Null if there are several. */
  readonly only: unknown;
}

const shapeOf = (values: readonly unknown[]): Shape => {
  const objects = values.filter(isObject);
  const items = values.flatMap((value): unknown[] => Array.isArray(value) ? value : []);
  const keys = new Set(objects.flatMap((value) => Object.keys(value)));
  return {
    kinds: new Set(values.filter((value) => value !== null).map(kindOf)),
    keys: new Map([...keys].map((key) =>
      [key, shapeOf(objects.filter((value) => key in value).map((value) => value[key]))])),
    items: items.length === 0 ? null : shapeOf(items),
    only: values.length === 1 ? values[0] : null,
  };
};

const kindOf = (value: unknown): string => Array.isArray(value) ? 'list' : typeof value;

/** Their value is the same whenever and by whomever it is asked for. */
const stable = /^(?:type|state|visibility|message|error|error_description|system|resolvable|individual_note|.*_type)$/;

const compareShapes = (place: string, before: Shape, after: Shape): Found[] => {
  if (before.kinds.size === 0 || after.kinds.size === 0) return [];
  if (![...before.kinds].some((kind) => after.kinds.has(kind))) {
    return [{ level: 'error', place: place || 'body', before: kindText(before), after: kindText(after) }];
  }
  const hasObjects = before.kinds.has('object') && after.kinds.has('object');
  const keys = hasObjects ? [...new Set([...before.keys.keys(), ...after.keys.keys()])] : [];
  const differences = keys.flatMap((key) =>
    compareKeys(place === '' ? key : `${place}.${key}`, before.keys.get(key), after.keys.get(key)));
  return before.items && after.items
    ? [...differences, ...compareShapes(`${place}[]`, before.items, after.items)] : differences;
};

const compareKeys = (place: string, before: Shape | undefined, after: Shape | undefined): Found[] => {
  if (!after) return [{ level: 'warning', place, before: kindText(before!), after: 'missing' }];
  if (!before) return [{ level: 'info', place, before: 'missing', after: kindText(after) }];
  const isStable = stable.test(place.slice(place.lastIndexOf('.') + 1)) && !place.includes('[]');
  if (isStable && isScalar(before.only) && isScalar(after.only) && before.only !== after.only) {
    return [{ level: 'warning', place, before: JSON.stringify(before.only), after: JSON.stringify(after.only) }];
  }
  return compareShapes(place, before, after);
};

const isScalar = (value: unknown): boolean => value !== null && typeof value !== 'object' && value !== undefined;

const kindText = ({ kinds }: Shape): string => kinds.size === 0 ? 'null' : [...kinds].join(', ');
