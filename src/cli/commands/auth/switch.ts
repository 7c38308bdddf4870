import type { Command } from 'commander';
import { nearestName } from '../../../text/nearest.js';
import type { App, Profile, Profiles } from '../../app.js';
import { usage } from '../../errors/failure.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { canAsk, say } from '../../io/messages.js';
import { isDryRun } from '../../settings/profiles.js';

export const authSwitchCommand = (app: App): Command =>
  verb('switch', 'choose the profile that counts when none is named', ['auth switch work', 'auth switch'])
    .argument('[profile]', 'name of the profile; of two, the other one when left out')
    .action(acting<object>((flags, name?: string) => authSwitch(app, flags, name)));

const authSwitch = async (app: App, input: GlobalFlags, word: string | undefined): Promise<void> => {
  const all = await app.profiles.read();
  const name = word ?? input.profile ?? await otherOf(app, input, all);
  const profile = profileIn(all, name);
  if (await isDryRun(app, input, `make ${name} the profile that counts`)) return;
  await app.profiles.change((now) => profileIn(now, name) && { ...now, current: name });
  await say(app, input, `profile ${name} counts from now on${profile.url ? `, for ${profile.url}` : ''}`);
  const variable = ['COLLOQUY_PROFILE', 'COLLOQUY_URL', 'COLLOQUY_TOKEN'].find((key) => app.env[key]);
  if (variable) await say(app, input, `${variable} is set and goes before it`);
};

/** @throws Problem when there is none of that name */
const profileIn = (all: Profiles, name: string): Profile => {
  const profile = all.profiles[name];
  if (!profile) throw unknown(all, name);
  return profile;
};

const otherOf = async (app: App, input: GlobalFlags, { current, profiles }: Profiles): Promise<string> => {
  const others = Object.keys(profiles).filter((name) => name !== current);
  if (others.length === 1) return others[0]!;
  if (others.length === 0) {
    throw usage('there is no other profile', 'make one with `colloquy auth login --profile NAME`');
  }
  const names = Object.keys(profiles).join(', ');
  if (!canAsk(app, input)) throw usage('which profile?', `profiles: ${names}`);
  return app.ask.text(`Which profile? (${names})`);
};

const unknown = ({ profiles }: Profiles, name: string) => {
  const names = Object.keys(profiles);
  const near = nearestName(name, names);
  return usage(`there is no profile ${name}`, near === null
    ? names.length === 0 ? 'make one with `colloquy auth login`' : `profiles: ${names.join(', ')}`
    : `did you mean ${near}? profiles: ${names.join(', ')}`);
};
