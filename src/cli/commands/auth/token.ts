import type { Command } from 'commander';
import type { App } from '../../app.js';
import { Problem } from '../../errors/failure.js';
import { logInHint } from '../../errors/token-hints.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { printValue } from '../../output/format.js';
import { tokenFor } from '../../settings/credential.js';
import { settingsOf } from '../../settings/settings.js';

export const authTokenCommand = (app: App): Command =>
  verb('token', 'print the token that is in use',
    ['auth token', 'COLLOQUY_TOKEN=$(colloquy auth token --profile work) make post'])
    .action(acting<object>((flags) => authToken(app, flags)));

/** Of a profile that is named its own; else what is sent to the service, as far as that is known. */
const authToken = async (app: App, input: GlobalFlags): Promise<void> => {
  const settings = await settingsOf(app, input);
  const { url, credential } = settings;
  const isOwn = input.profile !== undefined && input.url === undefined;
  const token = url && !isOwn ? await tokenFor(app, settings, url) : await credential?.read();
  if (token === undefined) {
    throw new Problem('unauthenticated', 'no token found', logInHint);
  }
  await printValue(app, input, token);
};
