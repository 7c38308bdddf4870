import type { ApiError, ConnectionError, ResponseError } from '../../client/errors.js';
import { rateHeaders, unknownRoute } from '../../contract/conventions.js';
import { saysNothingStored } from '../../wire/error-body.js';
import { invalidTokenHint, newTokenHint } from './token-hints.js';

/** What to do next, one line for each way in which the way to the service fails. */

/** Whether a request, as its method and path, may change something there. */
export const isWrite = (request: string): boolean => !/^(GET|HEAD) /.test(request);

/** What to do where nobody can tell whether a write was done. */
export const mayBeStored = 'it may have arrived and been stored: look before sending it again';

/** What may help when no answer came. */
export const afterNoAnswer = ({ code, sent, request, message, proxyStatus }: ConnectionError): string => {
  if (proxyStatus !== null) return proxyStatus === 407 ? proxyPassword : checkProxy;
  if (code === 'PROXY_TIMEOUT') return `${checkProxy}; --timeout gives it more time`;
  const about = tls.find(([pattern]) => pattern.test(code))?.[1];
  if (about !== undefined) return about;
  if (sent && isWrite(request)) return mayBeStored;
  if (/TIMEOUT/.test(code)) return 'the service took too long; --timeout gives it more time';
  if (closed.has(code) && message.includes('https://')) return `${wrongWay}; ${maybeCertificate}`;
  return message.includes('through the proxy') ? checkProxy : wrongWay;
};

const checkProxy = 'check the proxy (HTTPS_PROXY, HTTP_PROXY, NO_PROXY) and --url';

/** What to do where a proxy asks for a password. */
export const proxyPassword =
  'put user and password into the address of the proxy: HTTPS_PROXY=http://user:password@proxy:3128';

const closed = new Set(['ECONNRESET', 'UND_ERR_SOCKET']);
const wrongWay = 'check --url and the network';
const maybeCertificate = 'a service that wants a client certificate (--client-cert, --client-key) closes so too';

/** What to do where a service asks for a client certificate. */
export const certificate =
  'the service wants to see a certificate: name it with --client-cert and its key with --client-key';

/** The first that fits the code counts. */
const tls: readonly (readonly [code: RegExp, hint: string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'the certificate has run out: it has to be renewed there, or the clock here is wrong'],
  [/^CERT_NOT_YET_VALID$/, 'the certificate is not valid yet: the clock here or there is wrong'],
  [/ALTNAME/, 'the certificate is for another host: check --url'],
  [/CERT_REVOKED/, 'the certificate was taken back: do not trust the service before it has a new one'],
  [/ALERT_(CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|HANDSHAKE)|_CERTIFICATE_REQUIRED/, certificate],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/,
    'there is no TLS there: should --url begin with http://?'],
  [/^ERR_SSL|^EPROTO$/, 'the two ends found no common TLS: check --url, and whether a proxy stands in between'],
  [/CERT|SELF_SIGNED|ISSUER|UNABLE_TO_|INVALID_(CA|PURPOSE)/,
    'name the authority that signed it with --ca-cert FILE, or keep that with `colloquy config set ca-cert FILE`'],
];

/** What to do next, one line for each way in which the service says no. */

/** What may help after the service said no. */
export const afterRefusal = (error: ApiError): string => {
  const { status, request, body } = error;
  if (status === unknownRoute.status && isUnknownPath(body)) return wrongPath(request);
  if (status === 401) return unknownToken(error);
  if (status === 403) return forbidden(error);
  if (status === 404) return missing(error);
  if (status === 409 && isAbout(request, epics)) return '`colloquy epics list` shows how the epics stand';
  if (status === 429) return limited(error);
  if (status >= 500) return !isWrite(request) ? failedRead : saysNothingStored(body) ? unchanged : failedWrite;
  return others[status] ?? otherwise(error);
};

const otherwise = ({ status, request, body }: ApiError): string => {
  if (status === 400 && isForeign(body)) return afterForeignRefusal(request, String(body));
  return isWrite(request) || ofValues.has(status) ? mend : elsewhere;
};

const others: Readonly<Record<number, string>> = {
  407: proxyPassword,
  408: 'the service did not receive the whole request in time: check the network, then try again',
  409: 'somebody else may be changing the same; look at it, then try again',
  413: 'the text or file is larger than the service, or something in front of it, takes',
  421: 'the connection led to another service: check --url and what stands in front of it, then try again',
  425: 'the service did not process the request because it came too early: try again',
};

/** What the service says of values; what else it answers to a read hardly comes from the interface. */
const ofValues = new Set([400, 412, 422]);
const mend = 'mend what the service names, then try again';
const elsewhere = 'check that --url names the service itself, and what stands in front of it';

const failedRead = 'the service failed, or something in front of it; try again later';
const unchanged = 'nothing was stored; try again later';
const failedWrite = 'the service failed, perhaps after it stored this: look before sending it again';

/** Answers of the service itself are objects; a proxy's are pages and plain words. */
const isForeign = (body: unknown): boolean => typeof body !== 'object';

const isAbout = (request: string, path: RegExp): boolean => path.test(request.replace(/^\S+ /, ''));
const epics = /^\/api\/v4\/groups\/[^/]+\/(-\/)?epics\b/;
const shortCommit = /\/repository\/commits\/[0-9a-f]{4,39}\/discussions\b/i;
const appearance = /^\/api\/v4\/application\/appearance$/;

const encodedSlash = (request: string): string | null => request.includes('%2F')
  ? 'something in front of the service may not let %2F through: name the project or group by its number' : null;

const isUnknownPath = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'error' in body && body.error === unknownRoute.body.error;

/** nginx asks for a certificate in a page. */
const afterForeignRefusal = (request: string, page: string): string =>
  /ssl certificate/i.test(page) ? certificate : encodedSlash(request) ?? elsewhere;

const wrongPath = (request: string): string => {
  if (isAbout(request, epics)) return 'the service has no epics (they need a higher tier), or --url is not its address';
  const slash = encodedSlash(request);
  return `the service does not know this path: check --url${slash === null ? '' : `; or ${slash}`}`;
};

/** The words of 401 and of a scope that is too small are in `error` and `error_description` (wire-facts 1.3, 1.4). */
const unknownToken = ({ words }: ApiError): string => {
  if (/expired/i.test(words)) return `the token has expired: ${newTokenHint}`;
  if (/revoked/i.test(words)) return `the token has been revoked: ${newTokenHint}`;
  return invalidTokenHint;
};

const forbidden = ({ request, words, body }: ApiError): string => {
  const { error, scope } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if (error === 'insufficient_scope') {
    const needed = typeof scope === 'string' && scope !== '' ? scope.split(' ').join(' or ') : 'api';
    return `the token needs the scope ${needed}: make one with it, then log in with \`colloquy auth login\``;
  }
  if (/account/i.test(words)) return 'an administrator of the service can say more about the account';
  if (isAbout(request, appearance)) return 'the appearance is for administrators: use the token of one, with scope api';
  if (isAbout(request, epics)) return forbiddenEpic;
  if (/^PUT .*\/discussions\/[^/]+$/.test(request)) return unresolvable;
  return isWrite(request)
    ? 'it takes a member with the right role, or the author of the note; a locked or archived one takes nothing'
    : 'the user of the token may not see this: ask a member with the right to invite';
};

/** An epic that is not there is refused like one that may not be touched (wire-facts 6.2.5). */
const forbiddenEpic = 'epics need a higher tier, and epics below epics a still higher one; the epic has to exist; '
  + 'and linking takes a member of the group';

const missing = ({ request, words, body }: ApiError): string => {
  if (isForeign(body)) return `check --url${optional(encodedSlash(request))}`;
  if (/\bproject not found/i.test(words)) return notAMember('project', '--project', request);
  if (/\bgroup not found/i.test(words)) return notAMember('group', '--group', request);
  const gone = 'it does not exist, or the token may not see it';
  return isAbout(request, shortCommit) ? `${gone}; a commit is named by all 40 characters of its SHA` : gone;
};

/** Single comments are refused as strangers are (wire-facts 4.9.5). */
const unresolvable = 'resolving takes a member with the right role, or the author of the merge request; '
  + 'single comments and notes of the service itself can not be resolved';

/** What is private is hidden as 404 (wire-facts 1.5.1). */
const notAMember = (what: string, flag: string, request: string): string =>
  `there is no such ${what}, or the user of the token is not a member of it: check ${flag}`
  + optional(encodedSlash(request));

const optional = (hint: string | null): string => hint === null ? '' : `; or ${hint}`;

const waitAMinute = 'wait a minute, then try again; --retries tries more often by itself';

const limited = ({ headers }: ApiError): string => {
  const after = (headers['retry-after'] ?? '').trim();
  if (/^\d{1,7}$/.test(after)) return `the service takes more in ${after === '1' ? 'one second' : `${after} seconds`}`;
  const reset = headers[rateHeaders.reset] ?? '';
  const sent = Date.parse(headers['date'] ?? '');
  const instant = /^\d{9,11}$/.test(reset) ? Number(reset) * 1000 : /[a-z]/i.test(after) ? Date.parse(after) : NaN;
  if (Number.isNaN(instant) || instant < sent) return waitAMinute;
  return `the service takes more at ${new Date(instant).toISOString()}`;
};

/** What may help when the answer is none of the interface. A redirect did nothing yet. */
export const afterOddAnswer = ({ status, request }: ResponseError): string =>
  status < 300 && isWrite(request) ? `${mayBeStored}; ${elsewhere}` : elsewhere;
