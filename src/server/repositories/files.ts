import type { Queries } from '../store/database.js';

const longestPath = 500;

/** Relative, without `.` and `..`; short enough for an index of PostgreSQL. */
export const isFilePath = (path: string): boolean => path.length <= longestPath && !/[\0-\x1f\x7f\\]/.test(path)
  && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

/** The files of a project, as its world names them. */
export const ownFiles = '';

export const insertFiles = async (
  queries: Queries, project: number, base_sha: string, files: Iterable<readonly [path: string, content: string]>,
): Promise<void> => {
  for (const [path, content] of files) {
    await queries.run('INSERT INTO files (project_id, base_sha, path, content) VALUES (?, ?, ?, ?)',
      project, base_sha, path, content);
  }
};
