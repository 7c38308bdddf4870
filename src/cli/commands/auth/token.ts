import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import { logInHint } from '../../command-line/hints.js';
import { defineCommand, handler } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { printValue } from '../../terminal/output/format.js';
import { settingsOf, tokenFor } from '../../service/settings/settings.js';

export const authTokenCommand = (app: App) =>
  defineCommand('token', 'Print the token in use',
    ['auth token', '# Pass the token to another program\n'
        + 'COLLOQUY_TOKEN=$(colloquy auth token --profile work) make post'])
    .action(handler<object>((flags) => authToken(app, flags)));

/** With `--profile`, the token of that profile; otherwise the token that requests to the service would use. */
const authToken = async (app: App, input: GlobalFlags): Promise<void> => {
  const settings = await settingsOf(app, input);
  const { url, credential } = settings;
  const isOwn = input.profile !== undefined && input.url === undefined;
  const token = url && !isOwn ? (await tokenFor(app, settings, url)).token : await credential?.read();
  if (token === undefined) {
    throw new Problem('unauthenticated', 'no token found', logInHint);
  }
  await printValue(app, input, token);
};
