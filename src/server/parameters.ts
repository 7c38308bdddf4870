import type { Hash } from '../wire/brackets.js';
import { given } from '../wire/decode.js';
import type { HttpRequest } from '../wire/http.js';
import { headerTokenOf } from './credentials.js';

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
  readonly all: () => Promise<Hash>;
}

export const parametersOf = (request: HttpRequest, query: string): Parameters => {
  const length = request.method === 'GET' || request.method === 'HEAD' ? 0 : request.body?.length ?? 0;
  let all: Promise<Hash> | undefined;
  return {
    headerToken: length === 0 ? null : headerTokenOf(request.headers, query),
    isLarge: length > large,
    all: () => all ??= given(request, {}, query),
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
): Promise<Hash> => {
  if (headerToken === null) return all();
  if (isLarge) return check(headerToken).then(all);
  return all().catch(async (error: unknown) => {
    await check(headerToken);
    throw error;
  });
};
