import FormData from 'form-data';
import { apiPrefix } from '../contract/conventions.js';
import { pathNames, type Endpoint } from '../contract/endpoint.js';
import { isUpload, type Upload } from '../contract/upload.js';
import { toPairs, urlEncoded, type Hash } from './forms.js';
import type { HttpRequest } from './http.js';

/** How request parameters travel when no file is among them. The service reads all three alike (wire-facts 2.1.1). */
export type Encoding = 'json' | 'form' | 'query';

/** A path parameter that would lead to another path than the endpoint's: empty, `.` or `..`. */
export class UnusablePathValue extends Error {}

/**
 * The request that calls an endpoint.
 *
 * GET and DELETE carry parameters in the query; otherwise a file makes the request multipart (interface.md, Change
 * logo), and the rest travels as `encoding` says. Parameters that are undefined are left out.
 * @param path which of the endpoint's paths to use
 */
export const encode = (
  endpoint: Endpoint, params: Hash, path = endpoint.paths[0], encoding: Encoding = 'json',
): HttpRequest => {
  const inPath = new Set(pathNames(path));
  const target = apiPrefix + fillPath(path, params);
  const rest = Object.fromEntries(
    Object.entries(params).filter(([name, value]) => !inPath.has(name) && value !== undefined));
  return { method: endpoint.method, ...payload(endpoint, target, rest, encoding) };
};

/**
 * A path with its parameters in place, each percent-encoded whole: `group/project` becomes `group%2Fproject`.
 * @throws UnusablePathValue for what would name another path: nothing, and the two dot segments
 */
export const fillPath = (path: string, params: Hash): string =>
  path.replace(/:(\w+)/g, (_, name: string) => segment(name, params[name]));

const segment = (name: string, value: unknown): string => {
  if (value === undefined || value === null || value === '') throw new UnusablePathValue(`${name} is not given`);
  if (value === '.' || value === '..') throw new UnusablePathValue(`${name} can't be "${value}"`);
  return encodeURIComponent(String(value));
};

type Payload = Omit<HttpRequest, 'method'>;

const payload = (endpoint: Endpoint, target: string, rest: Hash, encoding: Encoding): Payload => {
  const headers = { accept: 'application/json' };
  if (Object.keys(rest).length === 0) return { target, headers };
  const inQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE' || encoding === 'query';
  if (Object.values(rest).some(isUpload)) return multipart(target, headers, rest);
  if (inQuery) return { target: `${target}?${urlEncoded(rest)}`, headers };
  if (encoding === 'form') {
    const type = 'application/x-www-form-urlencoded';
    return { target, headers: { ...headers, 'content-type': type }, body: urlEncoded(rest) };
  }
  return { target, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(rest) };
};

const multipart = (target: string, headers: Record<string, string>, rest: Hash): Payload => {
  const form = new FormData();
  for (const [name, value] of toPairs(rest)) {
    if (isUpload(value)) form.append(name, Buffer.from(value.bytes), partOf(value));
    else form.append(name, String(value));
  }
  return { target, headers: { ...headers, ...form.getHeaders() }, body: form.getBuffer() };
};

const partOf = (file: Upload) =>
  ({ filename: file.filename, ...(file.content_type && { contentType: file.content_type }) });
