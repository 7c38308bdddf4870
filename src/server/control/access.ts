import { createHash, timingSafeEqual } from 'node:crypto';
import { bearerToken, type HttpRequest } from '../../wire/http.js';
import { eventHeader } from '../hooks/rules.js';
import { isOfForeignOrigin } from '../http/addresses.js';
import { forbidden, unauthorized } from '../http/response.js';
import { type InspectorKey, isInspectorFile } from './inspector/inspector.js';

export const controlPrefix = '/-/';

export interface ControlAccess {
  /** Without it the control plane is closed if `isRemote`, and to requests through proxies. */
  readonly controlToken?: string;
  readonly inspector?: InspectorKey;
  /** Other machines can reach the service: then tokens are secret, and the control plane is closed. */
  readonly isRemote?: boolean;
}

/** The address does not tell webhooks apart, since a webhook could name any address of the server. */
export const checkSender = (request: HttpRequest, options: ControlAccess): void => {
  const { headers } = request;
  if (headers[eventHeader.toLowerCase()] !== undefined) throw forbidden('The control plane rejects webhooks');
  // Browsers send `Origin` with whatever changes something. Only the own page of the server has the token.
  if (headers.origin === undefined) return;
  if (isOfForeignOrigin(headers)) throw forbidden('The control plane rejects requests from pages of other origins');
  if (!hasToken(headers, options)) throw unauthorized();
};

export const hasToken = (headers: HttpRequest['headers'], { controlToken, inspector }: ControlAccess): boolean => {
  const given = bearerToken(headers);
  return given !== null && [controlToken, inspector?.token].some((token) =>
    token !== undefined && timingSafeEqual(digest(given), digest(token)));
};

export const isOpenToAll = (path: string): boolean => openToAll.has(path) || isInspectorFile(path);

const openToAll = new Set(['/-/health', '/-/openapi.json', '/-/assumptions']);

/** The caller's address says nothing: behind a proxy all callers are local. */
export const checkToken = ({ headers }: HttpRequest, options: ControlAccess): void => {
  if (hasToken(headers, options)) return;
  const { controlToken, isRemote } = options;
  if (controlToken === undefined) {
    if (isRemote) throw closed('other machines can reach this server');
    if (isForwarded(headers)) throw closed('the request came through a proxy');
    return;
  }
  throw unauthorized();
};

const closed = (why: string) => forbidden(`The control plane is closed: ${why}, and no control token is set`);

/** These headers are of RFC 7239 and RFC 9110 7.6.3, or in common use. */
const isForwarded = (headers: HttpRequest['headers']): boolean =>
  Object.keys(headers).some((name) => /^(forwarded|via|x-real-ip|x-forwarded(-.*)?)$/.test(name));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
