import type { App, Profile, Profiles } from '../app.js';
import { usage } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import { say } from '../io/messages.js';

export const noProfiles: Profiles = { current: 'default', profiles: {} };

type Change = { readonly [K in keyof Profile]?: Profile[K] | undefined };

/** Profiles with one of them changed; keys set to undefined are dropped. */
export const withProfile = (all: Profiles, name: string, change: Change): Profiles => {
  const merged = { ...all.profiles[name], ...change };
  const kept = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  return { ...all, profiles: { ...all.profiles, [name]: kept } };
};

/** Whether a token is kept for a profile, wherever that is. */
export const hasToken = ({ token, keyring }: Profile): boolean => token !== undefined || keyring === true;

/** The profile that a command line is about, whether it exists or not. */
export interface Chosen {
  readonly all: Profiles;
  readonly name: string;
  readonly profile: Profile;
}

/**
 * The profile that is named by flag or environment, else the current one.
 * @throws Problem for a flag that names none, as an empty variable of a script does
 */
export const chosenProfile = async ({ profiles, env }: App, flags: GlobalFlags): Promise<Chosen> => {
  if (flags.profile?.trim() === '') throw usage('--profile names no profile', 'leave it out for the current one');
  const all = await profiles.read();
  const name = flags.profile ?? (env['COLLOQUY_PROFILE'] || all.current);
  return { all, name, profile: all.profiles[name] ?? {} };
};

/** Whether a change of the settings is only rehearsed with `--dry-run`; then it is told what would be done. */
export const rehearsed = async (app: App, flags: GlobalFlags, what: string): Promise<boolean> => {
  if (!flags.dryRun) return false;
  await say(app, flags, `would ${what}; nothing is stored with --dry-run`);
  return true;
};
