import { isUtf8 } from 'node:buffer';
import { bodyText } from './http.js';
import { jsonOrNull } from './json.js';

/** The items of a JSON list as received, without white space: every digit and every escape is unchanged. */
export interface RawList {
  /** The number of items. */
  readonly length: number;
  /** The first item, parsed; undefined for an empty list. */
  readonly first: () => unknown;
  /** The `itemId` of each. */
  readonly ids: () => unknown[];
  /** The ids as a JSON list, in much less memory. */
  readonly idList: () => string;
  /** The items from `start` up to, but not including, `end`; nothing is copied. */
  readonly slice: (start: number, end: number) => RawList;
  /** The items, separated by commas. */
  readonly list: () => Uint8Array;
  /**
   * The items as NDJSON: one on each line.
   * @param buffer is used if the lines fit; otherwise a new one is allocated, with spare capacity
   */
  readonly lines: (buffer?: Uint8Array) => Uint8Array;
}

/** For a list of objects; null for everything else. Services send compact JSON, which is not copied. */
export const parseRawList = (body: string | Uint8Array): RawList | null => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return isUtf8(bytes) ? rawListIn(bytes) ?? rawListIn(withoutSpace(bytes)) : null;
};

const rawListIn = (bytes: Uint8Array): RawList | null => {
  const ends = itemEnds(bytes);
  return ends && rawListOf(bytes, 1, ends);
};

/** Empty for invalid JSON, which could become valid. */
const withoutSpace = (bytes: Uint8Array): Uint8Array => {
  const text = bodyText(bytes);
  return Array.isArray(jsonOrNull(text)) ? Buffer.from(text.replace(stringsAndSpace, '$1')) : empty;
};

const stringsAndSpace = /("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g;

export const rawList = (values: readonly unknown[]): RawList => {
  const texts = values.map((value) => Buffer.from(`,${JSON.stringify(value)}`));
  let end = 0;
  return rawListOf(Buffer.concat([...texts, separator]), 1, texts.map(({ length }) => end += length));
};

const separator = Buffer.from(',');
const lineBreak = 0x0a;
const empty = new Uint8Array();

/** A new buffer is larger than needed: the next page with as many items can be slightly longer. */
const spareCapacity = 1.25;

const rawListOf = (bytes: Uint8Array, start: number, ends: readonly number[]): RawList => {
  const listEnd = ends.at(-1) ?? start;
  return {
    length: ends.length,
    first: () => ends.length === 0 ? undefined : JSON.parse(bodyText(bytes.subarray(start, ends[0]))) as unknown,
    ids: () => JSON.parse(idListIn(bytes, start, ends)) as unknown[],
    idList: () => idListIn(bytes, start, ends),
    slice: (from, to) => rawListOf(bytes, from === 0 ? start : (ends[from - 1] ?? listEnd) + 1, ends.slice(from, to)),
    list: () => bytes.subarray(start, listEnd),
    lines: (buffer = empty) => {
      const length = ends.length === 0 ? 0 : listEnd + 1 - start;
      const target = length > buffer.length ? new Uint8Array(Math.ceil(length * spareCapacity)) : buffer;
      const lines = target.subarray(0, length);
      lines.set(bytes.subarray(start, start + length));
      for (let i = 0; i < ends.length; i++) lines[ends[i]! - start] = lineBreak;
      return lines;
    },
  };
};

/** Services write it first: to parse whole items would take much longer, and to decode UTF-8 twice as long. */
const firstId = /^\{"id":("[ !#-[\]-~]*"|\d+)[,}]/;

const longestFirstId = 80;

const idListIn = (bytes: Uint8Array, start: number, ends: readonly number[]): string => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ids = ends.map((end, i) => {
    const from = i === 0 ? start : ends[i - 1]! + 1;
    return firstId.exec(text.toString('latin1', from, Math.min(end, from + longestFirstId)))?.[1]
      ?? JSON.stringify(itemId(JSON.parse(text.toString('utf8', from, end))));
  });
  return `[${ids.join()}]`;
};

/** The value of `id`, else the JSON of the item. */
export const itemId = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && 'id' in item ? item.id : JSON.stringify(item);

/**
 * Null unless it is a list of objects without white space. Checks every byte, so that such a list is valid JSON (RFC
 * 8259) if it is UTF-8. @returns for each item the index after it
 */
export const itemEnds = (bytes: Uint8Array): number[] | null => {
  const last = bytes.length - 1;
  if (last < 1 || bytes[0] !== openList || bytes[last] !== closeList) return null;
  const ends: number[] = [];
  const outer: number[] = [];
  for (let at = 1; at < last; at++) {
    at = bytes[at] === openObject ? afterValue(bytes, at, outer) : none;
    if (at === none || bytes[at] !== (at === last ? closeList : comma)) return null;
    ends.push(at);
  }
  return last === 1 || ends.at(-1) === last ? ends : null;
};

const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
const comma = 0x2c;
const colon = 0x3a;
const quote = 0x22;
const backslash = 0x5c;
const [plus, minus, point, digitZero, digitNine] = [0x2b, 0x2d, 0x2e, 0x30, 0x39];
const [letterA, letterE, letterF, letterL, letterN] = [0x61, 0x65, 0x66, 0x6c, 0x6e];
const [letterR, letterS, letterT, letterU] = [0x72, 0x73, 0x74, 0x75];

/** Where the list starts: no comma and no colon is there. */
const none = 0;

/**
 * Uses no recursion, because the service controls the depth; V8 compiles one loop with few calls soonest.
 * @param outer an empty list, which is empty again after a valid value
 */
const afterValue = (bytes: Uint8Array, start: number, outer: number[]): number => {
  let [at, closer, isName] = [start, none, false];
  for (;;) {
    const first = bytes[at]!;
    if (first === quote) {
      at = afterString(bytes, at);
      if (isName && bytes[at] !== colon) return none;
      if (isName) {
        isName = false;
        at++;
        continue;
      }
    } else if (isName) {
      return none;
    } else if (first !== openObject && first !== openList) {
      at = afterWord(bytes, at);
    } else if (bytes[at + 1] === first + 2) {
      at += 2;
    } else {
      outer.push(closer);
      closer = first + 2;
      isName = first === openObject;
      at++;
      continue;
    }
    for (; outer.length > 0 && bytes[at] === closer; at++) closer = outer.pop()!;
    if (outer.length === 0) return at;
    if (bytes[at++] !== comma) return none;
    isName = closer === closeObject;
  }
};

const afterString = (bytes: Uint8Array, start: number): number => {
  for (let at = start + 1; ; at++) {
    let byte = bytes[at]!;
    while (byte >= 0x20 && byte !== quote && byte !== backslash) byte = bytes[++at]!;
    if (byte === quote) return at + 1;
    at = byte === backslash ? endOfEscape(bytes, at + 1) : none;
    if (at === none) return none;
  }
};

const endOfEscape = (bytes: Uint8Array, at: number): number => {
  if (bytes[at] !== undefined && shortEscapes.includes(String.fromCharCode(bytes[at]))) return at;
  if (bytes[at] !== letterU) return none;
  for (let i = 1; i <= 4; i++) if (!isHexadecimal(bytes[at + i])) return none;
  return at + 4;
};

/** Compared byte by byte: a loop over a word takes longer. */
const afterWord = (bytes: Uint8Array, at: number): number => {
  const second = bytes[at + 1];
  const third = bytes[at + 2];
  const fourth = bytes[at + 3];
  switch (bytes[at]) {
    case letterT: return second === letterR && third === letterU && fourth === letterE ? at + 4 : none;
    case letterN: return second === letterU && third === letterL && fourth === letterL ? at + 4 : none;
    case letterF: return second === letterA && third === letterL && fourth === letterS
      && bytes[at + 4] === letterE ? at + 5 : none;
    default: return afterNumber(bytes, at);
  }
};

/** What follows a backslash, except for `u`. */
const shortEscapes = '"\\/bfnrt';

const isHexadecimal = (byte = 0): boolean =>
  (byte >= digitZero && byte <= digitNine) || ((byte | 0x20) >= letterA && (byte | 0x20) <= letterF);

const afterNumber = (bytes: Uint8Array, start: number): number => {
  const whole = bytes[start] === minus ? start + 1 : start;
  const end = afterDigits(bytes, whole);
  if (bytes[whole] === digitZero && end > whole + 1) return none;
  return bytes[end] === point || isExponent(bytes[end]) ? afterFraction(bytes, end) : end;
};

const afterFraction = (bytes: Uint8Array, start: number): number => {
  const at = bytes[start] === point ? afterDigits(bytes, start + 1) : start;
  if (at === none || !isExponent(bytes[at])) return at;
  return afterDigits(bytes, bytes[at + 1] === minus || bytes[at + 1] === plus ? at + 2 : at + 1);
};

const isExponent = (byte = 0): boolean => (byte | 0x20) === letterE;

const afterDigits = (bytes: Uint8Array, start: number): number => {
  let at = start;
  for (; bytes[at]! >= digitZero && bytes[at]! <= digitNine;) at++;
  return at === start ? none : at;
};
