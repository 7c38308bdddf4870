import { nearestName } from '../../../text/messages.js';
import type { App, Profile, Profiles } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { defineCommand, handler } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { newProfileHint } from '../../command-line/hints.js';
import { canAsk, say } from '../../terminal/io/messages.js';
import { isDryRun } from '../../service/settings/profiles.js';
import { overridingVariable } from '../../service/settings/sources.js';

export const authSwitchCommand = (app: App) =>
  defineCommand('switch', 'Set the default profile', ['auth switch work', 'auth switch'])
    .argument('[profile]', 'profile name; with two profiles, the other one by default')
    .action(handler<object>((flags, name?: string) => authSwitch(app, flags, name)));

const authSwitch = async (app: App, input: GlobalFlags, word: string | undefined): Promise<void> => {
  const all = await app.profiles.read();
  const name = word ?? input.profile ?? await otherProfile(app, input, all);
  const profile = profileIn(all, name);
  if (await isDryRun(app, input, `switch to profile ${name}`)) return;
  await app.profiles.change((now) => profileIn(now, name) && { ...now, current: name });
  await say(app, input, `switched to profile ${name}${profile.url ? ` (${profile.url})` : ''}`);
  const variable = app.env['COLLOQUY_PROFILE'] ? 'COLLOQUY_PROFILE' : overridingVariable(app.env, profile);
  if (variable) await say(app, input, `${variable} is set and overrides it`);
};

const profileIn = ({ profiles }: Profiles, name: string): Profile => {
  const profile = profiles[name];
  if (profile) return profile;
  const names = Object.keys(profiles);
  const near = nearestName(name, names);
  throw usage(`unknown profile ${name}`, near === null
    ? names.length === 0 ? 'create one with `colloquy auth login`' : `choose one of: ${names.join(', ')}`
    : `did you mean ${near}? choose one of: ${names.join(', ')}`);
};

const otherProfile = async (app: App, input: GlobalFlags, { current, profiles }: Profiles): Promise<string> => {
  const others = Object.keys(profiles).filter((name) => name !== current);
  if (others.length === 1) return others[0]!;
  if (others.length === 0) {
    throw usage('no other profile exists', newProfileHint);
  }
  const names = Object.keys(profiles).join(', ');
  if (!canAsk(app, input)) throw usage('no profile given', `choose one of: ${names}`);
  return app.ask.text(`Which profile? (${names})`);
};
