import type { Dialect } from '../../contract/endpoint.js';
import { lastInstant, readInstant } from '../../wire/instants.js';
import type { Queries, Value } from '../store/database.js';
import type { Contents } from './contents.js';
import type { NamedUser } from './schema.js';

/** What the world is given from outside. */
export interface Given {
  /** Things without a time of their own are spread before it. */
  readonly now: Date;
  /** So many hexadecimal characters, by chance or in a row. */
  readonly hex: (length: number) => string;
  /** In whose words the notes are stored. */
  readonly dialect: Dialect;
}

/** All that the parts of a fill share. */
export interface Filling {
  readonly queries: Queries;
  readonly hex: Given['hex'];
  readonly dialect: Dialect;
  readonly clock: Clock;
  /** A user; without a name, the first one. */
  readonly user: (username?: string) => NamedUser;
  readonly ids: { readonly [K in keyof Contents]: Numbering };
  /** A row in `noteables`: its own key, apart from the ids that the service shows. */
  readonly nextNoteable: Numbering;
  readonly nextPosition: () => number;
}

/** Gives numbers in order: a given one as it is, else the next after the one before that nobody was given. */
export type Numbering = (given?: number) => number;

/** A numbering that knows beforehand which numbers are `taken` by those who name theirs. */
export const numbering = (taken: Iterable<number | undefined>): Numbering => {
  const named = new Set(taken);
  let last = 0;
  return (given) => {
    if (given !== undefined) return last = given;
    do last += 1; while (named.has(last));
    named.add(last);
    return last;
  };
};

/** A numbering over these things' own ids. */
export const numberingOf = (things: readonly { readonly id?: number }[]): Numbering =>
  numbering(things.map(({ id }) => id));

/** A numbering over these things' own iids. */
export const countingOf = (things: readonly { readonly iid?: number }[]): Numbering =>
  numbering(things.map(({ iid }) => iid));

/** Gives each thing of a world its time: its own where it has one, else the next of a row that ends before `now`. */
export type Clock = (given: string | undefined, after?: string) => string;

const minute = 60_000;
const last = Date.parse(lastInstant);

/**
 * A clock for `count` things, a minute apart. Nothing without a time of its own comes before `after`, so that what
 * follows in the file follows in a list.
 */
export const worldClock = (now: Date, count: number): Clock => {
  let next = now.getTime() - count * minute;
  return (given, after) => {
    const turn = next;
    next += minute;
    if (given !== undefined) return readInstant(given)!.iso;
    const earliest = after === undefined ? turn : Date.parse(after) + 1000;
    return new Date(Math.min(last, Math.max(turn, earliest))).toISOString();
  };
};

/** What a column is written from: truth is 0 or 1, what is absent is null. */
export type Cell = Value | boolean | undefined;

/** Adds one row. */
export const insert = async (queries: Queries, table: string, cells: Readonly<Record<string, Cell>>): Promise<void> => {
  const names = Object.keys(cells);
  const values = Object.values(cells).map((cell) => typeof cell === 'boolean' ? Number(cell) : cell ?? null);
  await queries.run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`, ...values);
};
