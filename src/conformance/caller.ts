import { accessLevels } from '../contract/conventions.js';
import { pathOf, Skipped, type Got, type Probe } from './check.js';
import { objectIn, read } from './expect.js';

interface Caller { readonly id: number; readonly username: string; readonly is_admin?: boolean }

export const callerOf = async (probe: Probe): Promise<Caller> =>
  objectIn(await read(probe, '/user')) as unknown as Caller;

export const isAdministrator = async (probe: Probe): Promise<boolean> => (await callerOf(probe)).is_admin === true;

/** @throws Skipped for an administrator */
export const requireOrdinaryUser = async (probe: Probe): Promise<void> => {
  if (await isAdministrator(probe)) throw new Skipped('the token is that of an administrator');
};

/** Administrators and owners of the project. */
const isOwner = async (probe: Probe): Promise<boolean> => {
  if (await isAdministrator(probe)) return true;
  return accessLevelIn(await read(probe, pathOf(probe, 'project'))) >= accessLevels.owner;
};

type Access = { readonly access_level: number } | null;
interface Permissions { readonly project_access?: Access; readonly group_access?: Access }

/** The role of the caller in a project, 0 for none. */
export const accessLevelIn = (project: Got): number => {
  const permissions = objectIn(project)['permissions'] as Permissions | undefined;
  const levels = [permissions?.project_access?.access_level ?? 0, permissions?.group_access?.access_level ?? 0];
  return Math.max(...levels);
};

/** @throws Skipped for others */
export const requireOwner = async (probe: Probe): Promise<void> => {
  if (!await isOwner(probe)) throw new Skipped('the token is neither that of an administrator nor that of an owner');
};

/** @throws Skipped for owners and administrators */
export const requireOther = async (probe: Probe): Promise<void> => {
  if (await isOwner(probe)) throw new Skipped('the token is that of an administrator or an owner');
};
