import * as Type from '@sinclair/typebox';
import { ConnectionError, ResponseError, withStatus } from '../../../client/errors.js';
import { parsedBody, responseReason } from '../../../client/response.js';
import { apiPrefix, type TokenType } from '../../../contract/conventions.js';
import { nullable } from '../../../contract/shapes/scalars.js';
import { plainLine } from '../../../text/plain.js';
import { shellWord } from '../../../text/quoting.js';
import { isServiceError, isUnknownRoute, lacksPermission } from '../../../wire/error-response.js';
import { type HttpResponse, isParams, readHttpDate, type Transport } from '../../../wire/http.js';
import type { App } from '../../app.js';
import { type Failure, failureOf } from '../../command-line/failure.js';
import {
  asksForBearer, bearerHint, type Hint, isGranular, newTokenHint, newTokenLike,
} from '../../command-line/hints.js';
import { painter, type Tone } from '../../terminal/io/style.js';
import type { View } from '../../terminal/output/view.js';
import type { Credential } from '../settings/settings.js';
import { isUser, notTheApi } from '../connection/unsupported.js';

/** `skip`: nothing to check, or not possible. */
export const PrintedResult = Type.Object({
  check: Type.String(),
  state: Type.Union([Type.Literal('ok'), Type.Literal('warn'), Type.Literal('fail'), Type.Literal('skip')]),
  message: Type.String(),
  hint: nullable(Type.String()),
});
export type PrintedResult = Type.Static<typeof PrintedResult>;

/** Before it is known whether a CI job reads it. */
export interface CheckResult extends Omit<PrintedResult, 'hint'> { readonly hint: Hint | null }

export const ok = (check: string, message: string): CheckResult => ({ check, state: 'ok', message, hint: null });
export const skip = (check: string, message: string): CheckResult => ({ check, state: 'skip', message, hint: null });
export const warn = (check: string, message: string, hint: Hint): CheckResult =>
  ({ check, state: 'warn', message, hint });
export const fail = (check: string, message: string, hint: Hint | null): CheckResult =>
  ({ check, state: 'fail', message, hint });

export const resultView: View<PrintedResult> = {
  columns: [
    { name: 'check', cell: ({ check }) => check },
    { name: 'state', cell: ({ state }) => state },
    { name: 'message', cell: ({ message }) => message },
    { name: 'hint', cell: ({ hint }) => hint ?? '' },
  ],
  id: ({ check }) => check,
  shape: PrintedResult,
  emptyText: 'nothing to check',
};

const tones: Readonly<Record<PrintedResult['state'], Tone>> = {
  ok: 'done', warn: 'open', fail: 'removed', skip: 'faint',
};

export const resultsText = async ({ out }: App, results: readonly PrintedResult[]): Promise<string> => {
  const paint = await painter(out.colors);
  const { wrapLines } = await import('../../terminal/io/width.js');
  const width = Math.max(...results.map(({ check }) => check.length)) + 2;
  const room = out.isTerminal ? out.columns - width - 6 : Infinity;
  return results.map(({ check, state, message, hint }) => {
    const text = (words: string) => wrapLines(plainLine(words), room).replaceAll('\n', `\n${' '.repeat(width + 6)}`);
    const line = `${paint(tones[state], state.padEnd(6))}${check.padEnd(width)}${text(message)}\n`;
    return hint === null ? line : `${line}${' '.repeat(width + 6)}${text(hint)}\n`;
  }).join('');
};

/** What to do if other users can read the stored token; null if they cannot. */
export const exposureHint = ({ profiles }: App, { profile }: Credential): string | null =>
  profile && !profile.keyring && profiles.isExposed() ? `run \`chmod 600 ${shellWord(profiles.path)}\`` : null;

const seconds = { suspicious: 60, wrong: 300 };

export const checkService = async (
  app: App, probe: Probe, address: string,
): Promise<{ results: CheckResult[]; isThere: boolean }> => {
  const outcome = await probe('/version');
  if ('failure' in outcome) {
    const { failure } = outcome;
    return { isThere: false, results: [fail('service', failure.message, failure)] };
  }
  const { answer } = outcome;
  const user = answer.isUnknown ? await probe('/user') : null;
  const isElsewhere = user !== null && 'answer' in user && user.answer.isUnknown;
  const service = checkResponse(isElsewhere ? { ...answer, isOurs: false } : answer, address);
  const isThere = service.state !== 'fail';
  return { isThere, results: [service, checkClock(app.now(), answer), ...isThere ? [checkVersion(answer)] : []] };
};

const checkResponse = ({ status, headers, isOurs, serverMessage }: ProbeResponse, address: string): CheckResult => {
  if (status === 407) {
    return fail('service', 'the proxy requires authentication', 'put user and password into the proxy URL');
  }
  if (status === 429) {
    return warn('service', `${address} is rate limiting requests (HTTP 429)`, 'wait a minute, then try again');
  }
  if (status >= 500) {
    return fail('service', `${address} responded with ${withStatus(status, serverMessage)}`,
      'try again later, or ask its administrator');
  }
  if (!isOurs && status === 401 && asksForBearer(headers)) {
    return fail('service', `${address} responded with ${withStatus(status, serverMessage)}`, bearerHint());
  }
  if (!isOurs) {
    const [message, hint] = notTheApi(`${address} responded with ${withStatus(status, serverMessage)}`);
    return fail('service', message, hint);
  }
  return ok('service', `${address} responds`);
};

const checkClock = (now: Date, { headers }: ProbeResponse): CheckResult => {
  const theirs = readHttpDate(headers['date']);
  if (Number.isNaN(theirs)) return skip('clock', 'not reported by the service');
  const ahead = Math.round((now.getTime() - theirs) / 1000);
  if (Math.abs(ahead) < seconds.suspicious) return ok('clock', 'in sync with the service');
  const message = `this machine is ${Math.abs(ahead)} seconds ${ahead > 0 ? 'ahead of' : 'behind'} the service`;
  const hint = 'set the clock: the expiry of certificates and tokens depends on it';
  return Math.abs(ahead) < seconds.wrong ? warn('clock', message, hint) : fail('clock', message, hint);
};

const checkVersion = ({ status, body }: ProbeResponse): CheckResult => {
  const version = isParams(body) && typeof body['version'] === 'string' ? body['version'] : null;
  if (status !== 200 || version === null) return skip('version', 'not reported by the service');
  const [major = 0, minor = 0] = version.split('.').map((part) => parseInt(part, 10));
  const isOld = major < 12 || (major === 12 && minor < 7);
  return isOld ? warn('version', `${version}, which does not support appearance`, 'upgrade it to 12.7 or newer')
    : ok('version', version);
};

interface ProbeResponse {
  readonly status: number;
  readonly headers: HttpResponse['headers'];
  readonly body: unknown;
  readonly serverMessage: string;
  /** Whether the body is that of the API: JSON, and errors in its own words. */
  readonly isOurs: boolean;
  readonly isUnknown: boolean;
  /** The token is valid, but not for this path. */
  readonly lacksPermission: boolean;
}

export type Probe = (path: string) => Promise<{ answer: ProbeResponse } | { failure: Failure }>;

/** An interruption by the user is thrown. */
export const probeOver = (transport: Transport, { signal }: App): Probe => async (path) => {
  try {
    const request = { method: 'GET', target: apiPrefix + path, headers: { accept: 'application/json' } };
    return { answer: probeResponse(await transport(request, signal)) };
  } catch (error) {
    if (!(error instanceof ConnectionError || error instanceof ResponseError) || signal.aborted) throw error;
    return { failure: failureOf(error)! };
  }
};

const probeResponse = (response: HttpResponse): ProbeResponse => {
  const { status, headers } = response;
  const body = parsedBody(response);
  const isOurs = status < 400 ? isParams(body) || Array.isArray(body) : isServiceError({ status, body });
  return {
    status, headers, body, serverMessage: responseReason(response), isOurs,
    isUnknown: isOurs && isUnknownRoute(status, body), lacksPermission: lacksPermission({ status, body }),
  };
};

export const lookUp = async (probe: Probe, path: string): Promise<Record<string, unknown> | null> => {
  const outcome = await probe(path);
  return 'answer' in outcome && outcome.answer.status === 200 && isParams(outcome.answer.body) ? outcome.answer.body
    : null;
};

export const checkOwner = async (probe: Probe, tokenType: TokenType): Promise<CheckResult> => {
  const outcome = await probe('/user');
  if ('failure' in outcome) return fail('account', outcome.failure.message, outcome.failure);
  const { status, headers, body, serverMessage, isUnknown } = outcome.answer;
  if (outcome.answer.lacksPermission) return skip('account', `not reported by the service: ${serverMessage}`);
  if (status === 200) {
    return isParams(body) && isUser(body)
      ? ok('account', `${String(body['username'])}${body['is_admin'] === true ? ', an administrator' : ''}`)
      : fail('account', ...notTheApi('GET /api/v4/user: the response is not a user'));
  }
  if (status === 401) {
    const hint = asksForBearer(headers) && tokenType === 'private' ? bearerHint() : newTokenHint;
    return fail('account', `the service rejected the token: ${serverMessage}`, hint);
  }
  if (status === 403) return fail('account', `the token lacks permission: ${serverMessage}`, newTokenHint);
  if (isUnknown) return skip('account', 'not reported by the service');
  return warn('account', `the service responded with ${withStatus(status, serverMessage)}`, 'try again later');
};

export interface TokenFacts {
  readonly scopes: readonly string[];
  readonly expires: string | null;
}

export const tokenFacts = async (probe: Probe): Promise<TokenFacts | null> => {
  const { scopes, expires_at } = await lookUp(probe, '/personal_access_tokens/self') ?? {};
  if (!Array.isArray(scopes)) return null;
  return { scopes: scopes.map(String), expires: typeof expires_at === 'string' ? expires_at : null };
};

export const checkFacts = (facts: TokenFacts | null, now: Date): CheckResult[] => {
  if (facts === null) return [skip('scopes', 'not reported by the service')];
  return [checkScopes(facts.scopes), checkExpiry(facts, now)];
};

const checkScopes = (scopes: readonly string[]): CheckResult => {
  const list = scopes.join(', ') || 'none';
  if (scopes.includes('api') || isGranular(scopes)) return ok('scopes', list);
  return scopes.includes('read_api') ? warn('scopes', `${list}: read-only`, newTokenHint)
    : fail('scopes', list, newTokenHint);
};

const warningDays = 14;

const checkExpiry = ({ expires, scopes }: TokenFacts, now: Date): CheckResult => {
  if (expires === null) return ok('expiry', 'the token does not expire');
  const days = Math.floor((Date.parse(expires) - now.getTime()) / 86_400_000);
  if (Number.isNaN(days)) return skip('expiry', 'not reported by the service');
  if (days < 0) return fail('expiry', `the token expired on ${expires}`, newTokenLike(scopes));
  return days < warningDays ? warn('expiry', `the token expires on ${expires}`, newTokenLike(scopes))
    : ok('expiry', `the token is valid until ${expires}`);
};

const createUsableToken = 'create a personal, project or group access token with scope api';

/**
 * By prefix (behavior: tokens.job, tokens.prefixes). An instance may choose its own; CI job tokens are rejected
 * earlier.
 */
const kinds: readonly (readonly [pattern: RegExp, name: string, isUsable: boolean])[] = [
  [/^glpat-/, 'an access token of a user, project or group', true],
  [/^gldt-/, 'a deploy token', false],
  [/^gloas-/, 'an OAuth application secret', false],
  [/^glrt-/, 'a runner token', false],
  [/^glptt-/, 'a trigger token', false],
  [/^glft-/, 'a feed token', false],
  [/^eyJ[\w-]+\.[\w-]+\./, 'a CI job ID token', false],
];

/** No part of the token is printed. */
export const checkKind = (token: string, tokenType: TokenType): CheckResult => {
  const kind = kinds.find(([pattern]) => pattern.test(token));
  if (kind) {
    return kind[2] ? ok('token kind', kind[1])
      : fail('token kind', `${kind[1]}, which is not supported`, createUsableToken);
  }
  if (tokenType === 'bearer') return ok('token kind', 'a bearer token without a known prefix');
  if (/^[0-9a-f]{64}$/.test(token)) {
    return warn('token kind', 'possibly an OAuth token, but sent as an access token', 'pass --token-type bearer');
  }
  return ok('token kind', 'an access token without a known prefix');
};
