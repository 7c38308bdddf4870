import { collectParams } from '../../wire/decode.js';
import { encodeForm, toPairs, type Params } from '../../wire/forms.js';
import { isRead, splitTarget, type HttpRequest } from '../../wire/http.js';
import { isCredential } from '../../wire/redact.js';
import { headerTokenOf } from './authenticate.js';

/** The parameters of one request. Its body is parsed when they are asked for, and once. */
export interface Parameters {
  /**
   * The token of the headers, where the body may name another: the body is for callers with a good one. Null where the
   * headers name none, where the query names one, which counts in its place, and where there is no body.
   */
  readonly headerToken: string | null;
  /** Whether parsing the body costs more than looking up a token. */
  readonly isLarge: boolean;
  /** @throws UnknownMediaType, UnreadableBody, UnreadableHash, BrokenForm */
  readonly all: () => Promise<Params>;
}

/** A request for the interface. */
export interface ApiRequest extends HttpRequest {
  /** The path without the query. */
  readonly path: string;
  readonly parameters: Parameters;
  /** Receives what the response depends on, where it may be cached. */
  readonly onDependencies?: (dependencies: Dependencies) => void;
}

/** What a response depends on: while none of it changes, the response stays the same, byte by byte. */
export interface Dependencies {
  readonly noteable: number;
  /** Raised in the transaction of every write to the noteable's threads. */
  readonly version: number;
  /** New with every world: who there is, what they may and what things are called. */
  readonly epoch: string;
  /** When the caller's token expires; null for never. */
  readonly until: string | null;
}

export const apiRequest = (request: HttpRequest): ApiRequest => {
  const [path, query] = splitTarget(request.target);
  return { ...request, path, parameters: parametersOf(request, query) };
};

const parametersOf = (request: HttpRequest, query: string): Parameters => {
  const length = isRead(request) ? 0 : request.body?.length ?? 0;
  let all: Promise<Params> | undefined;
  return {
    headerToken: length === 0 ? null : headerTokenOf(request.headers, query),
    isLarge: length > large,
    all: () => all ??= collectParams(request, {}, query),
  };
};

const large = 65_536;

/**
 * The parameters, after a look at the token of the headers where the body is large or cannot be read: a caller who is
 * not known learns nothing but that, and makes the server parse no large body.
 * @param check throws for a token that is not good
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
 * The most characters of undeclared parameters to repeat; more are left out. A page has up to four links, and clients
 * take 16 KiB of headers (Node's default).
 */
const most = 2_000;

/**
 * The parameters that the links of a page repeat: all of the request (wire-facts 3.2) but tokens, the user to act for,
 * and declared ones that are blank. Links are stored and logged more freely than headers.
 * @param values the declared parameters after conversion
 * @param all every received parameter
 */
export const linkParameters = (values: Params, all: Params): Params => {
  const declared = Object.entries(values).filter(([, value]) => value !== null);
  const others = Object.entries(all).filter(([name, value]) => !Object.hasOwn(values, name) && isShown(name, value));
  const isLong = encodeForm(Object.fromEntries(others)).length > most;
  return Object.fromEntries(isLong ? declared : [...declared, ...others]);
};

const isShown = (name: string, value: unknown): boolean =>
  !toPairs({ [name]: value }).some(([full]) => isCredential(full));
