import { mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DraftFolder } from '../app.js';
import { readLimitedFile } from '../terminal/io/files.js';
import { largestInput, writeProblem } from '../terminal/io/streams.js';
import { Problem } from '../command-line/failure.js';

export const draftFolder = (state: string): DraftFolder => {
  const folder = join(state, 'drafts');
  return {
    names: () => namesIn(state),
    pathOf: (name) => join(folder, name),
    write: async (name, text) => {
      try {
        return await created(state, `drafts/${name}`, text);
      } catch {
        return inTemporaryFolder(folder, name, text);
      }
    },
    read: async (path) => new TextDecoder().decode(await readLimitedFile(path, largestInput)),
    remove: async (path) => {
      await rm(path, { force: true });
      if (dirname(path) !== folder) await rmdir(dirname(path)).catch(() => undefined);
    },
  };
};

const opened = async (folder: string) => (await import('./state-files.js')).stateFiles(folder);

const namesIn = async (state: string): Promise<readonly string[]> => {
  try {
    return await (await opened(state)).names('drafts');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return [];
    throw error;
  }
};

const created = async (folder: string, name: string, text: string): Promise<string> => {
  const files = await opened(folder);
  await files.create(name, text);
  return files.pathOf(name);
};

/** For a home folder that is not writable, as in some containers. */
const inTemporaryFolder = async (folder: string, name: string, text: string): Promise<string> => {
  try {
    return await created(await mkdtemp(join(tmpdir(), 'colloquy-')), name, text);
  } catch (cause) {
    throw new Problem('failure', `cannot write a draft to ${folder} or ${tmpdir()}: ${writeProblem(cause)}`,
      'set XDG_STATE_HOME to a writable folder', { cause });
  }
};
