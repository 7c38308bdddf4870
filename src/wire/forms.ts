import { isUpload } from '../contract/endpoint.js';

export interface Params { [key: string]: unknown }

/** Limits for untrusted parameters: a note position needs three levels and about twenty keys. */
const limits = { depth: 5, keys: 200 };

const namePattern = /^([^[\]]+)((?:\[[^[\]]*\]){0,4})(\[[^[\]]*\])?/;

export class UnreadableParams extends Error {}

/** Writes `position[line_range][start][type]`; null becomes empty text (behavior: requests.nested). */
export const toPairs = (params: Params, prefix = ''): [string, unknown][] =>
  Object.entries(params).flatMap(([key, value]): [string, unknown][] => {
    const name = prefix ? `${prefix}[${key}]` : key;
    if (value === undefined) return [];
    return isParams(value) ? toPairs(value, name) : [[name, value ?? '']];
  });

/** As `toPairs`, but a list is `name[]`, and every value is text. */
export const toPairsWithLists = (value: unknown, name = ''): [string, string][] => {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => toPairsWithLists(item, `${name}[]`));
  if (!isParams(value)) return [[name, String(value ?? '')]];
  return Object.entries(value).flatMap(([key, inner]) =>
    toPairsWithLists(inner, name === '' ? key : `${name}[${key}]`));
};

/**
 * The last of several pairs with the same name wins (behavior: requests.last-value). Without prototypes, `__proto__` is
 * a key like any other. @throws UnreadableParams
 */
export const fromPairs = (pairs: Iterable<readonly [string, unknown]>): Params => {
  const root = emptyParams();
  let count = 0;
  for (const [name, value] of pairs) {
    if (++count > limits.keys) throw new UnreadableParams(`more than ${limits.keys} parameters`);
    assign(root, keysOf(name), value);
  }
  return root;
};

export const isParams = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value) &&
  !isUpload(value);

const emptyParams = (): Params => Object.create(null) as Params;

/** Reads no more than necessary: a name can be as long as a body. */
const keysOf = (name: string): string[] => {
  const match = namePattern.exec(name);
  if (match?.[3] !== undefined) throw new UnreadableParams(`parameters nested deeper than ${limits.depth} levels`);
  if (match?.[0].length !== name.length) return [name];
  return [match[1]!, ...[...match[2]!.matchAll(/\[([^[\]]*)\]/g)].map((m) => m[1]!)];
};

const assign = (root: Params, keys: string[], value: unknown): void => {
  const isList = keys.length > 1 && keys.at(-1) === '';
  if (isList) keys.pop();
  const last = keys.pop()!;
  let target = root;
  for (const key of keys) {
    const next = (target[key] ??= emptyParams());
    if (!isParams(next)) throw new UnreadableParams(`${key} is given as a value and as a hash`);
    target = next;
  }
  if (isParams(target[last])) throw new UnreadableParams(`${last} is given as a value and as a hash`);
  if (isList && target[last] !== undefined && !Array.isArray(target[last])) {
    throw new UnreadableParams(`${last} is given as a value and as a list`);
  }
  target[last] = isList ? [...target[last] as unknown[] ?? [], value] : value;
};

export const encodeForm = (params: Params): string =>
  toPairs(params).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`).join('&');

/** One by one: a body can contain millions. URLSearchParams takes fifty times the memory of a long value. */
export function* decodeForm(text: string): Iterable<[string, string | null]> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('&', at);
    const next = end < 0 ? text.length : end;
    if (next > at) yield decodePair(text.slice(at, next));
    at = next + 1;
  }
}

/** A key without `=` is null (behavior: parameters.bare-key). */
const decodePair = (text: string): [string, string | null] => {
  const end = text.indexOf('=');
  return end < 0 ? [decodePart(text), null] : [decodePart(text.slice(0, end)), decodePart(text.slice(end + 1))];
};

/** A plus sign is a space (behavior: requests.plus), and a percent sign without two digits is literal. */
const decodePart = (text: string): string => {
  if (!/[+%]/.test(text)) return text.toWellFormed();
  const bytes = Buffer.from(text);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    const escaped = byte === percent ? digits[bytes[i + 1]!]! * 16 + digits[bytes[i + 2]!]! : NaN;
    if (escaped >= 0) i += 2;
    bytes[length++] = escaped >= 0 ? escaped : byte === plus ? space : byte;
  }
  return bytes.toString('utf8', 0, length);
};

const [percent, plus, space] = [0x25, 0x2b, 0x20];

const digits = Array.from({ length: 256 }, (_, byte) => parseInt(String.fromCharCode(byte), 16));
