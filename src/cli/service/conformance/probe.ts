import { apiPrefix, tokenHeader } from '../../../contract/conventions.js';
import type { Got, Probe, Sent } from '../../../conformance/check.js';
import { jsonOrNull } from '../../../wire/json-object.js';
import { textOf, type Transport } from '../../../wire/http.js';

/** Of the caller, and of nobody. */
export interface Transports {
  readonly own: Transport;
  readonly anonymous: Transport;
}

/** Sends the requests of checks. A request of a clean-up is sent also after the signal. */
export const callOver = ({ own, anonymous }: Transports, signal: AbortSignal): Probe['call'] =>
  async (method, path, sent = {}) => {
    const { token, query } = sent;
    const target = `${apiPrefix}${path}${query === undefined ? '' : `?${query}`}`;
    const body = bodyOf(sent);
    const headers = {
      accept: 'application/json', ...token !== undefined && token !== null && { [tokenHeader]: token },
      ...sent.json !== undefined && { 'content-type': 'application/json' }, ...sent.headers,
    };
    const transport = token === undefined ? own : anonymous;
    const response = await transport({ method, target, headers, ...body !== undefined && { body } },
      sent.isCleanUp ? undefined : signal);
    return gotFrom(`${method} ${target}`, response);
  };

const bodyOf = ({ json, form }: Sent): string | undefined => json === undefined ? form : JSON.stringify(json);

const gotFrom = (request: string, { status, headers, body }: Awaited<ReturnType<Transport>>): Got => {
  const text = textOf(body);
  return { request, status, headers, text, json: jsonOrNull(text) };
};
