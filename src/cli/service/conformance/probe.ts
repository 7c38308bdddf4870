import { ApiError, ConnectionError, ResponseError } from '../../../client/errors.js';
import { checkStatus, parsedBody, readResponse } from '../../../client/response.js';
import type { Objects, Probe } from '../../../conformance/check.js';
import { checkFact, type Examination, type FactResult } from '../../../conformance/run.js';
import type { Fact } from '../../../contract/behavior/fact.js';
import { apiPrefix, noteableKinds, tokenHeader } from '../../../contract/conventions.js';
import type { Dialect, Endpoint } from '../../../contract/endpoint.js';
import { lookups } from '../../../contract/lookups/lookups.js';
import { encode } from '../../../wire/encode.js';
import { lacksPermission } from '../../../wire/error-response.js';
import { isRead, bodyText, type Transport } from '../../../wire/http.js';
import { isObject, jsonOrNull } from '../../../wire/json.js';

/**
 * Sends the requests of checks. Of reads, only those of a clean-up are sent after the signal; a write is not cut off,
 * so that its outcome is known. @throws ApiError when the service takes no more requests, which is no difference
 */
export const callOver = (
  { own, anonymous }: Readonly<Record<'own' | 'anonymous', Transport>>, signal: AbortSignal,
): Probe['call'] =>
  async (method, path, sent = {}) => {
    const { token, query } = sent;
    const target = `${sent.isOutsideApi ? '' : apiPrefix}${path}${query === undefined ? '' : `?${query}`}`;
    const body = sent.json === undefined ? sent.form : JSON.stringify(sent.json);
    const headers = {
      accept: 'application/json', ...token !== undefined && token !== null && { [tokenHeader]: token },
      ...sent.json !== undefined && { 'content-type': 'application/json' }, ...sent.headers,
    };
    const transport = token === undefined ? own : anonymous;
    if (!sent.isCleanUp) signal.throwIfAborted();
    const request = { method, target, headers, ...body !== undefined && { body } };
    const response = await transport(request, isRead(request) && !sent.isCleanUp ? signal : undefined);
    const { status } = response;
    if (status === 429) checkStatus(request, response);
    const text = bodyText(response.body);
    return { request: `${method} ${target}`, status, headers: response.headers, text, json: jsonOrNull(text) };
  };

/**
 * The version of a service as `17.5`; null if it does not say, but knows the caller. One of `/version` and `/user` may
 * have another form: its check reports it.
 * @param api its address, for messages
 * @throws ApiError, ConnectionError, and ResponseError if it is not the service
 */
export const instanceVersion = async (
  transport: Transport, api: string, signal: AbortSignal,
): Promise<string | null> => {
  const read = async (endpoint: Endpoint): Promise<FirstRead> => {
    const request = await encode(endpoint, {}, endpoint.paths[0]);
    const response = await transport(request, signal);
    if (missing.has(response.status)) {
      return { found: null, error: null, isRefused: lacksPermission({ ...response, body: parsedBody(response) }) };
    }
    try {
      return { found: readResponse(endpoint, { request, response }, api + apiPrefix), error: null };
    } catch (error) {
      if (!(error instanceof ResponseError) && !(error instanceof ApiError && error.status >= 500)) throw error;
      return { found: null, error };
    }
  };
  const [version, user] = [await read(lookups.version), await read(lookups.user)];
  const number = isObject(version.found) ? version.found['version'] : undefined;
  const isService = isUser(user.found) || user.isRefused === true || (number !== undefined && user.found === null);
  if (!isService) throw notTheService(api, version, user);
  return /^(\d+\.\d+)(?:\.|$)/.exec(String(number))?.[1] ?? null;
};

/** Both are null where there is no such path, or the token has no permission for it. */
interface FirstRead { readonly found: unknown; readonly error: Error | null; readonly isRefused?: boolean }

/** Other products respond to `/user` too. */
const isUser = (found: unknown): boolean => isObject(found) && (Object.hasOwn(found, 'username')
  || ['name', 'state', 'avatar_url', 'web_url'].filter((key) => Object.hasOwn(found, key)).length > 1);

const notTheService = (api: string, version: FirstRead, user: FirstRead): Error => {
  const reason = version.error ?? user.error;
  if (reason !== null) return reason;
  const [key, path] = user.found === null ? ['version', '/version'] : ['username', '/user'];
  return version.found === null && user.found === null
    ? new ResponseError(`${api + apiPrefix} has neither /version nor /user`, `GET ${apiPrefix}/version`, 404)
    : new ResponseError(`the response has no \`${key}\``, `GET ${apiPrefix}${path}`, 200);
};

const missing: ReadonlySet<number> = new Set([403, 404, 405, 410]);

/** By the first note that can be read: only today's service says whether a note is confidential. */
export const instanceDialect = async (call: Probe['call'], objects: Objects): Promise<Dialect> => {
  for (const path of noteableKinds.flatMap((kind) => objects[kind] ?? [])) {
    const { status, text } = await call('GET', `${path}/discussions`, { query: 'per_page=1' });
    if (status === 200 && text.includes('"noteable_type":')) {
      return text.includes('"confidential":') || text.includes('"internal":false') ? 'live' : 'document';
    }
  }
  return 'live';
};

/** What reading tells about the tier: one, or the lowest that it can be. */
export type FoundTier = Pick<Examination, 'tier' | 'leastTier'>;

/** Epics need Premium (behavior: epics.tiers); reading does not tell Premium from Ultimate. */
export const instanceTier = async (call: Probe['call'], { group }: Objects): Promise<FoundTier> => {
  const metadata = await call('GET', '/metadata');
  if (isObject(metadata.json) && metadata.json['enterprise'] === false) return { tier: 'free' };
  if (group === null) return { tier: null };
  const { status } = await call('GET', `${group}/epics`, { query: 'per_page=1' });
  if (status === 200) return { tier: null, leastTier: 'premium' };
  const isVisible = status === 403 && (await call('GET', group)).status === 200;
  return { tier: isVisible ? 'free' : null };
};

/** A response that cannot be read fails its fact; a service that is gone, as `/version` tells, ends the run. */
export const checkedIn = async (
  fact: Fact, examination: Examination, earlier: readonly FactResult[],
): Promise<FactResult> => {
  try {
    return await checkFact(fact, examination);
  } catch (error) {
    if (error instanceof ResponseError) return unread(fact, error, unreadable);
    if (!(error instanceof ConnectionError)) throw error;
    const reason = error.code.includes('TIMEOUT') ? late : unreadable;
    const mayBeGone = isThird([...earlier.map((one) => one.reason), reason]);
    if (mayBeGone && !await responds(examination.probe)) throw error;
    return unread(fact, error, reason);
  }
};

const unreadable = 'the response cannot be read';
const late = 'no response in time';

/** Each third fact in a row without a response, or in all that waited for one. */
const isThird = (reasons: readonly (string | null)[]): boolean => {
  const lost = reasons.length - 1 - reasons.findLastIndex((reason) => reason !== unreadable && reason !== late);
  const waited = reasons.filter((reason) => reason === late).length;
  return lost % 3 === 0 || reasons.at(-1) === late && waited % 3 === 0;
};

const responds = async ({ call }: Probe): Promise<boolean> => {
  try {
    return (await call('GET', '/version')).status < 502;
  } catch (error) {
    if (error instanceof ConnectionError) return false;
    throw error;
  }
};

/** Does not wait a fourth time for a path without a response. */
export const withoutSilent = (call: Probe['call']): Probe['call'] => {
  const silent = new Map<string, number>();
  return async (method, path, sent) => {
    const request = `${method} ${path}`;
    const waited = silent.get(request) ?? 0;
    if (waited >= 3 && sent?.isCleanUp !== true) {
      throw new ConnectionError('no response in time to three requests', request, 'TIMEOUT', true);
    }
    try {
      return await call(method, path, sent);
    } catch (error) {
      if (error instanceof ConnectionError && error.code.includes('TIMEOUT')) silent.set(request, waited + 1);
      throw error;
    }
  };
};

const unread = (
  { id, source }: Fact, { message, request }: ConnectionError | ResponseError, reason: string,
): FactResult => {
  const actual = message.replace(`${request}: `, () => '');
  return { id, result: 'fail', severity: 'error', request, expected: 'a response', actual, source, reason };
};
