import type { Command } from 'commander';
import type { App } from '../../app.js';
import { Problem } from '../../failures.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { printValue } from '../../output/value.js';
import { settingsOf } from '../../settings/settings.js';

export const authTokenCommand = (app: App): Command =>
  verb('token', 'print the token that is in use',
    ['auth token', 'COLLOQUY_TOKEN=$(colloquy auth token --profile work) make post'])
    .action(acting<object>((flags) => authToken(app, flags)));

const authToken = async (app: App, input: GlobalFlags): Promise<void> => {
  const { credential } = await settingsOf(app, input);
  if (!credential) {
    throw new Problem('unauthenticated', 'there is no token',
      'log in with `colloquy auth login`, or set COLLOQUY_TOKEN');
  }
  await printValue(app, input, await credential.read());
};
