import type { HttpResponse } from '../../src/wire/http.js';

/** A JSON answer of a service. */
export const json = (status: number, body: unknown): HttpResponse =>
  ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** The answer of a service that does not know a path. */
export const unknownRoute = json(404, { error: '404 Not Found' });
