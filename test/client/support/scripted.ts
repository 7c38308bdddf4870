import type { HttpRequest, HttpResponse, Transport } from '../../../src/wire/http.js';

/** A transport that gives prepared answers in order and keeps what was sent. */
export interface Scripted { readonly transport: Transport; readonly sent: HttpRequest[] }

/** An answer, or an error to fail with. A request after the last answer is an error of the test. */
export const scripted = (...answers: readonly (HttpResponse | Error)[]): Scripted => {
  const sent: HttpRequest[] = [];
  const transport: Transport = (request) => {
    const answer = answers[sent.length];
    sent.push(request);
    if (answer instanceof Error) return Promise.reject(answer);
    return answer ? Promise.resolve(answer) : Promise.reject(new Error(`no answer prepared for ${request.target}`));
  };
  return { transport, sent };
};

/** A JSON answer. */
export const json = (status: number, value: unknown, headers: Record<string, string> = {}): HttpResponse =>
  ({ status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) });

/** An answer in another media type. */
export const text = (status: number, type: string, body: string, headers: Record<string, string> = {}): HttpResponse =>
  ({ status, headers: { 'content-type': type, ...headers }, body });

/** A request as a value, without headers. */
export const request = (method: string, target: string): HttpRequest => ({ method, target, headers: {} });
