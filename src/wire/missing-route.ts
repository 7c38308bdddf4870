import type { HttpRequest } from './http.js';
import { redactTarget } from './redact.js';

/** The header in which the reference server names a route that it does not have. */
export const missingRouteHeader = 'x-colloquy-missing';

/** The most characters of a method and of a path; longer ones are truncated. */
const limits = { method: 20, path: 200 };

/**
 * The value of the header: `METHOD PATH; nearest METHOD TEMPLATE`. The path is without secrets and in printable ASCII.
 * @param path the path of the request, without its query
 * @param nearest the most similar route that the server has
 */
export const missingRouteValue = ({ method }: Pick<HttpRequest, 'method'>, path: string, nearest: string): string =>
  `${visibleAscii(method.slice(0, limits.method))} ${visibleAscii(redactTarget(path.slice(0, limits.path)))}`
    + `; nearest ${nearest}`;

/** Percent-encodes everything else, spaces included: the nearest route cannot be forged. */
const visibleAscii = (text: string): string => text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);

/** The nearest route in a value of the header; null in a malformed one. */
export const nearestRouteOf = (value: string): string | null =>
  /; nearest ([A-Z]{1,20} \/[\x21-\x7e]{1,200})$/.exec(value)?.[1] ?? null;

/** The nearest route in the header of a response; null without the header or with a malformed one. */
export const nearestRouteIn = (headers: Readonly<Record<string, string>>): string | null =>
  nearestRouteOf(headers[missingRouteHeader] ?? '');
