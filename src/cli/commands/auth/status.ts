import { Type } from '@sinclair/typebox';
import type { Command } from 'commander';
import type { App } from '../../app.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { fieldPrinter } from '../../output/field-printer.js';
import { whereKnown } from '../../refs/epics.js';
import { open } from '../../session.js';
import { settingsOf } from '../../settings/settings.js';

const Status = Type.Object({
  url: Type.String(), profile: Type.String(), token_from: Type.String(), user: Type.Union([Type.String(), Type.Null()]),
});

export const authStatusCommand = (app: App): Command =>
  verb('status', 'show which service and token are in use, and whose token it is',
    ['auth status', 'auth status --profile work --json'])
    .action(acting<object>((flags) => authStatus(app, flags)));

const authStatus = async (app: App, input: GlobalFlags): Promise<void> => {
  const print = fieldPrinter(app, input, Status);
  const settings = await settingsOf(app, input);
  const client = await open(app, input, settings);
  const user = await whereKnown(client.lookups.user({}));
  const { url, profile, credential } = settings;
  const place = input.sandbox ? 'the sandbox' : null;
  await print({
    url: place ?? url!.href, profile, token_from: place ?? credential?.from ?? '', user: user?.username ?? null,
  });
};
