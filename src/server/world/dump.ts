import type { Database, Queries, Row } from '../store/database.js';
import { dumpAppearance } from './dump-appearance.js';
import { noteablesBy, type NoteableRows } from './dump-noteables.js';
import { dumpUsers, rolesByPath } from './dump-people.js';
import type { World, WorldGroup, WorldProject, WorldSettings } from './shape.js';

/** All that a store holds, as a world that fills another store to the same answers. Tokens are dumped as digests. */
export const dumpWorld = (database: Database): Promise<World> => database.read(readWorldFrom);

/** The same inside a unit of work. */
export const readWorldFrom = async (queries: Queries): Promise<World> => {
  const roles = await rolesByPath(queries);
  const noteables = await noteablesBy(queries);
  return {
    settings: await dumpSettings(queries),
    users: await dumpUsers(queries),
    groups: await dumpGroups(queries, roles, noteables),
    projects: await dumpProjects(queries, roles, noteables),
    appearance: await dumpAppearance(queries),
  };
};

interface MetaRow extends Row { readonly name: string; readonly value: string }

const dumpSettings = async (queries: Queries): Promise<WorldSettings> => {
  const rows = await queries.all<MetaRow>(`SELECT name, value FROM meta WHERE name LIKE 'setting.%' ORDER BY name`);
  return Object.fromEntries(rows.map(({ name, value }) => [name.slice('setting.'.length), value === '1']));
};

interface ContainerRow extends Row {
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly visibility: NonNullable<WorldGroup['visibility']>;
}
interface ProjectRow extends ContainerRow { readonly archived: number }
type Roles = Awaited<ReturnType<typeof rolesByPath>>;

const dumpGroups = async (queries: Queries, roles: Roles, noteables: NoteableRows): Promise<WorldGroup[]> => {
  const rows = await queries.all<ContainerRow>('SELECT id, path, name, visibility FROM groups ORDER BY id');
  return rows.map((row) => ({
    ...row, members: roles(row.path), epics: noteables('epic', row.id),
  }));
};

const dumpProjects = async (queries: Queries, roles: Roles, noteables: NoteableRows): Promise<WorldProject[]> => {
  const rows = await queries.all<ProjectRow>('SELECT id, path, name, visibility, archived FROM projects ORDER BY id');
  return rows.map((row) => ({
    ...row, archived: row.archived === 1, members: roles(row.path),
    issues: noteables('issue', row.id), snippets: noteables('snippet', row.id),
    merge_requests: noteables('merge_request', row.id), commits: noteables('commit', row.id),
  }));
};
