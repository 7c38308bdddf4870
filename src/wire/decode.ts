import type { Endpoint } from '../contract/endpoint.js';
import { coerce, type Accepted } from './coerce.js';
import { fromPairs, isHash, urlDecoded, type Hash } from './forms.js';
import { mediaType, textOf, type HttpRequest } from './http.js';
import { readForm } from './multipart.js';

/** A request body in a media type that the service does not read (wire-facts 1.6, 415). */
export class UnknownMediaType extends Error {
  constructor(readonly mediaType: string) { super(`The provided content-type '${mediaType}' is not supported.`); }
}

/** A body that says it is JSON and is not, or is nested or spread beyond all need (wire-facts 2.1.3). */
export class UnreadableBody extends Error {}

/**
 * All parameters of a request in one hash, before conversion: the path beats the body, the body beats the query
 * (wire-facts 2.1.1). A body on GET is ignored.
 * @throws UnknownMediaType, UnreadableBody, UnreadableHash
 */
export const given = async (request: HttpRequest, path: Hash, query: string): Promise<Hash> => {
  const body = request.method === 'GET' || request.method === 'HEAD' ? {} : await bodyOf(request);
  return Object.assign(pairsOf(query), body, path);
};

/** What was given as the endpoint declares it; see `coerce`. */
export const decode = (endpoint: Endpoint, hash: Hash): Accepted =>
  coerce(endpoint.params, hash, endpoint.exactlyOneOf);

/** The parameters of a query or form text. @throws UnreadableHash */
export const pairsOf = (text: string): Hash => fromPairs(urlDecoded(text));

const bodyOf = async (request: HttpRequest): Promise<Hash> => {
  const { body } = request;
  if (body === undefined || body.length === 0) return {};
  const type = mediaType(request.headers);
  if (type === 'application/json') return fromJson(textOf(body));
  if (type === 'application/x-www-form-urlencoded') return pairsOf(textOf(body));
  if (type === 'multipart/form-data') return fromPairs(await readForm(request.headers['content-type']!, body));
  throw new UnknownMediaType(type);
};

/** A JSON array or scalar counts as no parameters (wire-facts 2.1.2). */
const fromJson = (text: string): Hash => {
  if (text.trim() === '') return {};
  checkExtent(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnreadableBody('message body does not match declared format');
  }
  return isHash(value) ? value : {};
};

/** Far beyond what any operation reads, and far below what costs anything. */
const most = { depth: 32, values: 1_000 };

/** Counts brackets and commas outside strings, so that nothing hostile in depth or number reaches the parser. */
const checkExtent = (text: string): void => {
  let depth = 0;
  let values = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === 92) i++;
      else if (c === 34) quoted = false;
    } else if (c === 34) quoted = true;
    else if (c === 123 || c === 91) {
      if (++depth > most.depth) throw new UnreadableBody(`message body is nested deeper than ${most.depth} levels`);
    } else if (c === 125 || c === 93) depth--;
    else if (c === 44 && ++values > most.values) {
      throw new UnreadableBody(`message body holds more than ${most.values} values`);
    }
  }
};
