import { mkdirSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** The XDG specification requires programs to ignore relative paths. */
export const stateFolder = (env: Env, home: string, platform: string): string => {
  const { XDG_STATE_HOME: state, LOCALAPPDATA: local } = env;
  if (state && isAbsolute(state)) return join(state, 'colloquy');
  if (platform === 'win32' && local) return join(local, 'colloquy', 'state');
  return join(home, '.local', 'state', 'colloquy');
};

/** As 16 digits. */
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
    const home = orEmpty(source);
    if (isAbsolute(home)) return home;
  }
  return missingFolder;
};

const orEmpty = (source: () => string): string => {
  try {
    return source();
  } catch {
    return '';
  }
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
    if (!isFolder(path)) throw error;
  }
};

/** Another process may have created it in the meantime. */
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
