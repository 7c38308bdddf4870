import { apiPrefix } from '../contract/conventions.js';
import { type Endpoint, pathNamesInClient, type Upload } from '../contract/endpoint.js';
import { encodeForm, type HttpRequest, isUpload, type Params, toPairs } from './http.js';
import { type FormFile, multipartBody } from './multipart.js';

/** Without files; the service accepts all three (behavior: requests.parameter-places). */
export type Encoding = 'json' | 'form' | 'query';

/** Files make a request multipart (behavior: appearance.upload). Undefined parameters are left out. */
export const encode = async (
  endpoint: Endpoint, params: Params, path = endpoint.paths[0], encoding: Encoding = 'json',
): Promise<HttpRequest> => {
  const inPath = pathNamesInClient(path, endpoint);
  const target = apiPrefix + fillPath(path, params, endpoint.clientNames);
  const rest = Object.fromEntries(
    Object.entries(params).filter(([name, value]) => !inPath.includes(name) && value !== undefined));
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
    [name, isUpload(value) ? formFile(value) : String(value)]));
  return { target, headers: { ...headers, ...type }, body };
};

const formFile = ({ filename, bytes, content_type: contentType }: Upload): FormFile =>
  ({ filename, bytes, contentType: contentType || undefined });

/**
 * A path parameter that would lead to another path: missing, empty, `.`, `..`, percent-encoded already, or given under
 * two names with different values. The message names the parameter.
 * @example
 * ```ts
 * import { createClient, UnusablePathValue } from 'colloquy';
 *
 * const client = createClient({ url: process.env['COLLOQUY_URL']!, token: process.env['COLLOQUY_TOKEN']! });
 * try {
 *   await client.lookups.project({ id: 'acme%2Fapp' });
 * } catch (error) {
 *   if (!(error instanceof UnusablePathValue)) throw error;
 *   console.log(error.message); // prints id "acme%2Fapp" is percent-encoded already; pass "acme/app"
 * }
 * ```
 */
export class UnusablePathValue extends Error {
  override readonly name = 'UnusablePathValue';
  constructor(
    /** What is wrong with the value. */
    readonly reason: string,
    /** What to do about it; null if the reason says enough. */
    readonly hint: string | null = null,
  ) {
    super(hint === null ? reason : `${reason}; ${hint}`);
  }
}

/** `group/project` becomes `group%2Fproject`. @param names in a client @throws UnusablePathValue */
export const fillPath = (path: string, params: Params, names: Endpoint['clientNames'] = {}): string =>
  path.replace(/:(\w+)/g, (_, wireName: string) => {
    const name = names[wireName] ?? wireName;
    return segment(name, valueOf(params, name, wireName));
  });

const valueOf = (params: Params, name: string, oldName: string): unknown => {
  const [value, old] = [params[name] ?? params[oldName], params[oldName] ?? params[name]];
  if (String(value) === String(old)) return value;
  throw new UnusablePathValue(`${name} ${String(value)} and ${oldName} ${String(old)} differ`, `pass ${name} alone`);
};

const segment = (name: string, value: unknown): string => {
  if (value === undefined || value === null || value === '') {
    throw new UnusablePathValue(`${name} is missing`, 'pass a value');
  }
  if (value === '.' || value === '..') {
    throw new UnusablePathValue(`${name} cannot be "${value}"`, 'pass an id or a path');
  }
  if (typeof value === 'string' && /%2f/i.test(value)) {
    const plain = value.replace(/%2f/gi, '/');
    throw new UnusablePathValue(`${name} ${JSON.stringify(value)} is percent-encoded already`,
      `pass ${JSON.stringify(plain)}`);
  }
  return encodeURIComponent(String(value));
};
