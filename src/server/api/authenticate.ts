import { hash, timingSafeEqual } from 'node:crypto';
import { oauthParameter, sudoName, tokenHeader, tokenParameter, type TokenType } from '../../contract/conventions.js';
import { parseQuery, scalarText } from '../../wire/decode.js';
import type { Params } from '../../wire/forms.js';
import type { Handler, HttpRequest } from '../../wire/http.js';
import {
  badParameters, bearerChallenge, forbidden, httpError, insufficientScope, invalidToken, unauthorized,
} from '../http/errors.js';
import { withHeaders } from '../http/middleware.js';
import { tokenByDigest, userByIdOrName, type TokenRow, type WorldReads } from '../repositories/world.js';
import type { Caller } from './context.js';

/** Without tokens of another kind, which count as not given. */
export const acceptedCredentials = <C extends Pick<Credentials, 'headers' | 'given'>>(
  credentials: C, accepted: TokenType | undefined,
): C => accepted === undefined ? credentials : {
  ...credentials,
  headers: without(credentials.headers, accepted === 'bearer' ? tokenHeader : 'authorization'),
  given: without(credentials.given, accepted === 'bearer' ? tokenParameter : oauthParameter),
};

/** A 401 says that a bearer token is required (RFC 6750, 3). */
export const withBearerChallenge = <R extends HttpRequest>(handler: Handler<R>): Handler<R> => async (request) => {
  const response = await handler(request);
  return response.status !== 401 || response.headers['www-authenticate'] !== undefined ? response
    : withHeaders(response, { 'www-authenticate': bearerChallenge });
};

const without = <T extends object>(values: T, name: string): T =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key !== name)) as T;

interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** May contain a token. */
  readonly given: Params;
  /** Must be valid even if another token takes precedence; see `Parameters`. */
  readonly headerToken: string | null;
  /** A read scope allows calls that only read. */
  readonly reads: boolean;
}

/** `until` is when the token expires; null for never. */
interface Authenticated { readonly caller: Caller; readonly until: string | null }

/**
 * @throws HttpError 401 without a valid token, 403 if its scopes or its user's state forbid it (behavior:
 * tokens.always, tokens.missing, tokens.insufficient-scope, tokens.blocked)
 */
export const authenticate = async (
  world: WorldReads, credentials: Credentials, now: string,
): Promise<Authenticated> => {
  const { headers, given, headerToken, reads } = credentials;
  const token = tokenOf(headers, given);
  if (headerToken !== null && headerToken !== token) validToken(await tokenRow(world, headerToken), now);
  const row = validToken(token === null ? undefined : await tokenRow(world, token), now);
  checkScopes(row, reads);
  return { caller: await sudo(world, row, credentials), until: row.expires_at };
};

export const tokenRow = async (world: WorldReads, token: string): Promise<TokenRow | undefined> => {
  const digest = digestOf(token);
  const row = await tokenByDigest(world, digest);
  return row && isSame(row.digest, digest) ? row : undefined;
};

/** Whatever its scopes. @throws HttpError 401 if it is unknown, revoked or expired, 403 if its user is not active */
export const validToken = (row: TokenRow | undefined, now: string): TokenRow => {
  if (!row) throw unauthorized();
  checkToken(row, now);
  checkUser(row);
  return row;
};

/** In constant time. */
const isSame = (stored: string, digest: string): boolean => timingSafeEqual(Buffer.from(stored), Buffer.from(digest));

const checkToken = (token: TokenRow, now: string): void => {
  if (token.revoked) throw invalidToken('Token was revoked. You have to re-authorize from the user.');
  if (token.expires_at !== null && token.expires_at <= now) {
    throw invalidToken('Token is expired. You can either do re-authorization or token refresh.');
  }
};

/** behavior: tokens.scopes */
const checkScopes = (token: TokenRow, reads: boolean): void => {
  const scopes = token.scopes.split(' ');
  if (!scopes.includes('api') && !(reads && scopes.includes('read_api'))) {
    throw insufficientScope(reads ? 'api read_api' : 'api');
  }
};

/** behavior: tokens.blocked */
const checkUser = (user: Caller): void => {
  const why: Record<string, string> = {
    blocked: 'Your account has been blocked.',
    ldap_blocked: 'Your account has been blocked.',
    banned: 'Your account has been blocked.',
    deactivated: 'Your account has been deactivated by your administrator. '
      + 'Please log back in from a web browser to reactivate your account.',
    blocked_pending_approval: 'Your account is pending approval from your administrator and hence blocked.',
  };
  if (user.state !== 'active') throw forbidden(why[user.state] ?? 'Your account has been blocked.');
};

/**
 * For administrators with the sudo scope only (behavior: sudo.scope, sudo.administrators). With the parameter,
 * whatever its value, a call never runs with the caller's own rights (behavior: sudo.never-own).
 */
const sudo = async (world: WorldReads, caller: TokenRow, { headers, given }: Credentials): Promise<Caller> => {
  const who = headers[sudoName] ?? given[sudoName];
  if (who === undefined) return caller;
  if (!caller.admin) throw forbidden('Must be admin to use sudo');
  if (!caller.scopes.split(' ').includes('sudo')) throw insufficientScope('sudo');
  const name = scalarText(who);
  if (name === null) throw badParameters([`${sudoName} is invalid`]);
  const user = await userByIdOrName(world, name);
  if (!user) throw httpError(404, `404 User with ID or username '${name}' Not Found`);
  return user;
};

export const digestOf = (token: string): string => hash('sha256', token, 'hex');

/**
 * The parameter takes precedence over the header, and the header over the bearer (behavior: tokens.parameter,
 * tokens.order). The first one given counts, even if it is malformed.
 */
export const tokenOf = (headers: Readonly<Record<string, string>>, parameters: Params): string | null => {
  const places = [parameters[tokenParameter], headers[tokenHeader], bearerOf(headers), parameters[oauthParameter]];
  const first = places.find(isGiven);
  return first === undefined ? null : scalarText(first);
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The scheme is case-insensitive (RFC 9110, 11.1). */
export const bearerOf = (headers: Readonly<Record<string, string>>): string | null =>
  /^Bearer[ \t]+(\S.*)$/i.exec(headers['authorization'] ?? '')?.[1]!.trimEnd() ?? null;

/** Null even if the query contains one, which takes precedence. */
export const headerTokenOf = (headers: Readonly<Record<string, string>>, query: string): string | null =>
  query !== '' && hasTokenParameter(query) ? null : tokenOf(headers, {});

const hasTokenParameter = (query: string): boolean => {
  try {
    return isGiven(parseQuery(query)[tokenParameter]);
  } catch {
    return false;
  }
};
