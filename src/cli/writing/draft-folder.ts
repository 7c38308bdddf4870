import { mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { DraftFolder } from '../app.js';
import { Problem } from '../errors/failure.js';
import { makeFolder } from '../settings/folders.js';

type Env = Readonly<Record<string, string | undefined>>;

/** The folder for what the program keeps between two calls; XDG asks to pass over a path that is not absolute. */
export const stateFolder = (env: Env, home: string, platform: string): string => {
  const { XDG_STATE_HOME: state, LOCALAPPDATA: local } = env;
  if (state && isAbsolute(state)) return join(state, 'colloquy');
  if (platform === 'win32' && local) return join(local, 'colloquy', 'state');
  return join(home, '.local', 'state', 'colloquy');
};

/** Drafts as files that nobody else can read, in a folder that is created for this user alone. */
export const draftFolder = (state: string): DraftFolder => {
  const folder = join(state, 'drafts');
  return {
    names: () => names(folder),
    pathOf: (name) => join(folder, name),
    write: (name, text) => write(folder, name, text),
    read: (path) => readFile(path, 'utf8'),
    remove: async (path) => {
      await rm(path, { force: true });
      if (dirname(path) !== folder) await rmdir(dirname(path)).catch(() => undefined);
    },
  };
};

const names = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return [];
    throw error;
  }
};

/** Where the home folder takes nothing, as in some containers, a new folder for temporary files takes its place. */
const write = async (folder: string, name: string, text: string): Promise<string> => {
  try {
    makeFolder(folder);
    return await written(join(folder, name), text);
  } catch {
    return inTemporaryFolder(folder, name, text);
  }
};

const inTemporaryFolder = async (folder: string, name: string, text: string): Promise<string> => {
  try {
    return await written(join(await mkdtemp(join(tmpdir(), 'colloquy-')), name), text);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new Problem('failure', `a draft cannot be stored in ${folder} or ${tmpdir()} (${code ?? message})`,
      'set XDG_STATE_HOME to a folder that you can write to', { cause });
  }
};

const written = async (path: string, text: string): Promise<string> => {
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  return path;
};
