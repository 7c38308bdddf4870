import { numbered } from '../../client/errors.js';
import { isHash } from '../../wire/brackets.js';
import { fail, ok, skip, warn, type Finding } from './finding.js';
import type { Probe } from './probe.js';

const remedy = 'make a new one with scope api, and `colloquy auth login`';

/** Whose token it is, and whether the service takes it. */
export const ownerFound = async (probe: Probe): Promise<Finding> => {
  const outcome = await probe('/user');
  if ('failure' in outcome) return fail('account', outcome.failure.message, outcome.failure.hint);
  const { status, body, words, isUnknown } = outcome.answer;
  if (status === 200 && isHash(body)) {
    return ok('account', `${String(body['username'])}${body['is_admin'] === true ? ', an administrator' : ''}`);
  }
  if (status === 401) return fail('account', `the service refuses the token: ${words}`, remedy);
  if (status === 403) return fail('account', `the token may not do this: ${words}`, remedy);
  if (isUnknown) return skip('account', 'the service does not tell whose token it is');
  return warn('account', `the service answers ${numbered(status, words)}`, 'try again later');
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
  if ('failure' in outcome || outcome.answer.status !== 200 || !isHash(outcome.answer.body)) return null;
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
  return scopes.includes('read_api') ? warn('scopes', `${list}: reads, and writes nothing`, remedy)
    : fail('scopes', list, remedy);
};

const soon = 14;

const expiryFound = (expires: string | null, now: Date): Finding => {
  if (expires === null) return ok('expiry', 'the token does not expire');
  const days = Math.floor((Date.parse(expires) - now.getTime()) / 86_400_000);
  if (Number.isNaN(days)) return skip('expiry', 'the service names no day');
  if (days < 0) return fail('expiry', `the token has expired on ${expires}`, remedy);
  return days < soon ? warn('expiry', `the token expires on ${expires}`, remedy)
    : ok('expiry', `the token lasts until ${expires}`);
};
