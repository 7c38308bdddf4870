import { Type } from '@sinclair/typebox';
import type { Command } from 'commander';
import type { App } from '../../app.js';
import { open, openRaw } from '../../connection/session.js';
import { probeOver } from '../../doctor/service.js';
import { tokenFacts, type TokenFacts } from '../../doctor/token.js';
import { newTokenHint } from '../../errors/token-hints.js';
import { acting, verb } from '../../flags/command.js';
import type { GlobalFlags } from '../../flags/global.js';
import { say } from '../../io/messages.js';
import { fieldPrinter } from '../../output/record-printer.js';
import { fieldNames } from '../../output/view.js';
import { credentialAt, storageOf } from '../../settings/credential.js';
import { settingsOf } from '../../settings/settings.js';
import { nullIfUnsupported } from '../../targets/epic.js';

const text = Type.Union([Type.String(), Type.Null()]);

const Status = Type.Object({
  url: Type.String(), profile: Type.String(), token_from: text, stored_in: text, user: text,
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()]), expires_at: text,
  profiles: Type.Array(Type.String()),
});

export const authStatusCommand = (app: App): Command =>
  verb('status', 'show which service and token are in use, and whose token it is',
    ['auth status', 'auth status --profile work --json'], fieldNames(Status))
    .action(acting<object>((flags) => authStatus(app, flags)));

const authStatus = async (app: App, input: GlobalFlags): Promise<void> => {
  const print = fieldPrinter(app, input, Status);
  const settings = await settingsOf(app, input);
  const client = await open(app, input, settings);
  const user = await nullIfUnsupported(client.lookups.user({}));
  const { transport, base } = await openRaw(app, { ...input, debug: false, retries: '0' }, false);
  const facts = await tokenFacts(probeOver(transport, app));
  const credential = credentialAt(app, settings, base);
  await print({
    url: input.sandbox ? 'the sandbox' : base.href, profile: settings.profile,
    token_from: input.sandbox ? 'the sandbox' : credential?.from ?? null,
    stored_in: credential?.profile ? storageOf(app, credential.profile) : null, user: user?.username ?? null,
    scopes: facts?.scopes ?? null, expires_at: facts?.expires ?? null,
    profiles: Object.keys(settings.profiles.profiles),
  });
  const concern = concernOf(facts, app.now());
  if (concern !== null) await say(app, input, concern);
};

const fortnight = 14 * 86_400_000;

/** What will go wrong with a token, and what to do about it; null for nothing. */
const concernOf = (facts: TokenFacts | null, now: Date): string | null => {
  if (facts === null) return null;
  if (!facts.scopes.includes('api')) return `the token lacks the scope api, so it changes nothing; ${newTokenHint}`;
  const left = facts.expires === null ? Infinity : Date.parse(facts.expires) - now.getTime();
  return left < fortnight ? `the token expires on ${facts.expires}; ${newTokenHint}` : null;
};
