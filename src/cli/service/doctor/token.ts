import { withStatus } from '../../../client/errors.js';
import { isParams } from '../../../wire/forms.js';
import type { TokenType } from '../../../contract/conventions.js';
import { asksForBearer, bearerHint, newTokenHint } from '../../command-line/hints.js';
import { fail, ok, skip, warn, type CheckResult } from './result.js';
import type { Probe } from './service.js';

export const checkOwner = async (probe: Probe, tokenType: TokenType): Promise<CheckResult> => {
  const outcome = await probe('/user');
  if ('failure' in outcome) return fail('account', outcome.failure.message, outcome.failure.hint);
  const { status, headers, body, serverMessage, isUnknown } = outcome.answer;
  if (status === 200 && isParams(body)) {
    return ok('account', `${String(body['username'])}${body['is_admin'] === true ? ', an administrator' : ''}`);
  }
  if (status === 401) {
    const hint = asksForBearer(headers) && tokenType === 'private' ? bearerHint : newTokenHint;
    return fail('account', `the service rejected the token: ${serverMessage}`, hint);
  }
  if (status === 403) return fail('account', `the token lacks permission: ${serverMessage}`, newTokenHint);
  if (isUnknown) return skip('account', 'not reported by the service');
  return warn('account', `the service responded with ${withStatus(status, serverMessage)}`, 'try again later');
};

export interface TokenFacts {
  readonly scopes: readonly string[];
  /** A day, `2030-12-31`; null if the token does not expire. */
  readonly expires: string | null;
}

/** Null if the service does not report them. */
export const tokenFacts = async (probe: Probe): Promise<TokenFacts | null> => {
  const outcome = await probe('/personal_access_tokens/self');
  if ('failure' in outcome || outcome.answer.status !== 200 || !isParams(outcome.answer.body)) return null;
  const { scopes, expires_at } = outcome.answer.body;
  if (!Array.isArray(scopes)) return null;
  return { scopes: scopes.map(String), expires: typeof expires_at === 'string' ? expires_at : null };
};

export const checkFacts = (facts: TokenFacts | null, now: Date): CheckResult[] => {
  if (facts === null) return [skip('scopes', 'not reported by the service')];
  return [checkScopes(facts.scopes), checkExpiry(facts.expires, now)];
};

const checkScopes = (scopes: readonly string[]): CheckResult => {
  const list = scopes.join(', ') || 'none';
  if (scopes.includes('api')) return ok('scopes', list);
  return scopes.includes('read_api') ? warn('scopes', `${list}: read-only`, newTokenHint)
    : fail('scopes', list, newTokenHint);
};

const warningDays = 14;

const checkExpiry = (expires: string | null, now: Date): CheckResult => {
  if (expires === null) return ok('expiry', 'the token does not expire');
  const days = Math.floor((Date.parse(expires) - now.getTime()) / 86_400_000);
  if (Number.isNaN(days)) return skip('expiry', 'not reported by the service');
  if (days < 0) return fail('expiry', `the token expired on ${expires}`, newTokenHint);
  return days < warningDays ? warn('expiry', `the token expires on ${expires}`, newTokenHint)
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
