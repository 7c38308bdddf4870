import { tokenHeader } from '../../contract/conventions.js';
import { textOf, type Transport } from '../../wire/http.js';

/** How a token is presented: in a header of its own, or as an OAuth bearer (wire-facts 1.1.1, 1.1.3). */
export type TokenScheme = 'private-token' | 'bearer';

type Headers = Readonly<Record<string, string>>;

/**
 * The header that carries a token.
 * @throws TypeError for text that no header can carry, such as a line break from a file; the text is not repeated
 */
export const tokenHeaders = (token: string, scheme: TokenScheme = 'private-token'): Headers => {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError('the token is empty or has characters that no header can carry');
  }
  return scheme === 'bearer' ? { authorization: `Bearer ${token}` } : { [tokenHeader]: token };
};

/** Adds headers to every request; a request's own win. */
export const withHeaders = (transport: Transport, headers: Headers): Transport => (request, signal) =>
  transport({ ...request, headers: { ...headers, ...request.headers } }, signal);

/** Shorter tokens are words that may stand in any message. */
const shortestSecret = 8;

/** Takes a token out of the errors of a service that repeats what it was sent: they are printed and logged. */
export const withoutEcho = (transport: Transport, token: string): Transport => async (request, signal) => {
  const response = await transport(request, signal);
  if (response.status < 400 || token.length < shortestSecret) return response;
  const text = textOf(response.body);
  return text.includes(token) ? { ...response, body: text.replaceAll(token, '[redacted]') } : response;
};
