import { timingSafeEqual } from 'node:crypto';
import { type Edition, holdsIn } from '../../contract/behavior/fact.js';
import { authenticationFacts } from '../../contract/behavior/parameters.js';
import {
  callerHeaders, jobTokenNames, oauthParameter, sudoName, tokenHeader, tokenParameter, type TokenType,
} from '../../contract/conventions.js';
import type { Endpoint } from '../../contract/endpoint.js';
import { collectParams, parseQuery, scalarText } from '../../wire/decode.js';
import {
  bearerToken, bodyText, encodeForm, type Handler, type HttpRequest, isRead, type Params, splitTarget, toPairs,
} from '../../wire/http.js';
import { isCredential } from '../../wire/secrets/names.js';
import { redactTarget } from '../../wire/secrets/redact.js';
import {
  badParameters, bearerChallenge, forbidden, type HttpError, httpError, insufficientScope, invalidToken, unauthorized,
} from '../http/response.js';
import { visibleAscii, withHeaders } from '../http/middleware.js';
import type { Trace, TracedRequest } from '../http/request-log.js';
import { hashToken, tokenByDigest, userByIdOrName, type TokenRow, type WorldReads } from '../repositories/world.js';
import type { Caller } from './context.js';

type Parameters = ReturnType<typeof requestParameters>;

export interface ApiRequest extends TracedRequest {
  readonly path: string;
  readonly parameters: Parameters;
  /** Set by the handler if the response may be cached. */
  dependencies: Dependencies | null;
}

/** While none of it changes, the response stays the same, byte by byte. */
export interface Dependencies {
  readonly noteable: number;
  readonly version: number;
  readonly epoch: string;
  readonly trace: Readonly<Trace>;
  /** When the caller's token expires; null for never. */
  readonly until: string | null;
}

export const apiRequest = (request: TracedRequest): ApiRequest => {
  const [path, query] = splitTarget(request.target);
  const { method, target, headers, signal, trace } = request;
  const parameters = requestParameters(request, query);
  return { method, target, headers, signal, trace, path, parameters, dependencies: null };
};

/** The body is parsed once, on first use. */
const requestParameters = (request: HttpRequest, query: string) => {
  const length = isRead(request) ? 0 : request.body?.length ?? 0;
  let all: Promise<Params> | undefined;
  let text: string | undefined;
  return {
    /** Null without a body, and if the query has a token. */
    headerToken: length === 0 ? null : tokenInHeaders(request.headers, query),
    /** @throws UnknownMediaType, UnreadableBody, UnreadableParams, InvalidMultipart, MalformedText */
    all: () => all ??= collectParams(request, {}, query),
    text: () => text ??= bodyText(request.body ?? ''),
    bytes: (): Uint8Array<ArrayBuffer> | undefined =>
      request.body === undefined ? undefined : Buffer.from(request.body),
  };
};

/**
 * The body may have the token that counts (behavior: tokens.parameter). A malformed one has none, so that the token of
 * the headers is checked first.
 * @throws what `check`, which rejects invalid tokens, and `all` throw
 */
export const readParameters = (
  { headerToken, all }: Parameters, check: (token: string) => Promise<void>,
): Promise<Params> => all().catch(async (error: unknown) => {
  if (headerToken !== null) await check(headerToken);
  throw error;
});

/**
 * In characters; longer undeclared parameters are left out. A page has up to four links, and clients accept 16 KiB of
 * headers (Node's default).
 */
const maxLinkLength = 2_000;

/**
 * All parameters (behavior: pages.link-parameters) except tokens, sudo, and blank declared ones: links are stored and
 * logged more freely than headers.
 * @param values after conversion
 * @param all as received
 */
export const linkParameters = (values: Params, all: Params): Params => {
  const declared = Object.entries(values).filter(([, value]) => value !== null);
  const others = Object.entries(all).filter(([name, value]) => !Object.hasOwn(values, name) && isShown(name, value));
  const isLong = encodeForm(Object.fromEntries(others)).length > maxLinkLength;
  return Object.fromEntries(isLong ? declared : [...declared, ...others]);
};

const isShown = (name: string, value: unknown): boolean =>
  !toPairs({ [name]: value }).some(([full]) => isCredential(full));

/** Whether an operation accepts the token of a CI job (behavior: tokens.job-notes, tokens.job-rights). */
export const acceptsJobToken = (name: string, edition: Edition): boolean =>
  /^notes\.merge_request\.(list|get)$/.test(name) && holdsIn(authenticationFacts['tokens.job-notes'], edition);

/** Tokens of another kind count as not given. */
const acceptedCredentials = (all: Credentials, accepted: TokenType | undefined): Credentials => {
  if (accepted === undefined) return all;
  const [header, parameter] = accepted === 'bearer' ? [tokenHeader, tokenParameter] : ['authorization', oauthParameter];
  return { ...all, headers: without(all.headers, header), given: without(all.given, parameter) };
};

const without = <T extends object>(values: T, name: string): T =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key !== name)) as T;

interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly given: Params;
  readonly reads: boolean;
  readonly acceptsJob?: boolean;
}

export interface Authenticated {
  readonly caller: Caller;
  readonly until: string | null;
  /** Of a fine-grained token; null for one with scopes. */
  readonly permissions: readonly string[] | null;
}

export const jobScope = 'job';

/**
 * behavior: tokens.always, tokens.missing, tokens.insufficient-scope, tokens.blocked, tokens.job, tokens.job-places
 * @throws HttpError 401, 403
 */
export const authenticate = async (
  world: WorldReads, all: Credentials,
  { acceptTokens, now }: { readonly acceptTokens?: TokenType; readonly now: () => Date },
): Promise<Authenticated> => {
  const credentials = acceptedCredentials(all, acceptTokens);
  const time = now().toISOString();
  const { headers, given, reads, acceptsJob = false } = credentials;
  const own = givenToken(headers, given);
  const token = own ?? (acceptsJob ? givenJobToken(headers, given) : null);
  const found = token === null ? undefined : await tokenRow(world, token);
  const isJob = found?.scopes === jobScope;
  if (isJob ? !acceptsJob || own !== null && own !== bearerToken(headers) : own === null) throw unauthorized();
  const row = validToken(found, time);
  const permissions = row.permissions === null ? null : JSON.parse(row.permissions) as string[];
  if (permissions === null && !isJob) checkScopes(row, reads);
  return { caller: await sudo(world, row, credentials), until: row.expires_at, permissions };
};

export const tokenRow = async (world: WorldReads, token: string): Promise<TokenRow | undefined> => {
  const digest = hashToken(token);
  const row = await tokenByDigest(world, digest);
  // Takes the same time for all digests, so that guessing tokens reveals nothing.
  return row && timingSafeEqual(Buffer.from(row.digest), Buffer.from(digest)) ? row : undefined;
};

/**
 * Whatever its scopes. @throws HttpError 401 if it is unknown, revoked or expired, 403 if its user is not active
 * (behavior: tokens.blocked)
 */
export const validToken = (row: TokenRow | undefined, now: string): TokenRow => {
  if (!row) throw unauthorized();
  if (row.revoked) throw invalidToken('Token was revoked. You have to re-authorize from the user.');
  if (row.expires_at !== null && row.expires_at <= now) {
    throw invalidToken('Token is expired. You can either do re-authorization or token refresh.');
  }
  if (row.state !== 'active') throw forbidden(inactiveUsers[row.state] ?? 'Your account has been blocked.');
  return row;
};

/** behavior: tokens.scopes */
const checkScopes = (token: TokenRow, reads: boolean): void => {
  const scopes = token.scopes.split(' ');
  if (!scopes.includes('api') && !(reads && scopes.includes('read_api'))) {
    throw insufficientScope(reads ? 'api read_api' : 'api');
  }
};

/** The others are blocked. */
const inactiveUsers: Readonly<Record<string, string>> = {
  deactivated: 'Your account has been deactivated by your administrator. '
    + 'Please log back in from a web browser to reactivate your account.',
  blocked_pending_approval: 'Your account is pending approval from your administrator and hence blocked.',
};

/**
 * For administrators with the sudo scope only (behavior: sudo.scope, sudo.administrators). The parameter
 * overrides the header. With it, whatever its value, a call never runs with the caller's own rights (behavior:
 * sudo.never-own).
 */
const sudo = async (world: WorldReads, caller: TokenRow, { headers, given }: Credentials): Promise<Caller> => {
  const who = given[sudoName] === undefined ? headers[sudoName] : given[sudoName];
  if (who === undefined) return caller;
  if (!caller.admin) throw forbidden('Must be admin to use sudo');
  if (!caller.scopes.split(' ').includes('sudo')) throw insufficientScope('sudo');
  const name = scalarText(who);
  if (name === null) throw badParameters([`${sudoName} is invalid`]);
  const user = await userByIdOrName(world, name);
  if (!user) throw httpError(404, `404 User with ID or username '${name}' Not Found`);
  return user;
};

/** A 401 says that a bearer token is required (RFC 6750, 3). */
export const withBearerChallenge = <R extends HttpRequest>(handler: Handler<R>): Handler<R> => async (request) => {
  const response = await handler(request);
  return response.status !== 401 || response.headers['www-authenticate'] !== undefined ? response
    : withHeaders(response, { 'www-authenticate': bearerChallenge });
};

/**
 * The parameter takes precedence over the header, and the header over the bearer (behavior: tokens.parameter,
 * tokens.order). The first one given counts, even if it is malformed.
 */
export const givenToken = (headers: Readonly<Record<string, string>>, parameters: Params): string | null => firstText(
  [parameters[tokenParameter], headers[tokenHeader], bearerToken(headers), parameters[oauthParameter]]);

/** behavior: tokens.job-notes */
export const givenJobToken = (headers: Readonly<Record<string, string>>, parameters: Params): string | null =>
  firstText([parameters[jobTokenNames.parameter], headers[jobTokenNames.header]]);

/** The key of a stored response: the target, and everything that can identify the caller. */
export const responseKey = ({ headers, target }: HttpRequest): string =>
  [...callerHeaders.map((name) => headers[name]), target].join('\n');

const firstText = (places: readonly unknown[]): string | null => {
  const first = places.find(isGiven);
  return first === undefined ? null : scalarText(first);
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Returns null if the query contains a token, which takes precedence. */
const tokenInHeaders = (headers: Readonly<Record<string, string>>, query: string): string | null =>
  query !== '' && hasTokenParameter(query) ? null : givenToken(headers, {});

const hasTokenParameter = (query: string): boolean => {
  try {
    return isGiven(parseQuery(query)[tokenParameter]);
  } catch {
    return false;
  }
};

/** `encoded` is in characters of a name after percent-encoding: the header takes at most 2 KiB of the client's 16. */
const limits = { names: 20, characters: 50, encoded: 100 };

/** Every operation reads these. */
const readByAll: ReadonlySet<string> = new Set([
  tokenParameter, oauthParameter, jobTokenNames.parameter, sudoName,
]);

/**
 * The names of the parameters that an operation ignores, as on the service (behavior: requests.unknown-parameters), as
 * they are shown: the first 20, percent-encoded, shortened and without secrets. One that the document declares and the
 * service ignores counts as read (behavior: replies.note-id-ignored).
 * @param declared the endpoint in all editions
 * @param served the endpoint in the edition of the server
 */
export const unreadNames = (declared: Endpoint, served: Endpoint, given: Params): readonly string[] => {
  const found: string[] = [];
  for (const name in given) {
    if (Object.hasOwn(served.params, name) || readByAll.has(name)) continue;
    if (Object.hasOwn(declared.params, name) && declared.params[name]!.unneeded) continue;
    if (found.push(shownName(name)) === limits.names) break;
  }
  return found;
};

/** A comma would end the name within the header. */
const shownName = (name: string): string => {
  let shown = '';
  for (const character of redactTarget(name.slice(0, limits.characters))) {
    const encoded = character === ',' ? '%2C' : visibleAscii(character);
    if (shown.length + encoded.length > limits.encoded) break;
    shown += encoded;
  }
  return shown;
};

/** The service has no such rule, so the text says who rejects the request. */
export const unreadParameters = (names: readonly string[]): HttpError =>
  httpError(400, `400 Bad request - this test server does not read ${names.join(', ')}; the service may`);

/** Also on what a fault answers instead, so it is the outermost layer of the API. */
export const withUnreadHeader = <R extends TracedRequest>(handler: Handler<R>): Handler<R> => (request) =>
  handler(request).then((response) => {
    const { unread } = request.trace;
    return unread.length === 0 ? response : withHeaders(response, { 'x-colloquy-unread': unread.join(',') });
  });
