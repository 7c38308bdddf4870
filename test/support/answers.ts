import type { HttpResponse } from '../../src/wire/http.js';
import { start } from './service.js';

/** A JSON response of a service. */
export const json = (status: number, body: unknown): HttpResponse =>
  ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** The response of a service to an unknown path. */
export const unknownRoute = json(404, { error: '404 Not Found' });

/** As a server sends it, with the current time of the reference service. */
export const dated = (response: HttpResponse, now = start): HttpResponse =>
  ({ ...response, headers: { ...response.headers, date: new Date(now).toUTCString() } });
