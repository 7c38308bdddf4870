import type { Dialect } from '../../contract/endpoint.js';
import { lastInstant, readInstant } from '../../wire/instants.js';
import type { Queries, Value } from '../store/database.js';
import type {
  NamedUser, World, WorldCommit, WorldDiscussion, WorldEpic, WorldIssue, WorldMergeRequest, WorldNote, WorldSnippet,
} from './schema.js';

/** Everything of a world that is numbered across it, in the order of the file; groups come before projects. */
export interface Contents {
  readonly issue: readonly WorldIssue[];
  readonly snippet: readonly WorldSnippet[];
  readonly epic: readonly WorldEpic[];
  readonly merge_request: readonly WorldMergeRequest[];
  readonly commit: readonly WorldCommit[];
  readonly notes: readonly WorldNote[];
}

export const contentsOf = ({ groups = [], projects = [] }: World): Contents => {
  const kinds = {
    epic: groups.flatMap(({ epics = [] }) => epics),
    issue: projects.flatMap(({ issues = [] }) => issues),
    snippet: projects.flatMap(({ snippets = [] }) => snippets),
    merge_request: projects.flatMap(({ merge_requests = [] }) => merge_requests),
    commit: projects.flatMap(({ commits = [] }) => commits),
  };
  const discussions = Object.values<readonly { discussions?: WorldDiscussion[] }[]>(kinds)
    .flatMap((things) => things.flatMap((thing) => thing.discussions ?? []));
  return { ...kinds, notes: discussions.flatMap(notesOf) };
};

/** A thread that names no notes has one. */
export const notesOf = ({ notes = [{}] }: WorldDiscussion): readonly WorldNote[] => notes;

/** What the world is given from outside. */
export interface SeedOptions {
  /** Things without a time of their own are spread before it. */
  readonly now: Date;
  /** So many hexadecimal characters, by chance or in a row. */
  readonly hex: (length: number) => string;
  /** In whose words the notes are stored. */
  readonly dialect: Dialect;
}

/** All that the parts of a fill share. */
export interface SeedContext {
  readonly queries: Queries;
  readonly hex: SeedOptions['hex'];
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
export const idNumbering = (things: readonly { readonly id?: number }[]): Numbering =>
  numbering(things.map(({ id }) => id));

/** A numbering over these things' own iids. */
export const iidNumbering = (things: readonly { readonly iid?: number }[]): Numbering =>
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
