import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import { logInHint } from '../../command-line/hints.js';
import { defineCommand, handler } from '../../command-line/command.js';
import { printValue } from '../../terminal/output/format.js';
import { hasToken } from '../../service/settings/profiles.js';
import { settingsOf, storedToken, tokenFor } from '../../service/settings/settings.js';

export const authTokenCommand = (app: App) =>
  defineCommand('token', 'Print the token in use',
    ['auth token', '# Pass the token to another program\n'
        + 'COLLOQUY_TOKEN=$(colloquy auth token --profile work) make post'])
    .action(handler<object>(async (flags) => {
      const settings = await settingsOf(app, flags);
      const { url, credential, profile: name, profiles: { profiles: { [name]: profile = {} } } } = settings;
      // With `--profile`, the token of that profile; else the one that requests to the service would use.
      const isOwn = [flags.url, flags.token].every((flag) => flag === undefined) && flags.profile !== undefined;
      const read = isOwn ? hasToken(profile) ? () => storedToken(app, name, profile) : null : credential?.read;
      const token = url && !isOwn ? (await tokenFor(app, settings, url)).token : await read?.();
      if (token === undefined) throw new Problem('unauthenticated', 'no token found', logInHint);
      await printValue(app, flags, token);
    }));
