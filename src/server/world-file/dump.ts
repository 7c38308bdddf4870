import { accessLevels } from '../../contract/conventions.js';
import { jobScope } from '../api/request.js';
import type { UploadRow } from '../repositories/appearance.js';
import type { LabelRow } from '../repositories/issuables.js';
import type { HookRow } from '../repositories/hooks.js';
import type { Database, Queries, Row } from '../store/database.js';
import { addToList, filesByBase, type FilesOfBase, type NoteableRows, noteablesBy, present } from './dump-noteables.js';
import type {
  Role, World, WorldAppearance, WorldGroup, WorldHook, WorldImage, WorldProject, WorldSettings, WorldToken, WorldUser,
} from './schema.js';
import type { TokenRow, UserRow } from '../repositories/world.js';

/** The dump has the secrets of webhooks, since a digest could not be sent. */
const hookFrom = (row: HookRow): WorldHook => ({
  id: row.id, url: row.url, ...(row.token !== null && { token: row.token }),
  events: [
    ...row.note_events ? ['note' as const] : [],
    ...row.merge_requests_events ? ['merge_request' as const] : [],
    ...row.issues_events ? ['issue' as const] : [],
  ],
  confidential_notes: row.confidential_note_events === 1,
  ...row.confidential_issues_events !== row.issues_events && {
    confidential_issues: row.confidential_issues_events === 1,
  },
  enable_ssl_verification: row.enable_ssl_verification === 1,
  created_at: row.created_at,
});

/** Reads the store as a world that seeds an identical store. Tokens are dumped as digests. */
export const dumpWorld = (database: Database): Promise<World> => database.read(readWorldFrom);

const readWorldFrom = async (queries: Queries): Promise<World> => {
  const roles = await rolesByPath(queries);
  const files = await filesByBase(queries);
  const noteables = await noteablesBy(queries, files);
  return {
    settings: await dumpSettings(queries),
    users: await dumpUsers(queries),
    groups: await dumpGroups(queries, roles, noteables),
    projects: await dumpProjects(queries, roles, noteables, files),
    appearance: await dumpAppearance(queries),
  };
};

interface NamedValue extends Row { readonly name: string; readonly value: string }

const dumpSettings = async (queries: Queries): Promise<WorldSettings> => {
  const rows = await queries.all<NamedValue>(`SELECT name, value FROM meta WHERE name LIKE 'setting.%' ORDER BY name`);
  return Object.fromEntries(rows.map(({ name, value }) => [name.slice('setting.'.length), settingFrom(name, value)]));
};

const settingFrom = (name: string, value: string): unknown => {
  if (/epics$/.test(name)) return value === '1';
  return /limit(_allowlist)?$/.test(name) ? JSON.parse(value) : value;
};

interface ContainerRow extends Row, Required<Pick<WorldGroup, 'id' | 'path' | 'name' | 'visibility'>> {}
type Roles = Awaited<ReturnType<typeof rolesByPath>>;

const dumpGroups = async (queries: Queries, roles: Roles, noteables: NoteableRows): Promise<WorldGroup[]> => {
  const rows = await queries.all<ContainerRow & { readonly enforce_granular_tokens: number }>(
    'SELECT id, path, name, visibility, enforce_granular_tokens FROM groups ORDER BY id');
  return rows.map(({ enforce_granular_tokens, ...row }) => ({
    ...row, ...enforce_granular_tokens === 1 && { enforce_granular_tokens: true },
    members: roles(row.path), epics: noteables('epic', row.id),
  }));
};

const dumpProjects = async (
  queries: Queries, roles: Roles, noteables: NoteableRows, filesOf: FilesOfBase,
): Promise<WorldProject[]> => {
  const rows = await queries.all<ContainerRow & { readonly archived: number }>(
    'SELECT id, path, name, visibility, archived FROM projects ORDER BY id');
  const formerPaths = await queries.all<{ path: string; project_id: number }>(
    'SELECT path, project_id FROM former_paths ORDER BY path');
  const labels = await queries.all<LabelRow>('SELECT id, project_id, title FROM labels ORDER BY title');
  const hooks = await queries.all<HookRow>('SELECT * FROM hooks ORDER BY id');
  return rows.map((row) => ({
    ...row, ...present({ moved_from: ofProject(row.id, formerPaths, ({ path }) => path) }),
    archived: row.archived === 1, members: roles(row.path),
    issues: noteables('issue', row.id), snippets: noteables('snippet', row.id),
    merge_requests: noteables('merge_request', row.id), commits: noteables('commit', row.id),
    ...present({
      files: filesOf(row.id) ?? null, labels: ofProject(row.id, labels, ({ title }) => title),
      hooks: ofProject(row.id, hooks, hookFrom),
    }),
  }));
};

/** Null for a project without any. */
const ofProject = <R extends { readonly project_id: number }, T>(
  project: number, rows: readonly R[], from: (row: R) => T,
): T[] | null => {
  const own = rows.filter(({ project_id }) => project_id === project);
  return own.length === 0 ? null : own.map(from);
};

const dumpAppearance = async (queries: Queries): Promise<WorldAppearance> => {
  const rows = await queries.all<NamedValue>('SELECT name, value FROM appearance ORDER BY name');
  const uploads = await queries.all<UploadRow & { readonly mount: string }>('SELECT * FROM uploads ORDER BY mount');
  const images = new Map(uploads.map(({ mount, file_name, media_type, content }): [string, WorldImage] =>
    [mount, { file_name, media_type, content: Buffer.from(content).toString('base64') }]));
  return Object.fromEntries(rows.map(({ name, value }) =>
    [name, images.get(name) ?? (name === 'email_header_and_footer_enabled' ? value === '1' : value)]));
};

interface UserTokenRow extends Row,
  Pick<TokenRow, 'digest' | 'scopes' | 'expires_at' | 'revoked' | 'permissions'> { readonly user_id: number }

const dumpUsers = async (queries: Queries): Promise<WorldUser[]> => {
  const users = await queries.all<UserRow & { readonly state: NonNullable<WorldUser['state']> }>(
    'SELECT id, username, name, state, admin FROM users ORDER BY id');
  const tokens = new Map<number, WorldToken[]>(users.map(({ id }) => [id, []]));
  for (const token of await queries.all<UserTokenRow>('SELECT * FROM tokens ORDER BY digest')) {
    tokens.get(token.user_id)?.push(tokenFrom(token));
  }
  return users.map((user) => ({ ...user, admin: user.admin === 1, tokens: tokens.get(user.id)! }));
};

const tokenFrom = ({ digest, expires_at, revoked, ...rights }: UserTokenRow): WorldToken => ({
  digest, ...rightsFrom(rights),
  ...(expires_at !== null && { expires_at }), revoked: revoked === 1,
});

const rightsFrom = (
  { scopes, permissions }: Pick<TokenRow, 'scopes' | 'permissions'>,
): Pick<WorldToken, 'kind' | 'permissions' | 'scopes'> => {
  if (permissions !== null) return { kind: 'granular', permissions: JSON.parse(permissions) as string[] };
  return scopes === jobScope ? { kind: 'job' }
    : { scopes: scopes.split(' ').filter((scope) => scope !== '') as NonNullable<WorldToken['scopes']> };
};

const rolesByPath = async (queries: Queries): Promise<(path: string) => Record<string, Role>> => {
  const rows = await queries.all<{ path: string; username: string; level: number }>(
    `SELECT path, username, level FROM members JOIN users ON users.id = members.user_id ORDER BY user_id`);
  const roles = new Map<string, [string, Role][]>();
  for (const { path, username, level } of rows) addToList(roles, path, [username, roleOf(level)]);
  return (path) => Object.fromEntries(roles.get(path) ?? []);
};

const roleOf = (level: number): Role =>
  (Object.keys(accessLevels) as Role[]).findLast((role) => accessLevels[role] <= level) ?? 'guest';
