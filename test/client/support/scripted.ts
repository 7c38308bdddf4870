import type { HttpRequest, HttpResponse, Transport } from '../../../src/wire/http.js';

/** A transport that returns prepared responses in order and records the requests. */
export interface Scripted { readonly transport: Transport; readonly sent: HttpRequest[] }

/** Each response can also be an error to throw. A request after the last response fails the test. */
export const scripted = (...responses: readonly (HttpResponse | Error)[]): Scripted => {
  const sent: HttpRequest[] = [];
  const transport: Transport = (request) => {
    const response = responses[sent.length];
    sent.push(request);
    if (response instanceof Error) return Promise.reject(response);
    return response ? Promise.resolve(response) : Promise.reject(new Error(`no response prepared for ${request.target}`));
  };
  return { transport, sent };
};

/** A JSON response. */
export const json = (status: number, value: unknown, headers: Record<string, string> = {}): HttpResponse =>
  ({ status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) });

/** A response with another media type. */
export const text = (status: number, type: string, body: string, headers: Record<string, string> = {}): HttpResponse =>
  ({ status, headers: { 'content-type': type, ...headers }, body });

/** A request without headers. */
export const request = (method: string, target: string): HttpRequest => ({ method, target, headers: {} });
