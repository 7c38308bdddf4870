import { createHash } from 'node:crypto';
import { oauthParameter, tokenHeader, tokenParameter } from '../contract/conventions.js';
import type { Hash } from '../wire/brackets.js';
import { asText } from '../wire/coerce.js';
import { given } from '../wire/decode.js';
import type { HttpRequest } from '../wire/http.js';

/** What is stored of a token, and what it is looked up by. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * The token among a request's headers and parameters, or null: the parameter comes before the header, and the header
 * before the bearer (wire-facts 1.1.2, 1.1.9). The first that is given counts, also when it cannot be read.
 */
export const tokenOf = (headers: Readonly<Record<string, string>>, parameters: Hash): string | null => {
  const places = [parameters[tokenParameter], headers[tokenHeader], bearerOf(headers), parameters[oauthParameter]];
  const first = places.find((value) => value !== undefined && value !== null && value !== '');
  return first === undefined ? null : asText(first);
};

/** The bearer token of a request; the name of the scheme is not case-sensitive (RFC 9110, 11.1). */
export const bearerOf = (headers: Readonly<Record<string, string>>): string | null =>
  /^Bearer[ \t]+(\S.*)$/i.exec(headers['authorization'] ?? '')?.[1]!.trimEnd() ?? null;

/** The token that a request comes with, wherever it travels; of one that can't be read, the one in its headers. */
export const tokenIn = async (request: HttpRequest, query: string): Promise<string | null> =>
  tokenOf(request.headers, await given(request, {}, query).catch(() => ({})));
