import { createHash } from 'node:crypto';
import { oauthParameter, tokenHeader, tokenParameter } from '../contract/conventions.js';
import type { Hash } from '../wire/brackets.js';
import { asText } from '../wire/coerce.js';
import { pairsOf } from '../wire/decode.js';

/** What is stored of a token, and what it is looked up by. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * The token among a request's headers and parameters, or null: the parameter comes before the header, and the header
 * before the bearer (wire-facts 1.1.2, 1.1.9). The first that is given counts, also when it cannot be read.
 */
export const tokenOf = (headers: Readonly<Record<string, string>>, parameters: Hash): string | null => {
  const places = [parameters[tokenParameter], headers[tokenHeader], bearerOf(headers), parameters[oauthParameter]];
  const first = places.find(isGiven);
  return first === undefined ? null : asText(first);
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The bearer token of a request; the name of the scheme is not case-sensitive (RFC 9110, 11.1). */
export const bearerOf = (headers: Readonly<Record<string, string>>): string | null =>
  /^Bearer[ \t]+(\S.*)$/i.exec(headers['authorization'] ?? '')?.[1]!.trimEnd() ?? null;

/** The token of the headers, or null: also where the query names one, because a parameter comes before the headers. */
export const headerTokenOf = (headers: Readonly<Record<string, string>>, query: string): string | null =>
  query !== '' && namesToken(query) ? null : tokenOf(headers, {});

const namesToken = (query: string): boolean => {
  try {
    return isGiven(pairsOf(query)[tokenParameter]);
  } catch {
    return false;
  }
};
