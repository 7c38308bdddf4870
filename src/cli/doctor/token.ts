import { withStatus } from '../../client/errors.js';
import { isParams } from '../../wire/forms.js';
import { newTokenHint } from '../errors/token-hints.js';
import { fail, ok, skip, warn, type Finding } from './finding.js';
import type { Probe } from './service.js';

/** Whose token it is, and whether the service takes it. */
export const ownerFound = async (probe: Probe): Promise<Finding> => {
  const outcome = await probe('/user');
  if ('failure' in outcome) return fail('account', outcome.failure.message, outcome.failure.hint);
  const { status, body, words, isUnknown } = outcome.answer;
  if (status === 200 && isParams(body)) {
    return ok('account', `${String(body['username'])}${body['is_admin'] === true ? ', an administrator' : ''}`);
  }
  if (status === 401) return fail('account', `the service refuses the token: ${words}`, newTokenHint);
  if (status === 403) return fail('account', `the token may not do this: ${words}`, newTokenHint);
  if (isUnknown) return skip('account', 'the service does not tell whose token it is');
  return warn('account', `the service answers ${withStatus(status, words)}`, 'try again later');
};

/** What is known of a token. */
export interface TokenFacts {
  readonly scopes: readonly string[];
  /** A day, `2030-12-31`; null where it lasts. */
  readonly expires: string | null;
}

/** What the service says of the token at hand; null where it does not say. */
export const tokenFacts = async (probe: Probe): Promise<TokenFacts | null> => {
  const outcome = await probe('/personal_access_tokens/self');
  if ('failure' in outcome || outcome.answer.status !== 200 || !isParams(outcome.answer.body)) return null;
  const { scopes, expires_at } = outcome.answer.body;
  if (!Array.isArray(scopes)) return null;
  return { scopes: scopes.map(String), expires: typeof expires_at === 'string' ? expires_at : null };
};

/** Whether the token's scopes suffice, and how long it lasts. */
export const factsFound = (facts: TokenFacts | null, now: Date): Finding[] => {
  if (facts === null) return [skip('scopes', 'the service does not tell')];
  return [scopesFound(facts.scopes), expiryFound(facts.expires, now)];
};

const scopesFound = (scopes: readonly string[]): Finding => {
  const list = scopes.join(', ') || 'none';
  if (scopes.includes('api')) return ok('scopes', list);
  return scopes.includes('read_api') ? warn('scopes', `${list}: reads, and writes nothing`, newTokenHint)
    : fail('scopes', list, newTokenHint);
};

const soon = 14;

const expiryFound = (expires: string | null, now: Date): Finding => {
  if (expires === null) return ok('expiry', 'the token does not expire');
  const days = Math.floor((Date.parse(expires) - now.getTime()) / 86_400_000);
  if (Number.isNaN(days)) return skip('expiry', 'the service names no day');
  if (days < 0) return fail('expiry', `the token has expired on ${expires}`, newTokenHint);
  return days < soon ? warn('expiry', `the token expires on ${expires}`, newTokenHint)
    : ok('expiry', `the token lasts until ${expires}`);
};

const way = 'make a personal, project or group access token with scope api';

/**
 * What tokens begin with (wire-facts 1.1.10-1.1.12), and what they are. An instance may choose its own prefix; the
 * token of a CI job is refused before.
 */
const kinds: readonly (readonly [pattern: RegExp, name: string, isUsable: boolean])[] = [
  [/^glpat-/, 'an access token of a user, project or group', true],
  [/^gldt-/, 'a deploy token', false],
  [/^gloas-/, 'the secret of an OAuth application', false],
  [/^glrt-/, 'the token of a runner', false],
  [/^glptt-/, 'a trigger token', false],
  [/^glft-/, 'a feed token', false],
  [/^eyJ[\w-]+\.[\w-]+\./, 'an ID token of a CI job', false],
];

/** What kind of token it is, as far as that can be seen; nothing of it is repeated. */
export const kindFound = (token: string): Finding => {
  const kind = kinds.find(([pattern]) => pattern.test(token));
  if (kind) {
    return kind[2] ? ok('token kind', kind[1])
      : fail('token kind', `${kind[1]}, which the service does not accept here`, way);
  }
  if (/^[0-9a-f]{64}$/.test(token)) return warn('token kind', 'perhaps an OAuth token, which is not sent as one', way);
  return ok('token kind', 'an access token without a known prefix');
};
