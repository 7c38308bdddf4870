import type { HttpRequest } from './http.js';
import { redactTarget } from './secrets/redact.js';

/** Of the test server. */
export const missingRouteHeader = 'x-colloquy-missing';

/** In characters; the rest is cut. */
const limits = { method: 20, path: 200 };

/** `METHOD PATH; nearest METHOD TEMPLATE`, without secrets, in printable ASCII. @param path without the query */
export const missingRouteValue = ({ method }: Pick<HttpRequest, 'method'>, path: string, nearest: string): string =>
  `${visibleAscii(method.slice(0, limits.method))} ${visibleAscii(redactTarget(path.slice(0, limits.path)))}`
    + `; nearest ${nearest}`;

/** Percent-encodes everything else, spaces included: the nearest route cannot be forged. */
const visibleAscii = (text: string): string => text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);

/** Null if the value is malformed. */
export const nearestRouteOf = (value: string): string | null =>
  /; nearest ([A-Z]{1,20} \/[\x21-\x7e]{1,200})$/.exec(value)?.[1] ?? null;

/** Null without the header or with a malformed one. */
export const nearestRouteIn = (headers: Readonly<Record<string, string>>): string | null =>
  nearestRouteOf(headers[missingRouteHeader] ?? '');
