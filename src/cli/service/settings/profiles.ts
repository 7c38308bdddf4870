import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { nearestName } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import { isObject } from '../../../wire/json.js';
import {
  type Activity, type App, type Keyring, type Profile, type ProfileKey, profileKeys, type Profiles, type ProfileStore,
} from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { makeFolder, orUnwritable } from '../../state/folders.js';
import { say } from '../../terminal/io/messages.js';
import { readProblem } from '../../terminal/io/streams.js';

export const noProfiles: Profiles = { current: 'default', profiles: {} };

export const withProfile = (
  all: Profiles, name: string, change: { readonly [K in keyof Profile]?: Profile[K] | undefined },
): Profiles => {
  const merged = { ...all.profiles[name], ...change };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  return { ...all, profiles: { ...all.profiles, [name]: kept } };
};

/** A profile is used in any folder. */
export const absoluteIfPath = (app: App, key: ProfileKey, value: string): string =>
  ['ca-cert', 'client-cert', 'client-key'].includes(key) ? resolve(app.files.folder(), value) : value;

export const hasToken = ({ token, keyring }: Profile): boolean => token !== undefined || keyring === true;

export interface SelectedProfile {
  readonly all: Profiles;
  readonly name: string;
  readonly profile: Profile;
}

const warned = new WeakSet<Activity>();

/** Once in a run. */
export const warnOfUnknownKeys = async (app: App, flags: GlobalFlags, { unknown = [] }: Profiles): Promise<void> => {
  if (warned.has(app.activity)) return;
  warned.add(app.activity);
  for (const { message, hint } of unknown) await say(app, flags, `${message}: ${hint}`);
};

export const selectedProfile = async (app: App, flags: GlobalFlags): Promise<SelectedProfile> => {
  const { env, profiles } = app;
  const all = await profiles.read();
  if (all.unknown) await warnOfUnknownKeys(app, flags, all);
  const name = flags.profile ?? (env['COLLOQUY_PROFILE'] || all.current);
  return { all, name, profile: all.profiles[name] ?? {} };
};

export const isDryRun = async (app: App, flags: GlobalFlags, what: string): Promise<boolean> => {
  if (!flags.dryRun && !flags.sandbox) return false;
  await say(app, flags, `would ${what}; nothing is stored with ${flags.dryRun ? '--dry-run' : '--sandbox'}`);
  return true;
};

/** The XDG specification requires programs to ignore relative paths. */
export const configFolder = (env: App['env'], home: () => string, platform: string): string => {
  const { COLLOQUY_CONFIG_DIR: own, XDG_CONFIG_HOME: config } = env;
  if (own) return own;
  if (config && isAbsolute(config)) return join(config, 'colloquy');
  if (platform === 'win32' && env['APPDATA']) return join(env['APPDATA'], 'colloquy');
  return join(home(), '.config', 'colloquy');
};

/** Only this user can read the file. conf only writes it: loading conf takes longer than a whole command. */
export const profileStore = (folder: string): Omit<ProfileStore, 'keyring'> => {
  const path = join(folder, 'config.json');
  return {
    path, read: () => read(path), change: (to) => change(folder, path, to), isShared: () => isShared(folder),
    isExposed: () => isExposed(folder, path),
  };
};

/** With the sticky bit, as on /tmp, users can only replace their own files. Windows does not have these modes. */
const isShared = (folder: string): boolean => {
  const { mode } = statSync(folder);
  return process.platform !== 'win32' && (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
};

/** To read a file, the group or all users also need the right to search its folder. */
const isExposed = (folder: string, path: string): boolean =>
  process.platform !== 'win32' && ((statSync(path).mode >> 2) & statSync(folder).mode & 0o011) !== 0;

/** Synchronous: reading this file takes less time than loading node:fs/promises. */
const read = async (path: string): Promise<Profiles> => {
  try {
    // Usually the file does not exist, and creating an error takes longer than this check.
    if (!statSync(path, { throwIfNoEntry: false })) return noProfiles;
    return parseProfiles(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (error instanceof Problem) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || isInaccessibleHome(path, code)) return noProfiles;
    throw new Problem('failure', `cannot read ${path}: ${readProblem(error)}`, folderHint, { cause: error });
  }
};

const folderHint = 'check its owner, or set COLLOQUY_CONFIG_DIR to another folder';

/** Such as after `sudo -u` or in a container. */
const isInaccessibleHome = (path: string, code: string | undefined): boolean => {
  if (code !== 'EACCES') return false;
  try {
    accessSync(dirname(dirname(path)), constants.X_OK);
    return false;
  } catch {
    return true;
  }
};

/** Reads the file again under the lock, because another process can have changed it. */
const change = async (folder: string, path: string, to: (profiles: Profiles) => Profiles): Promise<Profiles> => {
  const write = await profileWriter(folder);
  const { withLock: locked } = await import('../../state/lock.js');
  return orUnwritable(`profiles to ${folder}`, async () => {
    makeFolder(folder);
    return locked(`${path}.lock`, async () => {
      const before = await read(path);
      write(to(before));
      return before;
    });
  }, folderHint);
};

const profileWriter = async (folder: string): Promise<(profiles: Profiles) => void> => {
  // conf always reads HOME, which is not set for every user.
  process.env['HOME'] ??= dirname(folder);
  const { default: Conf } = await import('conf');
  return ({ current, profiles }) => {
    const conf = new Conf({ cwd: folder, configFileMode: 0o600, accessPropertiesByDotNotation: false });
    conf.store = { current, profiles };
  };
};

/** @param path for messages @throws Problem for invalid content */
const parseProfiles = (text: string, path: string): Profiles => {
  const stored = parseJson(text, path);
  const { current = 'default', profiles = {} } = isObject(stored) ? stored : { profiles: stored };
  const wrong = typeof current === 'string' ? profilesError(profiles) : 'current is not a string';
  if (wrong !== null) throw new Problem('failure', `${path} is not a valid profile file: ${wrong}`, 'fix or remove it');
  const unknown = unknownKeys(stored as object, profiles as Profiles['profiles'], path);
  return { current, profiles, ...unknown.length > 0 && { unknown } } as Profiles;
};

const keysOfFile = ['current', 'profiles'];
const keysOfProfile: readonly string[] = [...profileKeys, 'token', 'keyring'];

const unknownKeys = (
  stored: object, profiles: Profiles['profiles'], path: string,
): Required<Profiles>['unknown'] => {
  const unknownIn = (object: object, known: readonly string[], place: string) =>
    Object.keys(object).filter((key) => !known.includes(key)).map((key) => {
      const near = nearestName(key, known);
      return {
        message: `unknown key ${plainLine(key)} in ${place}`,
        hint: near !== null ? `did you mean ${near}?`
          : keysOfProfile.includes(key) ? 'move it into a profile' : `use one of: ${known.join(', ')}`,
      };
    });
  return [
    ...unknownIn(stored, keysOfFile, path),
    ...Object.entries(profiles).flatMap(([name, profile]) =>
      unknownIn(profile, keysOfProfile, `profile ${plainLine(name)} of ${path}`)),
  ];
};

const parseJson = (text: string, path: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const before = text.slice(0, wrongAt(text, (cause as Error).message)).split('\n');
    throw new Problem('failure', `${path} is not JSON: line ${before.length}, column ${before.at(-1)!.length + 1}`,
      'fix or remove it', { cause });
  }
};

/** The error of Node.js has no position for some tokens: then the first part of the text with this error ends there. */
const wrongAt = (text: string, message: string): number => {
  const [, position] = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message) ?? [];
  if (position !== undefined) return Number(position);
  if (!isWrongToken(message)) return text.length;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hasWrongToken(text.slice(0, middle + 1))) high = middle;
    else low = middle + 1;
  }
  return low;
};

const isWrongToken = (message: string): boolean => message.endsWith(' is not valid JSON');

const hasWrongToken = (text: string): boolean => {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return isWrongToken((error as Error).message);
  }
};

const profilesError = (profiles: unknown): string | null => {
  if (!isObject(profiles)) return 'expected an object of profiles';
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isObject(profile)) return `profile ${name} is not an object`;
    const wrong = Object.entries(profile)
      .find(([key, value]) => typeof value !== (key === 'keyring' ? 'boolean' : 'string'));
    if (wrong) return `${wrong[0]} of profile ${name} is not ${wrong[0] === 'keyring' ? 'true or false' : 'a string'}`;
  }
  return null;
};

/**
 * Loaded on first use. On Linux only the Secret Service is used: the kernel keyring, the fallback of the library, loses
 * its content at the end of the session.
 */
export const systemKeyring: Keyring = {
  get: async (account) => (await entry(account)).getPassword(),
  set: async (account, secret) => (await entry(account)).setPassword(secret),
  remove: async (account) => { await (await entry(account)).deletePassword(); },
};

const entry = async (account: string) => {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  return new AsyncEntry('colloquy', account, { linux: { store: 'secret-service' } });
};
