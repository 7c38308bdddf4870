import type { Dialect, Endpoint } from '../../../contract/endpoint.js';
import { apiPrefix } from '../../../contract/conventions.js';
import { lookups } from '../../../contract/lookups/lookups.js';
import { noteableKinds } from '../../../contract/noteables.js';
import { requestLine, ResponseError } from '../../../client/errors.js';
import { readResponse } from '../../../client/response.js';
import { encode } from '../../../wire/encode.js';
import type { Transport } from '../../../wire/http.js';
import { isObject } from '../../../wire/json.js';
import type { Objects, Probe } from '../../../conformance/check.js';
import type { Examination } from '../../../conformance/run.js';

/**
 * The version of a service as `17.5`; null if it does not say, but knows the caller.
 * @param api its address, for messages
 * @throws ApiError, ConnectionError, and ResponseError if it is not the service
 */
export const instanceVersion = async (
  transport: Transport, api: string, signal: AbortSignal,
): Promise<string | null> => {
  const read = async (endpoint: Endpoint, key: string): Promise<unknown> => {
    const request = await encode(endpoint, {}, endpoint.paths[0]);
    const response = await transport(request, signal);
    if (missing.has(response.status)) return undefined;
    const result = readResponse(endpoint, { request, response }, api + apiPrefix);
    const value = isObject(result) ? result[key] : undefined;
    if (value !== undefined) return value;
    throw new ResponseError(`the response has no \`${key}\``, requestLine(request), response.status);
  };
  const version = await read(lookups.version, 'version');
  const user = await read(lookups.user, 'username');
  if (version === undefined && user === undefined) {
    throw new ResponseError(`${api + apiPrefix} has neither /version nor /user`, `GET ${apiPrefix}/version`, 404);
  }
  return /^(\d+\.\d+)(?:\.|$)/.exec(String(version))?.[1] ?? null;
};

/** Of an operation that a service lacks or a proxy hides. */
const missing: ReadonlySet<number> = new Set([403, 404, 405, 410]);

/** By the first note that can be read: only today's service says whether a note is confidential. */
export const instanceDialect = async (call: Probe['call'], objects: Objects): Promise<Dialect> => {
  for (const path of noteableKinds.flatMap((kind) => objects[kind] ?? [])) {
    const { status, text } = await call('GET', `${path}/discussions`, { query: 'per_page=1' });
    if (status === 200 && text.includes('"noteable_type":')) {
      return text.includes('"confidential":') || text.includes('"internal":') ? 'live' : 'document';
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
