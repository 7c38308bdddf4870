import { apiPrefix } from '../contract/conventions.js';
import { isUpload, pathNames, type Endpoint, type Upload } from '../contract/endpoint.js';
import { encodeForm, toPairs, type Params } from './forms.js';
import type { HttpRequest } from './http.js';
import { multipartBody, type FormFile } from './multipart-body.js';
import { fillPath } from './path.js';

/** Without files; the service accepts all three (behavior: requests.parameter-places). */
export type Encoding = 'json' | 'form' | 'query';

/**
 * GET and DELETE have their parameters in the query. Other requests with a file are multipart
 * (behavior: appearance.upload), and all others use `encoding`. Undefined parameters are left out.
 */
export const encode = async (
  endpoint: Endpoint, params: Params, path = endpoint.paths[0], encoding: Encoding = 'json',
): Promise<HttpRequest> => {
  const inPath = new Set(pathNames(path));
  const target = apiPrefix + fillPath(path, params);
  const rest = Object.fromEntries(
    Object.entries(params).filter(([name, value]) => !inPath.has(name) && value !== undefined));
  return { method: endpoint.method, ...await payload(endpoint, target, rest, encoding) };
};

type Payload = Omit<HttpRequest, 'method'>;

const payload = (endpoint: Endpoint, target: string, rest: Params, encoding: Encoding): Payload | Promise<Payload> => {
  const headers = { accept: 'application/json' };
  if (Object.keys(rest).length === 0) return { target, headers };
  const inQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE' || encoding === 'query';
  if (Object.values(rest).some(isUpload)) return multipart(target, headers, rest);
  if (inQuery) return { target: `${target}?${encodeForm(rest)}`, headers };
  if (encoding === 'form') {
    const type = 'application/x-www-form-urlencoded';
    return { target, headers: { ...headers, 'content-type': type }, body: encodeForm(rest) };
  }
  return { target, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(rest) };
};

const multipart = async (target: string, headers: Record<string, string>, rest: Params): Promise<Payload> => {
  const { headers: type, body } = await multipartBody(toPairs(rest).map(([name, value]) =>
    [name, isUpload(value) ? fileOf(value) : String(value)]));
  return { target, headers: { ...headers, ...type }, body };
};

const fileOf = ({ filename, bytes, content_type: contentType }: Upload): FormFile =>
  ({ filename, bytes, contentType: contentType || undefined });
