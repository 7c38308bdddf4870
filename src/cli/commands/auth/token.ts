import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import { logInHint } from '../../command-line/hints.js';
import { defineCommand, handler } from '../../command-line/command.js';
import { printValue } from '../../terminal/output/format.js';
import { settingsOf, tokenFor } from '../../service/settings/settings.js';

export const authTokenCommand = (app: App) =>
  defineCommand('token', 'Print the token in use',
    ['auth token', '# Pass the token to another program\n'
        + 'COLLOQUY_TOKEN=$(colloquy auth token --profile work) make post'])
    .action(handler<object>(async (flags) => {
      const settings = await settingsOf(app, flags);
      const { url, credential } = settings;
      // With `--profile`, the token of that profile; else the one that requests to the service would use.
      const isOwn = flags.profile !== undefined && flags.url === undefined;
      const token = url && !isOwn ? (await tokenFor(app, settings, url)).token : await credential?.read();
      if (token === undefined) throw new Problem('unauthenticated', 'no token found', logInHint);
      await printValue(app, flags, token);
    }));
