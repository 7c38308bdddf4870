import { isUtf8 } from 'node:buffer';
import { bodyText } from './http.js';

/** The items of a JSON list as received: every digit and every escape is unchanged. */
export interface RawList {
  /** The number of items. */
  readonly length: number;
  /** The first item, parsed; undefined for an empty list. */
  readonly first: () => unknown;
  /** The `itemId` of each. */
  readonly ids: () => unknown[];
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

/** For objects in compact JSON, as services send it; null for everything else. */
export const parseRawList = (body: string | Uint8Array): RawList | null => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const ends = isUtf8(bytes) ? itemEnds(bytes) : null;
  return ends && rawListOf(bytes, 1, ends);
};

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
    ids: () => ends.map((end, i) => idIn(bytes.subarray(i === 0 ? start : ends[i - 1]! + 1, end))),
    slice: (from, to) => rawListOf(bytes, from === 0 ? start : (ends[from - 1] ?? listEnd) + 1, ends.slice(from, to)),
    list: () => bytes.subarray(start, listEnd),
    lines: (buffer = empty) => {
      const length = ends.length === 0 ? 0 : listEnd + 1 - start;
      const target = length > buffer.length ? new Uint8Array(Math.ceil(length * spareCapacity)) : buffer;
      const lines = target.subarray(0, length);
      lines.set(bytes.subarray(start, start + length));
      for (const end of ends) lines[end - start] = lineBreak;
      return lines;
    },
  };
};

/** Services write it first: to parse whole items would take much longer. */
const firstId = /^\{"id":("[^"\\]*"|\d+)[,}]/;

const longestFirstId = 80;

const idIn = (item: Uint8Array): unknown => {
  const id = firstId.exec(Buffer.from(item.subarray(0, longestFirstId)).toString())?.[1];
  return id === undefined ? itemId(JSON.parse(bodyText(item))) : JSON.parse(id) as unknown;
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
  for (let at = 1; at < last; at++) {
    at = bytes[at] === openObject ? afterValue(bytes, at) : none;
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
const [letterT, letterF, letterN, letterU, letterE] = [0x74, 0x66, 0x6e, 0x75, 0x65];

const none = 0;

/** Uses no recursion, because the service controls the depth. */
const afterValue = (bytes: Uint8Array, start: number): number => {
  const outer: number[] = [];
  let closer = 0;
  let at = start;
  for (;;) {
    const first = bytes[at]!;
    const isOpening = first === openObject || first === openList;
    if (isOpening && bytes[at + 1] !== first + 2) {
      outer.push(closer);
      closer = first + 2;
    } else {
      at = isOpening ? at + 2 : afterScalar(bytes, at);
      while (closer !== 0 && bytes[at] === closer) {
        at++;
        closer = outer.pop()!;
      }
      if (at === none || closer === 0) return at;
      if (bytes[at] !== comma) return none;
    }
    at = closer === closeObject ? afterName(bytes, at + 1) : at + 1;
    if (at === none) return none;
  }
};

const afterName = (bytes: Uint8Array, at: number): number => {
  const end = bytes[at] === quote ? afterString(bytes, at) : none;
  return end !== none && bytes[end] === colon ? end + 1 : none;
};

const afterScalar = (bytes: Uint8Array, at: number): number => {
  switch (bytes[at]) {
    case quote: return afterString(bytes, at);
    case letterT: return afterWord(bytes, at, words.true);
    case letterF: return afterWord(bytes, at, words.false);
    case letterN: return afterWord(bytes, at, words.null);
    default: return afterNumber(bytes, at);
  }
};

const words = { true: Buffer.from('true'), false: Buffer.from('false'), null: Buffer.from('null') };

const afterWord = (bytes: Uint8Array, at: number, word: Uint8Array): number => {
  for (let i = 1; i < word.length; i++) if (bytes[at + i] !== word[i]) return none;
  return at + word.length;
};

const afterString = (bytes: Uint8Array, start: number): number => {
  let at = start + 1;
  for (;;) {
    while (plain[bytes[at]!] === 1) at++;
    if (bytes[at] === quote) return at + 1;
    if (bytes[at] !== backslash) return none;
    const digits = bytes[at + 1] === letterU ? 4 : 0;
    if (digits === 0 && escaped[bytes[at + 1]!] !== 1) return none;
    at += 2;
    for (const end = at + digits; at < end; at++) if (hexadecimal[bytes[at]!] !== 1) return none;
  }
};

const withMark = (characters: string, mark: 0 | 1, marks: Uint8Array): Uint8Array => {
  for (const character of characters) marks[character.charCodeAt(0)] = mark;
  return marks;
};

const markOnly = (characters: string) => withMark(characters, 1, new Uint8Array(256));

const plain = withMark('"\\', 0, new Uint8Array(256).fill(1, 0x20));
const escaped = markOnly('"\\/bfnrt');
const hexadecimal = markOnly('0123456789abcdefABCDEF');
const digit = markOnly('0123456789');
const sign = markOnly('+-');

const afterNumber = (bytes: Uint8Array, start: number): number => {
  const whole = bytes[start] === 0x2d ? start + 1 : start;
  let at = bytes[whole] === 0x30 ? whole + 1 : afterDigits(bytes, whole);
  if (at !== none && bytes[at] === 0x2e) at = afterDigits(bytes, at + 1);
  if (at === none || (bytes[at]! | 0x20) !== letterE) return at;
  return afterDigits(bytes, sign[bytes[at + 1]!] === 1 ? at + 2 : at + 1);
};

const afterDigits = (bytes: Uint8Array, start: number): number => {
  let at = start;
  while (digit[bytes[at]!] === 1) at++;
  return at === start ? none : at;
};
