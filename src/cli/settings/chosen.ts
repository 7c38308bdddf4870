import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import type { Profile, Profiles } from './profiles.js';

/** The profile that a command line is about, whether it exists or not. */
export interface Chosen {
  readonly all: Profiles;
  readonly name: string;
  readonly profile: Profile;
}

/** The profile that is named by flag or environment, else the current one. */
export const chosenProfile = async ({ profiles, env }: App, flags: GlobalFlags): Promise<Chosen> => {
  const all = await profiles.read();
  const name = flags.profile ?? (env['COLLOQUY_PROFILE'] || all.current);
  return { all, name, profile: all.profiles[name] ?? {} };
};
