import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { App, CacheFolder, DraftFolder, StateFolder } from '../app.js';
import { Problem } from '../command-line/failure.js';
import { appendDurably, createDurably, readLimitedFile, writeDurably, writeWhole } from '../terminal/io/files.js';
import { largestInput, readProblem, utf8, writeProblem } from '../terminal/io/streams.js';

/** The XDG specification requires programs to ignore relative paths. @param home called only if it is needed */
export const stateFolder = (env: App['env'], home: () => string, platform: string): string => {
  const { XDG_STATE_HOME: state, LOCALAPPDATA: local } = env;
  if (state && isAbsolute(state)) return join(state, 'colloquy');
  if (platform === 'win32' && local) return join(local, 'colloquy', 'state');
  return join(home(), '.local', 'state', 'colloquy');
};

export const stateKey = async (text: string): Promise<string> => {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
};

/** Debian's home folder for users without one; it never exists. */
const missingFolder = '/nonexistent';

/**
 * The first absolute path that a source returns. A source throws for a user id without an account, as in some
 * containers; a missing folder then keeps files out of the working directory.
 */
export const homeFolder = (sources: readonly (() => string)[]): string => {
  for (const source of sources) {
    const home = attempt(source);
    if (home !== undefined && isAbsolute(home)) return home;
  }
  return missingFolder;
};

/**
 * With mode 0700; an existing folder keeps its mode. Node's recursive mkdir never returns below /proc, where the kernel
 * reports ENOENT although the parent exists.
 * @throws the system error with its `code`
 */
export const makeFolder = (path: string): void => {
  if (statSync(path, { throwIfNoEntry: false })) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};

/** Only this user can read the files. @param now sets the modification time of unchanged files */
export const cacheFolder = (state: () => string, now: () => Date): Omit<CacheFolder, 'completions'> => {
  const folder = () => join(state(), 'cache');
  const at = (name: string) => join(folder(), name);
  return {
    read: (name) => read(at(name)),
    change: (name, to) => change(folder(), at(name), to, now).catch(() => undefined),
    names: () => attempt(() => namesIn(folder())) ?? [],
    remove: (name) => { attempt(() => rmSync(at(name), { force: true })); },
  };
};

/** More than the program ever writes: larger files are not its own. */
const maxBytes = 1_000_000;

const read = (path: string): string | null => attempt(() => {
  const found = statSync(path);
  return found.isFile() && found.size <= maxBytes ? readFileSync(path, 'utf8') : '';
}) ?? null;

/** Half a second; then the change is dropped. */
const maxAttempts = 25;

/** An unchanged text needs no lock; only its modification time is set. */
const change = async (
  folder: string, path: string, to: (text: string | null) => string, now: () => Date,
): Promise<void> => {
  const before = read(path);
  if (to(before) === before) return utimesSync(path, now(), now());
  makeFolder(folder);
  const { withLock } = await import('./lock.js');
  await withLock(`${path}.lock`, () => writeWhole(path, to(read(path)), `${path}.part`), maxAttempts);
};

const namesIn = (folder: string): string[] => readdirSync(folder)
  .map((name) => ({ name, at: lstatSync(join(folder, name)).mtimeMs }))
  .toSorted((a, b) => b.at - a.at).map(({ name }) => name);

/** Undefined on any error. */
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

/** In bytes. No service takes so long a text, and to show what is invisible in larger ones would end the process. */
export const largestDraft = 33_554_432;

export const draftFolder = (state: () => string): DraftFolder => {
  const folder = () => join(state(), 'drafts');
  return {
    names: () => stateFiles(state).names('drafts').catch((error: Error) => {
      if ((error.cause as NodeJS.ErrnoException | undefined)?.code === 'EACCES') return [];
      throw error;
    }),
    pathOf: (name) => join(folder(), name),
    write: (name, text) =>
      createFile(state, `drafts/${name}`, text).catch(() => inTemporaryFolder(folder(), name, text)),
    read: async (path) => utf8(await readLimitedFile(path, largestDraft), path),
    rename: async (from, to) => {
      await rename(join(folder(), from), join(folder(), to));
      return join(folder(), to);
    },
    remove: async (path) => {
      await rm(path, { force: true });
      if (dirname(path) !== folder()) await rmdir(dirname(path)).catch(() => undefined);
    },
  };
};

/** Empty if the editor deleted it, as some do to give up. */
export const readEdited = ({ read }: DraftFolder, path: string): Promise<string> =>
  read(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });

const createFile = async (folder: () => string, name: string, text: string): Promise<string> => {
  const files = stateFiles(folder);
  await files.create(name, text);
  return files.pathOf(name);
};

/** For a home folder that is not writable, as in some containers. */
const inTemporaryFolder = (folder: string, name: string, text: string): Promise<string> =>
  orUnwritable(`a draft to ${folder} or ${tmpdir()}`,
    async () => {
      const own = await mkdtemp(join(tmpdir(), 'colloquy-'));
      return createFile(() => own, name, text);
    });

/** @param what such as `the journal /a/run.ndjson` @throws Problem instead of the system's error; others unchanged */
export const orUnwritable = async <T>(
  what: string, work: () => Promise<T>, hint = 'set XDG_STATE_HOME to a writable folder',
): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    if (typeof (cause as NodeJS.ErrnoException).code !== 'string' || cause instanceof Problem) throw cause;
    throw new Problem('failure', `cannot write ${what}: ${writeProblem(cause)}`, hint, { cause });
  }
};

/** @param texts by path */
export const draftsInMemory = (texts = new Map<string, string>()): DraftFolder => ({
  names: async () => [], pathOf: (name) => name, read: async (path) => texts.get(path) ?? '',
  write: async (name, text) => { texts.set(name, text); return name; },
  rename: async (from, to) => { texts.set(to, texts.get(from) ?? '').delete(from); return to; },
  remove: async (path) => { texts.delete(path); },
});

/** For the demo service: what other runs stored is about other services, and only an editor needs a file. */
export const stateInMemory = ({ ask, drafts: files }: App): Pick<App, 'ask' | 'drafts' | 'state'> => {
  const texts = new Map<string, string>();
  const drafts = draftsInMemory(texts);
  const edit: App['ask']['edit'] = async (path, line) => {
    if (!texts.has(path)) return ask.edit(path, line);
    const file = await files.write(path, await drafts.read(path));
    try {
      await ask.edit(file, line);
    } finally {
      await drafts.write(path, await readEdited(files, file));
      await files.remove(file);
    }
  };
  return { ask: { ...ask, edit }, drafts, state: noState };
};

const noState: StateFolder = {
  pathOf: (name) => name, read: async () => null, names: async () => [], locked: (_folder, work) => work(),
  create: async () => undefined, write: async () => undefined, append: async () => undefined,
  remove: async () => undefined,
};

/** The folder is created with the first file. */
export const stateFiles = (folder: () => string): StateFolder => {
  const filePath = (name: string) => join(folder(), ...name.split('/'));
  const pathInMadeFolder = (name: string) => {
    makeFolder(dirname(filePath(name)));
    return filePath(name);
  };
  return {
    pathOf: filePath,
    read: (name) => orIfMissing(filePath(name), (path) => readLimitedFile(path, largestInput), null),
    create: async (name, content) => createDurably(pathInMadeFolder(name), content),
    write: async (name, content) => writeDurably(pathInMadeFolder(name), content),
    append: (name, text) => appendDurably(filePath(name), text),
    remove: (name) => rm(filePath(name), { force: true }),
    names: async (name) => {
      const names = await orIfMissing(filePath(name), (path) => readdir(path), []);
      return names.filter((one) => !/\.(part|lock[~.\d]*)$/.test(one));
    },
    locked: (name, work, ifUnwritable) => lockedIn(filePath(name), work, ifUnwritable),
  };
};

const lockedIn = async <T>(
  folder: string, work: () => Promise<T>, ifUnwritable?: (error: NodeJS.ErrnoException) => Promise<T>,
): Promise<T> => {
  const { withLock } = await import('./lock.js');
  let isLocked = false;
  try {
    makeFolder(folder);
    return await withLock(join(folder, 'folder.lock'), () => {
      isLocked = true;
      return work();
    });
  } catch (error) {
    if (isLocked || error instanceof Problem || !ifUnwritable) throw error;
    return ifUnwritable(error as NodeJS.ErrnoException);
  }
};

const orIfMissing = async <T, M>(path: string, read: (path: string) => Promise<T>, missing: M): Promise<T | M> => {
  try {
    return await read(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return missing;
    throw new Problem('failure', `cannot read ${path}: ${readProblem(cause, largestInput)}`,
      'check its owner, or set XDG_STATE_HOME to another folder', { cause });
  }
};
