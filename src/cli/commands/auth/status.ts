import * as Type from '@sinclair/typebox';
import type { App } from '../../app.js';
import { openClient, openTransport } from '../../service/connection/client.js';
import { verifiedUser } from '../../service/connection/unsupported.js';
import { exposureHint, probeOver, tokenFacts, type TokenFacts } from '../../service/doctor/checks.js';
import { isGranular, newTokenHint, newTokenLike } from '../../command-line/hints.js';
import { defineCommand, handler } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { fieldPrinter } from '../../terminal/output/record-printer.js';
import { fieldNames } from '../../terminal/output/view.js';
import { type Credential, credentialAt, settingsOf, storageOf } from '../../service/settings/settings.js';

const text = Type.Union([Type.String(), Type.Null()]);

const Status = Type.Object({
  url: Type.String(), profile: Type.String(), token_from: text, token_type: Type.String(), stored_in: text, user: text,
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()]), expires_at: text,
  profiles: Type.Array(Type.String()),
});

export const authStatusCommand = (app: App) =>
  defineCommand('status', 'Show the active service, token and user',
    ['auth status', 'auth status --profile work --json'], fieldNames(Status))
    .action(handler<object>((flags) => authStatus(app, flags)));

const authStatus = async (app: App, input: GlobalFlags): Promise<void> => {
  const print = fieldPrinter(app, input, Status);
  const settings = await settingsOf(app, input);
  const client = await openClient(app, input, settings);
  const user = await verifiedUser(client);
  const quietly = { ...input, debug: false, retries: '0' };
  const { transport, base } = await openTransport(app, quietly, { needsContainer: false });
  const facts = await tokenFacts(probeOver(transport, app));
  const credential = credentialAt(app, settings, base);
  await print({
    url: input.sandbox ? 'the sandbox' : base.href, profile: settings.profile,
    ...input.sandbox ? { token_from: 'the sandbox', token_type: 'private', stored_in: null }
      : tokenSource(app, credential),
    user: user?.username ?? null,
    scopes: facts?.scopes ?? null, expires_at: facts?.expires ?? null,
    profiles: Object.keys(settings.profiles.profiles),
  });
  const hint = credential && exposureHint(app, credential);
  if (hint !== null) await say(app, input, `others can read the token; ${hint}`);
  const concern = tokenWarning(facts, app.now());
  if (concern !== null) await say(app, input, concern);
};

const tokenSource = (app: App, credential: Credential | null) => ({
  token_from: credential?.from ?? null, token_type: credential?.type ?? 'private',
  stored_in: credential?.profile ? storageOf(app, credential.profile) : null,
});

const twoWeeks = 14 * 86_400_000;

const tokenWarning = (facts: TokenFacts | null, now: Date): string | null => {
  if (facts === null) return null;
  const { scopes } = facts;
  const canWrite = scopes.includes('api') || isGranular(scopes);
  if (!canWrite) return `the token lacks the api scope and cannot write; ${newTokenHint.hint}`;
  const left = facts.expires === null ? Infinity : Date.parse(facts.expires) - now.getTime();
  return left < twoWeeks ? `the token expires on ${facts.expires}; ${newTokenLike(scopes).hint}` : null;
};
