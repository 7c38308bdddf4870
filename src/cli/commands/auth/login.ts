import type { Command } from 'commander';
import type { App } from '../../app.js';
import { Problem, usage } from '../../failures.js';
import { utf8 } from '../../files.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { canAsk } from '../../questions.js';
import { whereKnown } from '../../refs/epics.js';
import { say } from '../../say.js';
import { open } from '../../session.js';
import { chosenProfile } from '../../settings/chosen.js';
import { withProfile } from '../../settings/profiles.js';
import { address, settingsOf } from '../../settings/settings.js';

interface Input extends GlobalFlags {
  readonly withToken?: boolean;
}

export const authLoginCommand = (app: App): Command =>
  verb('login', 'check an access token and keep it in a profile', [
    'auth login --url https://gitlab.example.com',
    'auth login --url https://gitlab.example.com --profile work --with-token < token.txt',
  ])
    .option('--with-token', 'read the token from standard input')
    .action(acting<Input>((flags) => authLogin(app, flags)));

const authLogin = async (app: App, input: Input): Promise<void> => {
  const { all, name, profile } = await chosenProfile(app, input);
  const { profile: _, ...flags } = input;
  const url = address(input.url ?? (app.env['COLLOQUY_URL'] || profile.url) ?? await asked(app, input))!;
  const token = await tokenFrom(app, input, url.origin);
  const settings = await settingsOf(app, { ...flags, url: url.href, token });
  const user = await whereKnown((await open(app, input, settings)).lookups.user({}));
  const current = all.profiles[all.current] ? all.current : name;
  await app.profiles.write({ ...withProfile(all, name, { url: url.href, token }), current });
  const who = user ? ` as ${user.username}` : ', which does not tell whose token it is';
  await say(app, input, `logged in to ${url.href}${who}; the token is kept in profile ${name}`);
};

const asked = async (app: App, input: Input): Promise<string> => {
  if (!canAsk(app, input)) throw usage('which service?', 'name it with --url');
  return app.ask.text('Base URL of the service');
};

const tokenFrom = async (app: App, input: Input, origin: string): Promise<string> => {
  if (input.token !== undefined) return input.token;
  if (!input.withToken && !canAsk(app, input)) {
    throw usage('there is nobody to ask for the token', 'hand it over on standard input with --with-token');
  }
  const token = input.withToken ? utf8(await app.stdin.read(), '-')
    : await app.ask.password(`Access token for ${origin}, with scope api`);
  if (token.trim() === '') {
    throw new Problem('unauthenticated', 'no token was given',
      'make one with scope api in the settings of the user, project or group');
  }
  return token.trim();
};
