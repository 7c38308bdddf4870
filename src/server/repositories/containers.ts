import type { Queries, Row } from '../store/database.js';

/** A row of `projects` or `groups`: what holds noteables. */
export interface ContainerRow extends Row {
  readonly id: number;
  /** The full path, `group/subgroup/project`. */
  readonly path: string;
  readonly name: string;
  /** `public`, `internal` or `private`. */
  readonly visibility: string;
}

export interface ProjectRow extends ContainerRow { readonly archived: number }

/** A project by id or full path. A path without a slash never names one (wire-facts 1.8.2). */
export const projectBy = (queries: Queries, id: number | string) => typeof id === 'number'
  ? queries.get<ProjectRow>('SELECT * FROM projects WHERE id = ?', id)
  : id.includes('/') ? queries.get<ProjectRow>('SELECT * FROM projects WHERE path = ?', id) : undefined;

/** A group by id or full path. */
export const groupBy = (queries: Queries, id: number | string) => typeof id === 'number'
  ? queries.get<ContainerRow>('SELECT * FROM groups WHERE id = ?', id)
  : queries.get<ContainerRow>('SELECT * FROM groups WHERE path = ?', id);

/** `a/b/c` → `a`, `a/b`, `a/b/c`: where a membership may come from. */
export const pathsAbove = (path: string): string[] =>
  path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'));

interface LevelRow extends Row { readonly level: number | null }

/** The highest access level of a user along a path; 0 for none. */
export const levelOn = async (queries: Queries, user: number, path: string): Promise<number> => {
  const paths = pathsAbove(path);
  const row = await queries.get<LevelRow>(
    `SELECT max(level) AS level FROM members WHERE user_id = ? AND path IN (${paths.map(() => '?').join(', ')})`,
    user, ...paths);
  return row?.level ?? 0;
};
