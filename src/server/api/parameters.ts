import { collectParams } from '../../wire/decode.js';
import { encodeForm, toPairs, type Params } from '../../wire/forms.js';
import { isRead, splitTarget, textOf, type HttpRequest } from '../../wire/http.js';
import { isCredential } from '../../wire/redact.js';
import type { TracedRequest } from '../http/request-log.js';
import { headerTokenOf } from './authenticate.js';

/** The parameters of a request. The body is parsed once, on first use. */
interface Parameters {
  /**
   * The token of the headers if the request has a body: only callers with a valid token may have bodies parsed. Null
   * without a token, without a body, and if the query contains a token, which takes precedence.
   */
  readonly headerToken: string | null;
  /** Whether parsing the body costs more than looking up a token. */
  readonly isLarge: boolean;
  /** @throws UnknownMediaType, UnreadableBody, UnreadableParams, InvalidMultipart */
  readonly all: () => Promise<Params>;
  /** The body as it was sent. */
  readonly text: () => string;
}

/** A request to the API. Its body is part of the parameters. */
export interface ApiRequest extends TracedRequest {
  /** The path without the query. */
  readonly path: string;
  readonly parameters: Parameters;
  /** What the response depends on; the handler sets it if the response may be cached. */
  dependencies: Dependencies | null;
}

/** What a response depends on: while none of it changes, the response stays the same, byte by byte. */
export interface Dependencies {
  readonly noteable: number;
  /** Raised in the transaction of every write to the noteable's threads. */
  readonly version: number;
  /** Changes with every seeded world: users, permissions and names. */
  readonly epoch: string;
  /** The username of the caller. */
  readonly user: string;
  /** When the caller's token expires; null for never. */
  readonly until: string | null;
}

export const apiRequest = (request: TracedRequest): ApiRequest => {
  const [path, query] = splitTarget(request.target);
  const { method, target, headers, signal, trace } = request;
  return { method, target, headers, signal, trace, path, parameters: parametersOf(request, query), dependencies: null };
};

const parametersOf = (request: HttpRequest, query: string): Parameters => {
  const length = isRead(request) ? 0 : request.body?.length ?? 0;
  let all: Promise<Params> | undefined;
  return {
    headerToken: length === 0 ? null : headerTokenOf(request.headers, query),
    isLarge: length > largeBody,
    all: () => all ??= collectParams(request, {}, query),
    text: () => textOf(request.body ?? ''),
  };
};

const largeBody = 65_536;

/**
 * Reads the parameters. If the body is large or malformed, checks the token first, so that unauthenticated callers
 * learn nothing and cause no parsing of large bodies.
 * @param check throws for an invalid token
 * @throws what `check` and `all` throw
 */
export const readParameters = (
  { headerToken, isLarge, all }: Parameters, check: (token: string) => Promise<void>,
): Promise<Params> => {
  if (headerToken === null) return all();
  if (isLarge) return check(headerToken).then(all);
  return all().catch(async (error: unknown) => {
    await check(headerToken);
    throw error;
  });
};

/**
 * The most characters of undeclared parameters in links; longer ones are left out. A page has up to four links, and
 * clients accept 16 KiB of headers (Node's default).
 */
const maxLinkLength = 2_000;

/**
 * The parameters in page links: all of the request (wire-facts 3.2) except tokens, sudo, and blank declared ones. Links
 * are stored and logged more freely than headers.
 * @param values the declared parameters after conversion
 * @param all every received parameter
 */
export const linkParameters = (values: Params, all: Params): Params => {
  const declared = Object.entries(values).filter(([, value]) => value !== null);
  const others = Object.entries(all).filter(([name, value]) => !Object.hasOwn(values, name) && isShown(name, value));
  const isLong = encodeForm(Object.fromEntries(others)).length > maxLinkLength;
  return Object.fromEntries(isLong ? declared : [...declared, ...others]);
};

const isShown = (name: string, value: unknown): boolean =>
  !toPairs({ [name]: value }).some(([full]) => isCredential(full));
