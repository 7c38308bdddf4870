import { isUpload } from '../contract/upload.js';

/** A hash as it leaves or enters a query or form: text, files, or hashes of these. */
export interface Hash { [key: string]: unknown }

/** Bounds for what a stranger sends: a note position needs three levels and about twenty keys. */
const most = { depth: 5, keys: 200 };

/** A first key, the keys in brackets behind it, and one too many of them. */
const nameShape = /^([^[\]]+)((?:\[[^[\]]*\]){0,4})(\[[^[\]]*\])?/;

/** A query or form that can't be read as a hash. */
export class UnreadableHash extends Error {}

/**
 * A hash as pairs with bracketed names, the way Rails reads them back: `position[line_range][start][type]`.
 * What is undefined is left out, null travels as empty text.
 */
export const toPairs = (hash: Hash, prefix = ''): [string, unknown][] =>
  Object.entries(hash).flatMap(([key, value]): [string, unknown][] => {
    const name = prefix ? `${prefix}[${key}]` : key;
    if (value === undefined) return [];
    return isHash(value) ? toPairs(value, name) : [[name, value ?? '']];
  });

/**
 * Pairs with bracketed names as a nested hash; of two pairs with one name the last stands (wire-facts 2.1.1).
 * The hashes have no prototype, so that `__proto__` is a key like any other.
 * @throws UnreadableHash when too deep, too many, or when a name is used both as a value and as a hash
 */
export const fromPairs = (pairs: Iterable<readonly [string, unknown]>): Hash => {
  const root = empty();
  let count = 0;
  for (const [name, value] of pairs) {
    if (++count > most.keys) throw new UnreadableHash(`more than ${most.keys} parameters`);
    place(root, keysOf(name), value);
  }
  return root;
};

/** Whether a value is a hash: an object that is neither a list nor bytes nor a file. */
export const isHash = (value: unknown): value is Hash =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value) &&
  !isUpload(value);

const empty = (): Hash => Object.create(null) as Hash;

/** Looks no further than it must: a name may be as long as a body. */
const keysOf = (name: string): string[] => {
  const shape = nameShape.exec(name);
  if (shape?.[3] !== undefined) throw new UnreadableHash(`parameters nested deeper than ${most.depth} levels`);
  if (shape?.[0].length !== name.length) return [name];
  return [shape[1]!, ...[...shape[2]!.matchAll(/\[([^[\]]*)\]/g)].map((m) => m[1]!)];
};

const place = (root: Hash, keys: string[], value: unknown): void => {
  const last = keys.pop()!;
  let at = root;
  for (const key of keys) {
    const next = (at[key] ??= empty());
    if (!isHash(next)) throw new UnreadableHash(`${key} is given as a value and as a hash`);
    at = next;
  }
  if (isHash(at[last])) throw new UnreadableHash(`${last} is given as a value and as a hash`);
  at[last] = value;
};

/** Parameters as a query or form text: spaces as `%20`, a plus sign as `%2B` (wire-facts 2.1.7). */
export const urlEncoded = (params: Hash): string =>
  toPairs(params).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`).join('&');

/**
 * The pairs of a query or form text, read one by one so that a caller can stop: a body has room for millions. They are
 * decoded as by URLSearchParams, which takes fifty times the memory of a long value.
 */
export function* urlDecoded(text: string): Iterable<[string, string]> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('&', at);
    const next = end < 0 ? text.length : end;
    if (next > at) yield pairIn(text.slice(at, next));
    at = next + 1;
  }
}

const pairIn = (text: string): [string, string] => {
  const end = text.indexOf('=');
  return end < 0 ? [decodedPart(text), ''] : [decodedPart(text.slice(0, end)), decodedPart(text.slice(end + 1))];
};

/** A plus sign is a space (wire-facts 2.1.7), and a percent sign without two digits stands for itself. */
const decodedPart = (text: string): string => {
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

/** The value of each byte that is a hexadecimal digit, and NaN for the others. */
const digits = Array.from({ length: 256 }, (_, byte) => parseInt(String.fromCharCode(byte), 16));
