import { apiPrefix, tokenHeader } from '../../../contract/conventions.js';
import { checkStatus } from '../../../client/response.js';
import type { Got, Probe, Sent } from '../../../conformance/check.js';
import { jsonOrNull } from '../../../wire/json.js';
import { isRead, textOf, type Transport } from '../../../wire/http.js';

/** Of the caller, and of nobody. */
interface Transports {
  readonly own: Transport;
  readonly anonymous: Transport;
}

/**
 * Sends the requests of checks. Of reads, only those of a clean-up are sent after the signal; a write is not cut off,
 * so that its outcome is known. @throws ApiError when the service takes no more requests, which is no difference
 */
export const callOver = ({ own, anonymous }: Transports, signal: AbortSignal): Probe['call'] =>
  async (method, path, sent = {}) => {
    const { token, query } = sent;
    const target = `${sent.isOutsideApi ? '' : apiPrefix}${path}${query === undefined ? '' : `?${query}`}`;
    const body = bodyOf(sent);
    const headers = {
      accept: 'application/json', ...token !== undefined && token !== null && { [tokenHeader]: token },
      ...sent.json !== undefined && { 'content-type': 'application/json' }, ...sent.headers,
    };
    const transport = token === undefined ? own : anonymous;
    if (!sent.isCleanUp) signal.throwIfAborted();
    const request = { method, target, headers, ...body !== undefined && { body } };
    const response = await transport(request, isRead(request) && !sent.isCleanUp ? signal : undefined);
    if (response.status === 429) checkStatus(request, response);
    return gotFrom(`${method} ${target}`, response);
  };

const bodyOf = ({ json, form }: Sent): string | undefined => json === undefined ? form : JSON.stringify(json);

const gotFrom = (request: string, { status, headers, body }: Awaited<ReturnType<Transport>>): Got => {
  const text = textOf(body);
  return { request, status, headers, text, json: jsonOrNull(text) };
};
