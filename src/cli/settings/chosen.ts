import type { App } from '../app.js';
import { usage } from '../failures.js';
import type { GlobalFlags } from '../flags/global.js';
import type { Profile, Profiles } from './profiles.js';

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
