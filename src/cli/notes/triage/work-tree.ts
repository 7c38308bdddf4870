import { join } from 'node:path';
import type { Discussion } from '../../../contract/shapes/note.js';
import { Problem } from '../../command-line/failure.js';
import { readProblem } from '../../terminal/io/streams.js';
import type { Surroundings } from './surroundings.js';
import type { Result } from './state.js';

/** In bytes: larger files are no texts that a review is about. */
const largestText = 67_108_864;

/** Opens the editor at the commented line of a regular file within the work tree. */
export const openLine = async ({ app, lend }: Surroundings, { notes: [first] }: Discussion): Promise<Result> => {
  const position = first?.position;
  const path = position?.new_path;
  const top = await app.workTree();
  if (typeof path !== 'string') throw new Problem('failure', 'this thread is not on a file');
  if (top === null) throw new Problem('failure', 'the current folder is not in a git work tree');
  const file = join(top, path);
  try {
    await app.files.readLimited(file, largestText, top);
  } catch (error) {
    throw new Problem('failure', `cannot read ${path}: ${readProblem(error, largestText)}`);
  }
  const line = position?.position_type === 'text' ? position.new_line ?? undefined : undefined;
  await lend(() => app.edit(file, line));
  return { kind: 'done', message: `closed ${path}` };
};
