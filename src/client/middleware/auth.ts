import { tokenHeader } from '../../contract/conventions.js';
import { textOf, type Transport } from '../../wire/http.js';
import type { TokenScheme } from '../options.js';
import { maskOf, redactedMark } from '../../wire/secrets/known.js';

type Headers = Readonly<Record<string, string>>;

/** @throws TypeError for text that is not valid in a header, such as a line break; the message does not repeat it */
export const tokenHeaders = (token: string, scheme: TokenScheme = 'private-token'): Headers => {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError('the token is empty or contains characters that are not valid in a header');
  }
  return scheme === 'bearer' ? { authorization: `Bearer ${token}` } : { [tokenHeader]: token };
};

/** Headers of the request take precedence. */
export const withHeaders = (transport: Transport, headers: Headers): Transport => (request, signal) =>
  transport({ ...request, headers: { ...headers, ...request.headers } }, signal);

/** Shorter tokens are not redacted: they are words that can occur in any message. */
const minSecretLength = 8;

/** Error responses are printed and logged, and may repeat the request, in any encoding. */
export const withRedactedToken = (transport: Transport, token: string): Transport => async (request, signal) => {
  const response = await transport(request, signal);
  if (response.status < 400 || token.length < minSecretLength) return response;
  const text = textOf(response.body);
  const masked = maskOf([token], { shortest: minSecretLength, mark: redactedMark })(text);
  return masked === text ? response : { ...response, body: masked };
};
