import { collectParams } from '../../wire/decode.js';
import { encodeForm, toPairs, type Params } from '../../wire/forms.js';
import { isRead, splitTarget, textOf, type HttpRequest } from '../../wire/http.js';
import { isCredential } from '../../wire/secrets/names.js';
import type { TracedRequest } from '../http/request-log.js';
import { headerTokenOf } from './authenticate.js';

/** The body is parsed once, on first use. */
interface Parameters {
  /** Only callers with a valid token may have bodies parsed. Null without a body, and if the query has a token. */
  readonly headerToken: string | null;
  /** Parsing the body costs more than looking up a token. */
  readonly isLarge: boolean;
  /** @throws UnknownMediaType, UnreadableBody, UnreadableParams, InvalidMultipart */
  readonly all: () => Promise<Params>;
  readonly text: () => string;
  readonly bytes: () => Uint8Array<ArrayBuffer> | undefined;
}

/** The body is part of the parameters. */
export interface ApiRequest extends TracedRequest {
  readonly path: string;
  readonly parameters: Parameters;
  /** Set by the handler if the response may be cached. */
  dependencies: Dependencies | null;
}

/** While none of it changes, the response stays the same, byte by byte. */
export interface Dependencies {
  readonly noteable: number;
  /** Raised in the transaction of every write to the noteable's threads. */
  readonly version: number;
  /** Changes with every seeded world: users, permissions and names. */
  readonly epoch: string;
  readonly user: string;
  /** Of the caller's token; null for never. */
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
  let text: string | undefined;
  return {
    headerToken: length === 0 ? null : headerTokenOf(request.headers, query),
    isLarge: length > largeBody,
    all: () => all ??= collectParams(request, {}, query),
    text: () => text ??= textOf(request.body ?? ''),
    bytes: () => request.body === undefined ? undefined : Buffer.from(request.body),
  };
};

const largeBody = 65_536;

/**
 * Checks the token first if the body is large or malformed: unauthenticated callers learn nothing and cause no parsing
 * of large bodies.
 * @throws what `check`, which rejects invalid tokens, and `all` throw
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
