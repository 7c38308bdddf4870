import { hash } from 'node:crypto';
import { completeVersion, isStorableText, type Tier, tierFeatures } from '../../contract/conventions.js';
import { randomHex } from '../random.js';
import { placeholders, type Queries, type Row, type Value } from '../store/database.js';

export interface SettingOverrides {
  readonly version?: string | undefined;
  readonly tier?: Tier | undefined;
}

interface MetaRow extends Row { readonly name: string; readonly value: string }

type Settings = Awaited<ReturnType<typeof readSettings>>;

/** Missing features are on, unless the tier lacks them (behavior: epics.tiers, epics.confidential-off). */
const readSettings = async (queries: Queries, overrides: SettingOverrides) => {
  const rows = await queries.all<MetaRow>(
    `SELECT name, value FROM meta WHERE name LIKE 'setting.%' UNION ALL SELECT DISTINCT 'hooks', '' FROM hooks
     UNION ALL SELECT 'granular', path FROM groups WHERE enforce_granular_tokens = 1`);
  const stored = new Map(rows.map((row) => [row.name, row.value]));
  const on = (name: string) => stored.get(`setting.${name}`) !== '0';
  const features = tierFeatures[overrides.tier ?? tierOf(stored.get('setting.tier'))];
  const version = overrides.version ?? stored.get('setting.version');
  return {
    epics: on('epics') && features.epics, nested_epics: on('nested_epics') && features.nested_epics,
    confidential_epics: on('confidential_epics'),
    /** Complete; null for the usual version of the dialect. */
    version: version === undefined ? null : completeVersion(version) ?? null,
    hooks: stored.has('hooks'),
    /** New comments a minute and user; 0 for no limit (behavior: limits.notes-create-off). */
    notesCreateLimit: Number(stored.get('setting.notes_create_limit') ?? 0),
    unlimitedUsers: new Set((JSON.parse(stored.get('setting.notes_create_limit_allowlist') ?? '[]') as string[])
      .map((name) => name.toLowerCase())),
    /** Paths of the groups that accept fine-grained tokens only. */
    granularGroups: new Set(rows.filter(({ name }) => name === 'granular').map(({ value }) => value)),
  };
};

const tierOf = (stored = 'ultimate'): Tier => Object.hasOwn(tierFeatures, stored) ? stored as Tier : 'ultimate';

/**
 * Invalidates all cached responses. Never the result of a repeatable stream: an epoch that returns would make old
 * responses valid again.
 */
export const writeEpoch = (queries: Queries) => queries.run(
  `INSERT INTO meta (name, value) VALUES ('epoch', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  randomHex(32));

export interface UserRow extends Row {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  /** `active`, `blocked`, … (behavior: notes.author-state) */
  readonly state: string;
  readonly admin: number;
}

/** Only the digest of a token is ever stored. */
export interface TokenRow extends UserRow {
  readonly digest: string;
  readonly scopes: string;
  /** A token with a date expires at the start of that day. */
  readonly expires_at: string | null;
  readonly revoked: number;
  /** JSON; null for a token with scopes. */
  readonly permissions: string | null;
}

/** Stores have no tokens, only these. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex');

export const tokenByDigest = (world: WorldReads, digest: string) => world.get<TokenRow>(
  `SELECT users.id, username, name, state, admin, digest, scopes, expires_at, revoked, permissions
   FROM tokens JOIN users ON users.id = tokens.user_id WHERE digest = ?`, digest);

export const hasToken = async (queries: Pick<Queries, 'get'>, digest: string): Promise<boolean> =>
  await queries.get('SELECT user_id FROM tokens WHERE digest = ?', digest) !== undefined;

/** behavior: sudo.how, sudo.unknown */
export const userByIdOrName = (world: WorldReads, who: string) => {
  const id = /^\d+$/.test(who) ? Number(who) : null;
  if (id === null) return isStorableText(who) ? world.get<UserRow>(`${user} WHERE username = ?`, who) : undefined;
  return Number.isSafeInteger(id) ? world.get<UserRow>(`${user} WHERE id = ?`, id) : undefined;
};

export const userById = (queries: Queries, id: number) => queries.get<UserRow>(`${user} WHERE id = ?`, id);

/** Returns the newest first; a name finds users whatever its case. */
export const usersNamed = (queries: Queries, username: string | null) => username === null
  ? queries.all<UserRow>(`${user} ORDER BY id DESC`)
  : queries.all<UserRow>(`${user} WHERE lower(username) = lower(?) ORDER BY id DESC`, username);

const user = 'SELECT id, username, name, state, admin FROM users';

export interface ContainerRow extends Row {
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly visibility: string;
}

export interface ProjectRow extends ContainerRow { readonly archived: number }

/** Former paths count too (behavior: requests.numeric-id, requests.project-path-has-slash, requests.path-case). */
export const projectBy = (queries: Queries, id: number | string) => typeof id === 'number'
  ? queries.get<ProjectRow>('SELECT * FROM projects WHERE id = ?', id)
  : id.includes('/') ? queries.get<ProjectRow>(
    `SELECT * FROM projects WHERE id IN (SELECT id FROM projects WHERE lower(path) = lower(?)
       UNION ALL SELECT project_id FROM former_paths WHERE lower(path) = lower(?)) ${exactFirst}`, id, id, id)
    : undefined;

/** Older stores can have paths that differ only in case. */
const exactFirst = 'ORDER BY path <> ? LIMIT 1';

export const allProjects = (queries: Queries) => queries.all<ProjectRow>('SELECT * FROM projects ORDER BY id DESC');

export const projectsBelow = (queries: Queries, path: string) => queries.all<ProjectRow>(
  'SELECT * FROM projects WHERE path > ? AND path < ? ORDER BY id DESC', `${path}/`, `${path}0`);

export const allGroups = (queries: Queries) => queries.all<ContainerRow>('SELECT * FROM groups ORDER BY name, id');

export const groupBy = (queries: Queries, id: number | string) => typeof id === 'number'
  ? queries.get<ContainerRow>('SELECT * FROM groups WHERE id = ?', id)
  : queries.get<ContainerRow>(`SELECT * FROM groups WHERE lower(path) = lower(?) ${exactFirst}`, id, id);

/** Groups at any depth. Both stores compare paths byte by byte; `0` follows `/`. */
export const groupsBelow = (queries: Queries, path: string) =>
  queries.all<ContainerRow>('SELECT * FROM groups WHERE path > ? AND path < ? ORDER BY path', `${path}/`, `${path}0`);

/** Memberships are inherited (behavior: access.inherited): `a/b/c` → `a`, `a/b`, `a/b/c`. */
export const pathsAbove = (path: string): string[] =>
  path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'));

export const parentPath = (path: string): string => pathsAbove(path).at(-2) ?? '';

export const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const levelsOf = async (queries: Queries, user: number): Promise<ReadonlyMap<string, number>> => {
  const rows = await queries.all<{ path: string; level: number }>(
    'SELECT path, level FROM members WHERE user_id = ?', user);
  return new Map(rows.map(({ path, level }) => [path, level]));
};

export interface MemberRow extends UserRow { readonly level: number }

/** Returns members of any of the paths by user id, with their highest levels. */
export const membersOn = (queries: Queries, paths: readonly string[]) => queries.all<MemberRow>(
  `SELECT users.id, username, name, state, admin, max(level) AS level
   FROM members JOIN users ON users.id = members.user_id WHERE path IN (${placeholders(paths.length)})
   GROUP BY users.id, username, name, state, admin ORDER BY users.id`, ...paths);

export const levelOn = async (queries: Queries, user: number, path: string): Promise<number> => {
  const paths = pathsAbove(path);
  const row = await queries.get<{ level: number | null }>(
    `SELECT max(level) AS level FROM members WHERE user_id = ? AND path IN (${placeholders(paths.length)})`,
    user, ...paths);
  return row?.level ?? 0;
};

/** Reads data that only a new world changes: users, permissions, projects and groups. */
export interface WorldReads extends Pick<Queries, 'get'> {
  /**
   * Caches granted access only. Missing and hidden objects take the same number of queries each time, so that the time
   * reveals nothing.
   * @param key identifies the object and the caller
   */
  cacheGrant<T extends object>(key: string, look: () => Promise<T | null>): Promise<T | null>;
  readonly settings: Settings;
  readonly epoch: string;
}

export type WorldCache = ReturnType<typeof createWorldCache>;

const maxEntries = 10_000;

interface CachedWorld extends Pick<WorldReads, 'epoch' | 'settings'> {
  readonly rows: Map<string, Row>;
  readonly grants: Map<string, object>;
}

/**
 * One row tells whether the cache is valid, instead of the four or five queries of an access check. Only rows that were
 * found are cached, so that guessing tokens does not fill it.
 */
export const createWorldCache = (overrides: SettingOverrides = {}) => {
  let world: CachedWorld | null = null;
  /** A batch never changes the world: one look at the epoch is enough for all of its writes. */
  const ofBatches = new WeakMap<object, Promise<WorldReads>>();

  const of = (queries: Queries): Promise<WorldReads> => {
    const { batch } = queries;
    if (!batch) return read(queries);
    const known = ofBatches.get(batch) ?? read(queries);
    ofBatches.set(batch, known);
    return known;
  };
  const read = async (queries: Queries): Promise<WorldReads> => {
    const row = await queries.get<MetaRow>(`SELECT name, value FROM meta WHERE name = 'epoch'`);
    const epoch = row?.value ?? '';
    if (world?.epoch !== epoch) {
      world = { epoch, settings: await readSettings(queries, overrides), rows: new Map(), grants: new Map() };
    }
    const { settings, rows, grants } = world;
    const get = async <R extends Row>(sql: string, ...values: Value[]): Promise<R | undefined> => {
      const [value] = values;
      const key = values.length === 1 ? `${typeof value} ${sql} ${String(value)}` : JSON.stringify([sql, ...values]);
      const known = rows.get(key) as R | undefined;
      if (known) return known;
      const row = await queries.get<R>(sql, ...values);
      if (row && rows.size < maxEntries) rows.set(key, row);
      return row;
    };
    const cacheGrant = async <T extends object>(key: string, look: () => Promise<T | null>): Promise<T | null> => {
      const known = grants.get(key) as T | undefined;
      if (known) return known;
      const found = await look();
      if (found && grants.size < maxEntries) grants.set(key, found);
      return found;
    };
    return { get, cacheGrant, settings, epoch };
  };

  return { of };
};
