import { accessLevels } from '../contract/conventions.js';
import { type Got, objectIn, objectPath, type Probe, read, Skipped } from './check.js';

interface Caller { readonly id: number; readonly username: string; readonly is_admin?: boolean }

export const readCaller = async (probe: Probe): Promise<Caller> =>
  objectIn(await read(probe, '/user')) as unknown as Caller;

const isAdministrator = async (probe: Probe): Promise<boolean> => (await readCaller(probe)).is_admin === true;

export const requireAdministrator = async (probe: Probe): Promise<Caller> => {
  const caller = await readCaller(probe);
  if (caller.is_admin !== true) throw new Skipped('the token is not that of an administrator');
  return caller;
};

const skipUnless = (isMet: boolean, reason: string): void => { if (!isMet) throw new Skipped(reason); };

export const requireOrdinaryUser = async (probe: Probe): Promise<void> =>
  skipUnless(!await isAdministrator(probe), 'the token is that of an administrator');

const isOwner = async (probe: Probe): Promise<boolean> => await levelOf(probe) >= accessLevels.owner;

/** Reporters and above see internal notes. */
export const isReporter = async (probe: Probe): Promise<boolean> => await levelOf(probe) >= accessLevels.reporter;

export const requireReporter = async (probe: Probe): Promise<void> =>
  skipUnless(await isReporter(probe), 'the token has no role of reporter or above');

type Access = { readonly access_level: number } | null;

export const accessLevelIn = (project: Got): number => {
  const permissions = objectIn(project)['permissions'] as Readonly<Record<string, Access>> | undefined;
  return Math.max(...['project_access', 'group_access'].map((name) => permissions?.[name]?.access_level ?? 0));
};

const levelOf = async (probe: Probe): Promise<number> => await isAdministrator(probe) ? accessLevels.owner
  : accessLevelIn(await read(probe, objectPath(probe, 'project')));

/** In the group; null if the service does not say it. */
const groupLevelOf = async (probe: Probe): Promise<unknown> => {
  const { id, is_admin } = await readCaller(probe);
  if (is_admin === true) return accessLevels.owner;
  const got = await probe.call('GET', `${objectPath(probe, 'group')}/members/all/${id}`);
  if (got.status === 200) return objectIn(got)['access_level'];
  return objectIn(got)['error'] === undefined ? 0 : null;
};

/** @throws Skipped for callers below developer, who may resolve threads only on what they wrote */
export const requireDeveloper = async (probe: Probe, of: 'project' | 'group'): Promise<void> => {
  const level = of === 'project' ? await levelOf(probe) : await groupLevelOf(probe);
  skipUnless(typeof level === 'number' && level >= accessLevels.developer, 'the token may not resolve threads');
};

export const requireGuest = async (probe: Probe, of: 'project' | 'group' = 'project'): Promise<void> => {
  const level = of === 'group' ? await groupLevelOf(probe) : null;
  skipUnless((level ?? await levelOf(probe)) === accessLevels.guest, 'the token is not that of a guest');
};

export const requireOwner = async (probe: Probe): Promise<void> =>
  skipUnless(await isOwner(probe), 'the token is neither that of an administrator nor that of an owner');

/** @throws Skipped for owners and administrators */
export const requireOther = async (probe: Probe): Promise<void> =>
  skipUnless(!await isOwner(probe), 'the token is that of an administrator or an owner');
