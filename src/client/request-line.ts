import type { HttpRequest } from '../wire/http.js';

/** `METHOD /path` of a request, without its query, so that no secret given there is repeated. */
export const requestLine = (request: HttpRequest): string => `${request.method} ${request.target.split('?', 1)[0]!}`;
