import { isUtf8 } from 'node:buffer';
import { textOf } from './http.js';
import { itemEnds } from './json-list.js';

/** The items of a JSON list as they were written: to the last digit, and with every escape. */
export interface Written {
  readonly length: number;
  /** The first item, read; undefined where there is none. */
  readonly first: () => unknown;
  readonly slice: (start: number, end: number) => Written;
  /** The items with commas between them. */
  readonly list: () => Uint8Array;
  /**
   * Each item on a line of its own.
   * @param room where the lines are put if they fit; if not, there is room for more behind them
   */
  readonly lines: (room?: Uint8Array) => Uint8Array;
}

/** The items of a list of objects that is written without blanks, as services do; null for everything else. */
export const writtenIn = (body: string | Uint8Array): Written | null => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const ends = isUtf8(bytes) ? itemEnds(bytes) : null;
  return ends && writtenOver(bytes, 1, ends);
};

/** Values as JSON. */
export const written = (values: readonly unknown[]): Written => {
  const texts = values.map((value) => Buffer.from(`,${JSON.stringify(value)}`));
  let end = 0;
  return writtenOver(Buffer.concat([...texts, comma]), 1, texts.map(({ length }) => end += length));
};

const comma = Buffer.from(',');
const lineBreak = 0x0a;
const nothing = new Uint8Array();

/** Of pages of the same length in items each is a little longer than the last: the next is to fit too. */
const roomy = 1.25;

/** @param ends for each item the place behind it, where there is one more byte */
const writtenOver = (bytes: Uint8Array, start: number, ends: readonly number[]): Written => {
  const behind = ends.at(-1) ?? start;
  return {
    length: ends.length,
    first: () => ends.length === 0 ? undefined : JSON.parse(textOf(bytes.subarray(start, ends[0]))) as unknown,
    slice: (from, to) => writtenOver(bytes, from === 0 ? start : (ends[from - 1] ?? behind) + 1, ends.slice(from, to)),
    list: () => bytes.subarray(start, behind),
    lines: (room = nothing) => {
      const length = ends.length === 0 ? 0 : behind + 1 - start;
      const place = length > room.length ? new Uint8Array(Math.ceil(length * roomy)) : room;
      const lines = place.subarray(0, length);
      lines.set(bytes.subarray(start, start + length));
      for (const end of ends) lines[end - start] = lineBreak;
      return lines;
    },
  };
};
