import { editionOf } from '../../contract/behavior/fact.js';
import type { Dialect } from '../../contract/endpoint.js';
import { workItemOffset } from '../../contract/conventions.js';
import { lastInstant, readInstant } from '../../wire/time-text.js';
import type { Hex } from '../random.js';
import { hashToken } from '../repositories/world.js';
import { insertion, type Queries, type Value } from '../store/database.js';
import type {
  NamedUser, World, WorldDiffVersion, WorldDiscussion, WorldNote, WorldProject, WorldToken, WorldUser,
} from './schema.js';

/** Ids are given in file order across the whole world; groups come before projects. */
type Contents = ReturnType<typeof contentsOf>;

const contentsOf = ({ groups = [], projects = [] }: World) => {
  const kinds = {
    epic: groups.flatMap(({ epics = [] }) => epics),
    issue: projects.flatMap(({ issues = [] }) => issues),
    snippet: projects.flatMap(({ snippets = [] }) => snippets),
    merge_request: projects.flatMap(({ merge_requests = [] }) => merge_requests),
    commit: projects.flatMap(({ commits = [] }) => commits),
  };
  const discussions = Object.values<readonly { discussions?: WorldDiscussion[] }[]>(kinds)
    .flatMap((things) => things.flatMap((thing) => thing.discussions ?? []));
  const draft_note = kinds.merge_request.flatMap(({ draft_notes = [] }) => draft_notes);
  const notes = discussions.flatMap(givenNotes);
  return { ...kinds, notes, draft_note, award: notes.flatMap(({ award_emoji = [] }) => award_emoji) };
};

export const givenNotes = ({ notes = [{}] }: WorldDiscussion): readonly WorldNote[] => notes;

export interface SeedOptions {
  /** Objects without a time get earlier ones. */
  readonly now: Date;
  readonly hex: Hex;
  readonly dialect: Dialect;
  readonly version?: string | undefined;
}

export interface SeededMergeRequest {
  readonly noteable: number;
  readonly project_id: number;
  readonly global_id: number;
  readonly created_at: string;
  readonly versions: readonly WorldDiffVersion[];
}

export type SeedContext = ReturnType<typeof createSeedContext>;

export const createSeedContext = (
  queries: Queries, world: World, users: readonly NamedUser[], projects: readonly PlacedProject[],
  { now, hex, dialect, version }: SeedOptions,
) => {
  const contents = contentsOf(world);
  const { notes, issue, snippet, epic, merge_request, commit } = contents;
  const count = [notes, issue, snippet, epic, merge_request, commit].reduce((sum, { length }) => sum + length, 0);
  const byName = new Map(users.map((user) => [user.username, user]));
  return {
    queries, hex, edition: editionOf(dialect, version ?? world.settings?.version ?? null),
    clock: worldClock(now, count),
    user: (username?: string): NamedUser => byName.get(username ?? users[0]!.username)!,
    projectIds: new Map(projects.map(({ id, path }) => [path, id])),
    ids: Object.fromEntries(Object.entries(contents).map(([name, things]) =>
      [name, idNumbering(things)])) as { readonly [K in keyof Contents]: Numbering },
    /** The key in the store, which is independent of public ids. */
    nextNoteable: numbering([]),
    /** Among all epics, from 1. */
    nextPlace: numbering([]),
    mergeRequests: [] as SeededMergeRequest[],
  };
};

/** Returns a given number as it is, else the next free one after the last. */
type Numbering = (given?: number) => number;

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

/** An epic without an id gets none whose work item the world names for another one. */
export const idNumbering = (things: readonly { readonly id?: number; readonly work_item_id?: number }[]): Numbering =>
  numbering(things.flatMap(({ id, work_item_id }) => [id, work_item_id && work_item_id - workItemOffset]));

export const iidNumbering = (things: readonly { readonly iid?: number }[]): Numbering =>
  numbering(things.map(({ iid }) => iid));

export const projectsOf = ({ projects = [] }: World): readonly PlacedProject[] => {
  const ids = idNumbering(projects);
  return projects.map((project) => {
    const id = ids(project.id);
    return { ...project, id, path: project.path ?? `group/project${id}` };
  });
};

export const formerPathsOf = ({ moved_from = [] }: WorldProject): readonly string[] => [moved_from].flat();

export type PlacedProject = WorldProject & { readonly id: number; readonly path: string };

/** Returns the given time, or the next of a sequence that ends before `now`. */
type SeedClock = (given: string | undefined, after?: string) => string;

const minute = 60_000;
const last = Date.parse(lastInstant);

/** Times are a minute apart, and later than `after`, so that lists keep the order of the file. */
const worldClock = (now: Date, count: number): SeedClock => {
  let next = now.getTime() - count * minute;
  return (given, after) => {
    const turn = next;
    next += minute;
    if (given !== undefined) return readInstant(given)!.iso;
    const earliest = after === undefined ? turn : Date.parse(after) + 1000;
    return new Date(Math.min(last, Math.max(turn, earliest))).toISOString();
  };
};

/** The given time in UTC, or another one. */
export const instantOr = <T>(given: string | undefined, otherwise: T): string | T =>
  given === undefined ? otherwise : readInstant(given)!.iso;

export type Cell = Value | boolean | undefined;

export const insert = async (queries: Queries, table: string, cells: Readonly<Record<string, Cell>>): Promise<void> => {
  const values = Object.values(cells).map((cell) => typeof cell === 'boolean' ? Number(cell) : cell ?? null);
  await queries.run(insertion(table, Object.keys(cells)), ...values);
};

export const administrator: WorldUser = { username: 'root', name: 'Administrator', admin: true, token: 'root-token' };

export const usersOf = ({ users = [administrator] }: World): readonly NamedUser[] => {
  const people = users.length === 0 ? [administrator] : users;
  const ids = idNumbering(people);
  return people.map((user) => {
    const id = ids(user.id);
    const { username = `user${id}`, name = username, state = 'active' } = user;
    return { ...user, id, username, name, state };
  });
};

export const tokensOf = ({ token, tokens = [] }: WorldUser): readonly WorldToken[] =>
  [...(token === undefined ? [] : [{ token }]), ...tokens].filter((one) => tokenDigest(one) !== undefined);

export const tokenDigest = ({ token, digest }: WorldToken): string | undefined =>
  token === undefined ? digest : hashToken(token);
