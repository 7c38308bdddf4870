import { createHash } from 'node:crypto';
import { oauthParameter, tokenHeader, tokenParameter } from '../contract/conventions.js';
import type { Hash } from '../wire/brackets.js';
import { given } from '../wire/decode.js';
import type { HttpRequest } from '../wire/http.js';

/** What is stored of a token, and what it is looked up by. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * The token among a request's headers and parameters, or null: the parameter comes before the header, and the header
 * before the bearer (wire-facts 1.1.2, 1.1.9).
 */
export const tokenOf = (headers: Readonly<Record<string, string>>, parameters: Hash): string | null => {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers['authorization'] ?? '')?.[1];
  const found = [parameters[tokenParameter], headers[tokenHeader], bearer, parameters[oauthParameter]]
    .find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
};

/** The token that a request comes with, wherever it travels; of one that can't be read, the one in its headers. */
export const tokenIn = async (request: HttpRequest, query: string): Promise<string | null> =>
  tokenOf(request.headers, await given(request, {}, query).catch(() => ({})));
