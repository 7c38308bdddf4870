import type { Queries, Row } from '../store/database.js';

const longestPath = 500;

/** Relative, without `.` and `..`; short enough for an index of PostgreSQL. */
export const isFilePath = (path: string): boolean => path.length <= longestPath && !/[\0-\x1f\x7f\\]/.test(path)
  && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

/** The files of a project, as its world names them. */
export const ownFiles = '';

interface FileRow extends Row { readonly path: string; readonly content: string }

/** By path, of a base or of the project; empty if they are not stored. */
export const storedFiles = async (
  queries: Queries, project: number, base_sha = ownFiles,
): Promise<ReadonlyMap<string, string>> => {
  const rows = await queries.all<FileRow>(
    'SELECT path, content FROM files WHERE project_id = ? AND base_sha = ? ORDER BY path', project, base_sha);
  return new Map(rows.map(({ path, content }) => [path, content]));
};

/** A base without files of its own has those of the project. */
export const filesOfBase = async (
  queries: Queries, project: number, base_sha: string,
): Promise<ReadonlyMap<string, string>> => {
  const files = await storedFiles(queries, project, base_sha);
  return files.size > 0 ? files : storedFiles(queries, project);
};

interface ContentRow extends Row { readonly content: string }

/** Of the project, not of a base. */
export const fileText = async (queries: Queries, project: number, path: string): Promise<string | undefined> =>
  (await queries.get<ContentRow>(
    'SELECT content FROM files WHERE project_id = ? AND base_sha = ? AND path = ?', project, ownFiles, path))?.content;

export const insertFiles = async (
  queries: Queries, project: number, base_sha: string, files: Iterable<readonly [path: string, content: string]>,
): Promise<void> => {
  for (const [path, content] of files) {
    await queries.run('INSERT INTO files (project_id, base_sha, path, content) VALUES (?, ?, ?, ?)',
      project, base_sha, path, content);
  }
};
