import { collectionName, noteableKinds } from '../../contract/conventions.js';
import { readInstant } from '../../wire/time-text.js';
import type { Random } from '../random.js';
import { hashToken, type SettingOverrides, writeEpoch } from '../repositories/world.js';
import { type Database, inPipeline, placeholders, type Queries } from '../store/database.js';
import { StoreError } from '../store/errors.js';
import { exceptVersion, tableNames } from '../store/schema.js';
import { demoWorld, people } from './demo/demo.js';
import type { NamedUser, World, WorldToken } from './schema.js';
import { administrator, tokenDigest, tokensOf, usersOf } from './seed-context.js';
import type { ApiOptions } from '../api/api.js';

/** A token of each user, by username. */
export type TokensByUser = Readonly<Record<string, string>>;

export type UserTokens = ReturnType<typeof createUserTokens>;

/** Knows one token of each user, since the store has only digests. */
export const createUserTokens = () => {
  let known: TokensByUser = {};
  return { current: () => known, replace: (tokens: TokensByUser) => { known = tokens; } };
};

/**
 * If other machines can reach the server, the demo world and worlds without users get random tokens. @throws WorldError
 */
export const worldToServe = async (
  given: World | string | undefined, isRemote: boolean, hex: (length: number) => string,
): Promise<World> => {
  const world = given === undefined ? demoWorld : await loadWorld(given);
  const isOurs = given === undefined || given === demoWorld || !world.users?.length;
  return isRemote && isOurs ? withFreshTokens(world, hex) : world;
};

/** A world from code is validated like files, but undefined and null are not an empty one. @throws WorldError */
export const loadWorld = async (given: World | string): Promise<World> => {
  if (typeof given === 'string') return (await import('./load.js')).readWorld(given);
  return (await import('./validate.js')).validatedWorld(given);
};

type Seeding = Pick<ApiOptions, 'dialect' | 'now' | 'hex'> & { readonly settings?: SettingOverrides };

/** Ids come from the random texts of the service, and its tokens become those of the world. */
export interface SeedSources extends Omit<Seeding, 'hex'> {
  readonly random: Random;
  readonly tokens: UserTokens;
}

/**
 * Tells whether the store was empty.
 * @throws StoreError if other machines can reach the server, no world was given, and the store contains a publicly
 * known token from an earlier start
 */
export const seedIfEmpty = (
  database: Database, world: World, how: SeedSources & { readonly rejectsKnownTokens: boolean },
): Promise<boolean> => database.writeExclusively(async (queries) => {
  const wasEmpty = await isEmpty(queries);
  if (wasEmpty) await seedTables(queries, world, { ...how, hex: how.random.hex });
  if (how.rejectsKnownTokens) await rejectKnownTokens(queries);
  await restartAfterNotes(queries, how.random);
  how.tokens.replace(await tokensByUser(queries, world, how.now()));
  return wasEmpty;
});

export const replaceWorld = async (database: Database, world: World, how: SeedSources): Promise<void> => {
  await database.writeExclusively(async (queries) => {
    how.random.restart();
    await emptyDatabase(queries);
    await seedTables(queries, world, { ...how, hex: how.random.hex });
    await restartAfterNotes(queries, how.random);
  });
  how.tokens.replace(validTokens(world, how.now()));
};

/** Repeatable ids continue, so that no thread gets the id of one from an earlier start. */
const restartAfterNotes = async (queries: Queries, random: Random): Promise<void> => {
  if (!random.isSeeded) return;
  const row = await queries.get<{ last: number | null }>('SELECT max(id) AS last FROM notes');
  random.restart(row?.last ?? 0);
};

export const seedTables = async (
  queries: Queries, world: World, { dialect, settings, now, hex }: Seeding,
): Promise<void> => {
  const { writeWorld } = await import('./seed.js');
  await inPipeline(queries, async (pipelinedQueries) => {
    await writeWorld(pipelinedQueries, world, { now: now(), hex, dialect, version: settings?.version });
  });
  await writeEpoch(queries);
};

const withFreshTokens = (world: World, hex: (length: number) => string): World => ({
  ...world,
  users: usersOf(world).map(({ tokens: _, ...user }) => ({ ...user, token: hex(40) })),
});

/** The demo world and the administrator are part of this program, so everybody knows their tokens. */
const rejectKnownTokens = async (queries: Queries): Promise<void> => {
  const digests = [...people, administrator].flatMap(tokensOf).flatMap((token) => tokenDigest(token) ?? []);
  const found = await queries.get<{ username: string }>(
    `SELECT username FROM tokens JOIN users ON users.id = tokens.user_id
     WHERE digest IN (${placeholders(digests.length)}) AND revoked = 0`, ...digests);
  if (!found) return;
  throw new StoreError(
    `the token of ${found.username} is publicly known, and other machines can reach this server`,
    'use a new store and your own tokens',
  );
};

const tokensByUser = async (queries: Queries, world: World, now: Date): Promise<TokensByUser> => {
  const tokens: Record<string, string> = {};
  for (const user of usersOf(world)) {
    const token = firstTokenOf(user, now);
    const stored = token === undefined ? undefined : await queries.get(
      'SELECT user_id FROM tokens WHERE digest = ? AND user_id = ?', hashToken(token), user.id);
    if (stored) tokens[user.username] = token!;
  }
  return tokens;
};

export const validTokens = (world: World, now: Date): TokensByUser => Object.fromEntries(
  usersOf(world).flatMap((user) => {
    const token = firstTokenOf(user, now);
    return token === undefined ? [] : [[user.username, token]];
  }));

/** One that may do everything, if there is one. */
const firstTokenOf = (user: NamedUser, now: Date): string | undefined => {
  const valid = tokensOf(user).filter(({ token, revoked, expires_at: end }) =>
    token !== undefined && !revoked && (end === undefined || readInstant(end)!.iso > now.toISOString()));
  const isUnrestricted = ({ kind = 'personal', scopes = ['api'] }: WorldToken) =>
    kind === 'personal' && scopes.includes('api');
  return (valid.find(isUnrestricted) ?? valid[0])?.token;
};

export const emptyDatabase = async (queries: Queries): Promise<void> => {
  for (const table of tableNames) await queries.run(`DELETE FROM ${table} ${exceptVersion(table)}`);
};

export const isEmpty = async (queries: Queries): Promise<boolean> =>
  await queries.get('SELECT id FROM users LIMIT 1') === undefined;

/** The number of records by kind, named as in world files: `users`, `merge_requests`, `threads`. */
export type WorldCounts = Readonly<Record<string, number>>;

const containers = ['users', 'groups', 'projects'];

const sql = [
  ...containers.map((table) => `SELECT '${table}' AS name, count(*) AS count FROM ${table}`),
  ...noteableKinds.map((kind) =>
    `SELECT '${collectionName(kind)}' AS name, count(*) AS count FROM noteables WHERE kind = '${kind}'`),
  `SELECT 'threads' AS name, count(*) AS count FROM notes WHERE starts = 1`,
].join(' UNION ALL ');

const order = [...containers, 'merge_requests', 'issues', 'snippets', 'commits', 'epics', 'threads'];

export const countRecords = async (database: Database): Promise<WorldCounts> => {
  const rows = await database.all<{ name: string; count: number }>(sql);
  const counts = new Map(rows.map(({ name, count }) => [name, count]));
  return Object.fromEntries(order.map((name) => [name, counts.get(name) ?? 0]));
};
