import type { ApiError, ConnectionError, ResponseError } from '../../client/errors.js';
import { rejectedClient } from '../../client/transport/network-errors.js';
import { rateHeaders, type TokenType, unknownRoute, versions } from '../../contract/conventions.js';
import { counted, firstOf } from '../../text/messages.js';
import { lacksPermission, saysNothingStored } from '../../wire/error-response.js';
import { nearestRouteIn, readHttpDate } from '../../wire/http.js';
import type { Sources } from '../app.js';

/** A job has no profile, so it needs another hint than to log in. Without one, the hint fits both. */
interface HintPair { readonly hint: string | null; readonly jobHint: string | null }

export type Hint = string | HintPair;

/** How hints name settings: by where their values come from, else by their flags. `base` is the URL of the service. */
export const settingNames = ({ url, project, group, token, reference, base }: Sources) => ({
  url: url === undefined ? '--url' : settingName('url', url),
  project: project === undefined ? '--project' : settingName('project', project),
  group: group === undefined ? '--group' : settingName('group', group),
  token: token === undefined ? 'the token' : `the token from ${token}`,
  id: reference === 'CI_MERGE_REQUEST_IID' ? reference : 'the id',
  base: base ?? null,
});
type SettingNames = ReturnType<typeof settingNames>;

export const settingName = (setting: string, from: string): string =>
  from.startsWith('profile ') ? `the ${setting} of ${from}` : from;

export const isWrite = (request: string): boolean => !/^(GET|HEAD) /.test(request);

const checkStored = 'check whether it was stored before sending it again';

export const connectionHint = (error: ConnectionError, names: SettingNames): string => {
  const { code, sent, request, origin, proxy, proxyStatus, wasAnswered } = error;
  if (proxyStatus !== null) return proxyStatus === 407 ? proxyPassword : checkProxy(names);
  if (code === 'PROXY_TIMEOUT') return `${checkProxy(names)}, or raise --timeout`;
  const about = tlsHints.find(([pattern]) => !sent && pattern.test(code))?.[1];
  if (about !== undefined) return about(names);
  if (sent && isWrite(request)) return checkStored;
  if (/TIMEOUT/.test(code)) return 'try again, or raise --timeout';
  if (code.startsWith('HPE_')) return checkUrl(names);
  const maybe = code === 'ECONNRESET' && !wasAnswered ? closedBecause(origin ?? '', proxy) : null;
  if (maybe !== null) return `${checkNetwork(names)}; ${maybe}`;
  return proxy === null ? checkNetwork(names) : checkProxy(names);
};

const closedBecause = (origin: string, proxy: string | null): string | null => {
  if (origin.startsWith('https:')) return 'the service may require a client certificate (--client-cert, --client-key)';
  return origin.startsWith('http:') && proxy === null ? 'the port may require https://' : null;
};

const checkProxy = ({ url }: SettingNames): string => `check the proxy (HTTPS_PROXY, HTTP_PROXY, NO_PROXY) and ${url}`;

const proxyPassword =
  'put user and password into the proxy URL: HTTPS_PROXY=http://user:password@proxy:3128';

const checkNetwork = ({ url }: SettingNames): string => `check ${url} and the network`;

const passCertificate =
  'pass the client certificate that the service requires with --client-cert and --client-key';

const tlsHints: readonly (readonly [code: RegExp, hint: (names: SettingNames) => string])[] = [
  [/^CERT_HAS_EXPIRED$/, () => 'renew the certificate on the service, or check the clock of this machine'],
  [/^CERT_NOT_YET_VALID$/,
    () => 'check the clocks of this machine and the service: the certificate is not valid yet'],
  [/ALTNAME/, ({ url }) => `check ${url}: the certificate is for another host`],
  [/CERT_REVOKED/, () => 'do not use the service until it has a new certificate: this one has been revoked'],
  [rejectedClient, () => passCertificate],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/,
    ({ url }) => `check ${url}: the service does not use TLS there, so it may require http://`],
  [/^ERR_SSL|^EPROTO$/,
    ({ url }) => `check ${url} and any proxy in between: no common TLS version or cipher was found`],
  [/CERT|SELF_SIGNED|ISSUER|UNABLE_TO_|INVALID_(CA|PURPOSE)/,
    () => 'pass the CA that signed it with --ca-cert FILE, or store it with `colloquy config set ca-cert FILE`'],
];

/** Where the service removes the HTML comments that contain the keys of notes. */
export const markerLostHint = 'use `colloquy notes upsert --visible-key`, which writes the key on a visible line; '
  + 'if the text has only quick actions, add a line that is no quick action';

/** Others write while the program reads. */
export const listChangedHint = 'run the command again when fewer items are added and deleted';

/** @param tokenType how the token was sent */
export const apiErrorHint = (error: ApiError, names: SettingNames, tokenType?: TokenType): Hint => {
  const { status, request, body } = error;
  if (status === unknownRoute.status && isUnknownPath(body)) return wrongPath(error, names);
  if (status === 401) return invalidToken(error, names, tokenType);
  if (status === 403) return forbidden(error, names);
  if (status === 404) return notFound(error, names);
  if (status === 409 && isPathOf(request, epics)) return 'run `colloquy epics list` to see the current children';
  if (status === 429) return rateLimited(error);
  const unrecorded = unrecordedHint(body);
  if (unrecorded !== null) return unrecorded;
  if (status >= 500) return failed(error);
  if (status === 421) return `check ${names.url} and any proxy in front of the service, then try again`;
  return hintsByStatus[status] ?? defaultHint(error, names);
};

const defaultHint = ({ status, request, body }: ApiError, names: SettingNames): string => {
  if (status === 400 && isTlsPort(body)) return `use https:// in ${names.url}: the port requires TLS`;
  if (status === 400 && isFromProxy(body)) return proxyResponseHint(request, String(body), names);
  // Other errors of a read hardly come from the API itself.
  const isAboutValues = isWrite(request) || [400, 412, 422].includes(status);
  return isAboutValues ? 'fix the values named in the response, then try again' : checkUrl(names);
};

const hintsByStatus: Readonly<Record<number, string>> = {
  407: proxyPassword,
  408: 'check the network, then try again: the service did not receive the whole request in time',
  409: 'check for a concurrent change, then try again',
  413: 'send less: the text or file exceeds the limit of the service or of a proxy in front of it',
  425: 'try again: the service did not process the request because it came too early',
};

const checkUrl = ({ url }: SettingNames): string =>
  `check that ${url} is the service itself, and check any proxy in front of it`;

const failed = ({ status, request, body }: ApiError): string => {
  if (isWrite(request)) {
    return saysNothingStored(body) ? 'try again later: nothing was stored'
      : `${checkStored}: the service may have failed afterwards`;
  }
  return status === 500 ? 'try again later: a 500 is repeated only with --retries, such as --retries 5'
    : 'try again later: the service or a proxy in front of it failed';
};

/** Of `serve --replay --strict`, which names the most similar recorded request. */
const unrecordedHint = (body: unknown): string | null => {
  if (typeof body !== 'object' || body === null || !('nearest' in body)) return null;
  const nearest = String(body.nearest);
  const differs = 'differs' in body && Array.isArray(body.differs) ? body.differs.join(', ').replace(/\s+/g, ' ') : '';
  return 'record this request too, or run `colloquy serve` without --strict'
    + (nearest.includes(' /') ? `; the nearest recorded request is ${JSON.stringify(nearest)}` : '')
    + (differs === '' ? '' : `, with another ${differs}`);
};

/** As nginx, Apache and Go say it. */
const isTlsPort = (body: unknown): boolean => typeof body === 'string'
  && /plain HTTP (request was sent )?to (an )?(HTTPS|SSL)|HTTP request to an HTTPS/i.test(body);

/** The service responds with objects, proxies with pages and plain text. */
const isFromProxy = (body: unknown): boolean => typeof body !== 'object';

const isPathOf = (request: string, path: RegExp): boolean => path.test(request.replace(/^\S+ /, ''));
const epics = /^\/api\/v4\/groups\/[^/]+\/(-\/)?epics\b/;
const below = /\/(?:notes|discussions)\/[^/]+/;
const shortCommit = /\/repository\/commits\/[0-9a-f]{4,39}\/discussions\b/i;
const appearance = /^\/api\/v4\/application\/appearance$/;

const encodedSlash = (request: string): string | null => request.includes('%2F')
  ? 'use the numeric id of the project or group: a proxy may block %2F in paths' : null;

const isUnknownPath = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'error' in body && body.error === unknownRoute.body.error;

/** nginx requires a client certificate with an HTML page. */
const proxyResponseHint = (request: string, page: string, names: SettingNames): string =>
  /ssl certificate/i.test(page) ? passCertificate : encodedSlash(request) ?? checkUrl(names);

/** behavior: resolving.issues, resolving.epics */
export const resolvingVersions = `update the service: issues require version ${versions.issueThreads}, epics version `
  + versions.epicThreads;

const resolvesThread = /\/(issues|epics)\/[^/]+\/discussions\/[^/]+$/;

const wrongPath = ({ request, headers }: ApiError, names: SettingNames): string => {
  const { url } = names;
  if (request.startsWith('PUT ') && isPathOf(request, resolvesThread)) return resolvingVersions;
  const nearest = nearestRouteIn(headers);
  if (nearest !== null) return `use another route, such as ${nearest}: \`colloquy serve\` does not have this one`;
  if (isPathOf(request, epics)) return `check ${url}, and that the tier of the service includes epics`;
  return (withPath(names) ?? `check ${url}: the service does not know this path`) + orElse(encodedSlash(request));
};

/** Of a URL that may be that of a project. */
const withPath = ({ url, base }: SettingNames): string | null => {
  const origin = base === null ? base : new URL(base).origin;
  return origin === base ? null : `check ${url}: only the address of the instance belongs there, such as ${origin}`;
};

/**
 * Responses about tokens and scopes use `error` and `error_description` (behavior: tokens.expired,
 * tokens.insufficient-scope).
 */
const invalidToken = (
  { serverMessage, headers }: ApiError, { token }: SettingNames, tokenType: TokenType = 'private',
): Hint => {
  if (/expired/i.test(serverMessage)) return expiredTokenHint(token, 'has expired');
  if (/revoked/i.test(serverMessage)) return expiredTokenHint(token, 'has been revoked');
  if (tokenType === 'bearer') return asksForBearer(headers) ? invalidTokenHint(token) : privateHint(token);
  return asksForBearer(headers) ? bearerHint(token) : invalidTokenHint(token);
};

const forbidden = ({ status, request, serverMessage, body }: ApiError, { token }: SettingNames): Hint => {
  if (lacksPermission({ status, body })) return permissionHint(serverMessage);
  const { error, scope } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if (error === 'insufficient_scope') {
    return scopeHint(token, typeof scope === 'string' && scope !== '' ? scope.split(' ').join(' or ') : 'api');
  }
  if (/account/i.test(serverMessage)) return 'ask an administrator of the service about the account';
  if (isPathOf(request, appearance)) return `replace ${token} with one of an administrator, with scope api`;
  // The service responds to single comments as it does without permission (behavior: resolving.unresolvable).
  if (/^PUT .*\/discussions\/[^/]+$/.test(request)) {
    return 'check that you have the required role or are the author of the object; '
      + 'single comments and system notes cannot be resolved';
  }
  // A missing epic and a forbidden one get the same response (behavior: epics.unknown-parent).
  if (isPathOf(request, epics)) {
    return 'check that the epic exists, that the tier of the service includes epics and child epics, '
      + 'and that you are a member of the group';
  }
  return isWrite(request)
    ? 'check that you have the required role or are the author, and that the target is not locked or archived'
    : `ask a member for access: the user of ${token} cannot see this`;
};

/** The token itself is valid. The error shows the sentence of the service (behavior: tokens.granular-texts). */
export const permissionHint = (sentence: string): string =>
  /permissions: \[/.test(sentence) ? 'use a fine-grained token with the permissions that the service names'
    : 'use a token of a kind that the service accepts here';

const notFound = ({ request, serverMessage, body }: ApiError, names: SettingNames): string => {
  if (isFromProxy(body)) return (withPath(names) ?? `check ${names.url}`) + orElse(encodedSlash(request));
  if (/\bproject not found/i.test(serverMessage)) return hiddenContainer('project', request, names);
  if (/\bgroup not found/i.test(serverMessage)) return hiddenContainer('group', request, names);
  const id = isPathOf(request, below) ? 'the id' : names.id;
  const gone = `check ${id}: it does not exist, or ${names.token} has no access to it`;
  return isPathOf(request, shortCommit) ? `${gone}; commits require the full 40-character SHA` : gone;
};

/** The service hides private objects with a 404 (behavior: errors.hidden). */
const hiddenContainer = (kind: 'project' | 'group', request: string, names: SettingNames): string =>
  `check ${names[kind]}: the ${kind} does not exist, or the user of ${names.token} is not a member`
  + orElse(encodedSlash(request));

const orElse = (hint: string | null): string => hint === null ? '' : `; or ${hint}`;

const rateLimited = ({ headers }: ApiError): string => {
  const after = (headers['retry-after'] ?? '').trim();
  const tryAgain = (when: string) => `try again ${when}, when the rate limit resets`;
  const resetsIn = (seconds: number) => tryAgain(`in ${seconds > mostSeconds
    ? counted(Math.ceil(seconds / 60), 'minute') : counted(Math.ceil(seconds), 'second')}`);
  if (/^[1-9]\d{0,6}$/.test(after)) return resetsIn(Number(after));
  const reset = headers[rateHeaders.reset] ?? '';
  const sent = readHttpDate(headers['date']);
  const instant = /^\d{9,11}$/.test(reset) ? Number(reset) * 1000 : /[a-z]/i.test(after) ? readHttpDate(after) : NaN;
  if (Number.isNaN(instant) || instant < sent) return 'wait a minute, then try again, or raise --retries';
  return Number.isNaN(sent) ? tryAgain(`at ${new Date(instant).toISOString()}`) : resetsIn((instant - sent) / 1000);
};

/** More are shown in minutes. */
const mostSeconds = 120;

/** A redirect has changed nothing yet. */
export const responseErrorHint = ({ status, request }: ResponseError, names: SettingNames): string =>
  status < 300 && isWrite(request) ? `${checkStored}; ${checkUrl(names)}` : checkUrl(names);

const jobVariable = 'the masked variable COLLOQUY_TOKEN';

/** @param action ends with how to log in */
export const storeTokenHint = (action: string): HintPair =>
  ({ hint: action, jobHint: `store a token with scope api in ${jobVariable}` });

export const logInHint = storeTokenHint('log in with `colloquy auth login`, or set COLLOQUY_TOKEN');

/** @param profiles the names of those that are logged in */
export const firstLogInHint = (profiles: readonly string[]): HintPair => ({
  hint: `${profiles.length === 0 ? '' : `choose a profile with --profile (${firstOf(profiles, 5)}), `}`
    + 'log in with `colloquy auth login`, or set COLLOQUY_URL and COLLOQUY_TOKEN',
  jobHint: `set COLLOQUY_URL and ${jobVariable}`,
});

/** @param kind project or group, which neither the command line nor a setting names */
export const noContainerHint = (kind: 'project' | 'group', ...reasons: readonly (string | null)[]): HintPair => {
  const [flag, variable] = [`pass --${kind}`, `COLLOQUY_${kind.toUpperCase()}`];
  const why = reasons.map((reason) => reason === null ? '' : `; ${reason}`).join('');
  const example = kind === 'project' ? 'acme/app' : 'acme';
  return {
    hint: `${flag}, set ${variable}, or store it with \`colloquy config set ${kind} ${example}\`${why}`,
    jobHint: `${flag} or set ${variable}${why}`,
  };
};

export const newProfileHint: HintPair = {
  hint: 'create one with `colloquy auth login --profile NAME`',
  jobHint: 'set COLLOQUY_URL and COLLOQUY_TOKEN instead',
};

/** @param alternative what else gives the URL, a command to run */
export const noUrlHint = (alternative: string): HintPair =>
  ({ hint: `pass --url, set COLLOQUY_URL, or ${alternative}`, jobHint: 'pass --url or set COLLOQUY_URL' });

const createHint = (action: string) => ({
  hint: `${action}, then run \`colloquy auth login\` or set COLLOQUY_TOKEN`,
  jobHint: `${action}, and store it in ${jobVariable}`,
}) satisfies HintPair;

export const newTokenHint = createHint('create a new token with scope api');
const newGranularTokenHint = createHint('create a new fine-grained token with the same permissions');

/** For a token that is about to expire or lacks something. @param scopes of the token */
export const newTokenLike = (scopes: readonly string[]): HintPair & { readonly hint: string } =>
  isGranular(scopes) ? newGranularTokenHint : newTokenHint;

/** behavior: tokens.granular-scope */
export const isGranular = (scopes: readonly string[]): boolean => scopes.includes('granular');

/** By source: in `auth login` itself, and of the variable, which counts before what `auth login` stores. */
const newLogins = [
  ['the prompt', 'paste another token'], ['standard input', 'pass another token'],
  ...['COLLOQUY_TOKEN', 'GITLAB_TOKEN'].map((name) =>
    [name, 'set another, or unset the variable and run `colloquy auth login`'] as const),
] as const;

const replaceHint = (action: string, orVariable = ', or set COLLOQUY_TOKEN'): HintPair => {
  const [, how] = newLogins.find(([source]) => action.includes(`from ${source}`)) ?? [];
  const login = how ?? `run \`colloquy auth login\`${orVariable}`;
  return { hint: `${action}: ${login}`, jobHint: `${action} in ${jobVariable}` };
};

const expiredTokenHint = (token: string, what: string): HintPair =>
  replaceHint(`replace ${token}, which ${what}, with a new one of scope api`);

const replaceToken = (token: string): string => `replace ${token} with a valid one`;

const invalidTokenHint = (token: string): HintPair => replaceHint(replaceToken(token));

const scopeHint = (token: string, scope: string): HintPair =>
  replaceHint(`replace ${token} with one that has scope ${scope}`, '');

export const bearerHint = (token = 'the token'): string =>
  `send ${token} as a bearer token, as the service asks: pass --token-type bearer, or set COLLOQUY_TOKEN_TYPE=bearer`;

const privateHint = (token: string): HintPair =>
  replaceHint(`pass --token-type private if it is an access token, or ${replaceToken(token)}`);

/** A 401 of a service that takes bearer tokens only; with `error`, the token itself is rejected (RFC 6750, 3). */
export const asksForBearer = (headers: Readonly<Record<string, string>>): boolean => {
  const challenge = headers['www-authenticate'] ?? '';
  return /(?:^|[\s,])Bearer(?:\s|,|$)/i.test(challenge) && !/\berror\s*=/i.test(challenge);
};
