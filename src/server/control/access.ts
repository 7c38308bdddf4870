import { createHash, timingSafeEqual } from 'node:crypto';
import { type Handler, type HttpRequest, isRead, splitTarget } from '../../wire/http.js';
import { bearerToken } from '../api/request.js';
import { eventHeader } from '../hooks/rules.js';
import { forbidden, unauthorized, withErrors } from '../http/response.js';
import { splitWorldTarget, worldPrefix } from '../http/addresses.js';
import { withCommonHeaders, withoutBodyOfHead } from '../http/middleware.js';
import { type InspectorKey, isInspectorFile } from './inspector/inspector.js';

export const controlPrefix = '/-/';

export interface ControlAccess {
  /** Without it the control plane is closed if `isRemote`, and to requests through proxies. */
  readonly controlToken?: string;
  readonly inspector?: InspectorKey;
  /** Other machines can reach the service: then tokens are secret, and the control plane is closed. */
  readonly isRemote?: boolean;
}

/** @throws HttpError for a request that may not use the closed part */
export const checkControlAccess = (request: HttpRequest, options: ControlAccess): void => {
  checkSender(request, options);
  checkToken(request, options);
};

/** The address does not tell webhooks apart, since a webhook could name any address of the server. */
export const checkSender = (request: HttpRequest, options: ControlAccess): void => {
  if (request.headers[eventHeader.toLowerCase()] !== undefined) throw forbidden('The control plane rejects webhooks');
  checkOrigin(request, options);
};

/** Browsers send `Origin` with whatever changes something. Only the own page of the server has the token. */
const checkOrigin = ({ headers }: HttpRequest, options: ControlAccess): void => {
  const { origin, host } = headers;
  if (origin === undefined) return;
  const isOwn = host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
  if (!isOwn) throw forbidden('The control plane rejects requests from pages of other origins');
  if (!hasToken(headers, options)) throw unauthorized();
};

export const hasToken = (headers: HttpRequest['headers'], { controlToken, inspector }: ControlAccess): boolean => {
  const given = bearerToken(headers);
  return given !== null && [controlToken, inspector?.token].some((token) =>
    token !== undefined && timingSafeEqual(digest(given), digest(token)));
};

/**
 * A page of another origin cannot read what it requests, as with an image or a form, but its requests would make
 * worlds, fill the log and use up faults. They reach nothing but what is open to all.
 */
export const withoutForeignPages = (handler: Handler, address: () => string): Handler => {
  const reject = withoutBodyOfHead(withCommonHeaders(withErrors(() => Promise.reject(foreignPage())), address));
  return (request) => isOfForeignPage(request.headers) && !isOpenRead(request) ? reject(request) : handler(request);
};

/** Browsers send the header with every request (W3C Fetch Metadata); `none` is an address that the user entered. */
const isOfForeignPage = ({ 'sec-fetch-site': site }: HttpRequest['headers']): boolean =>
  site !== undefined && site !== 'same-origin' && site !== 'none';

const isOpenRead = ({ method, target }: HttpRequest): boolean => isRead({ method })
  && isOpenToAll(splitTarget(target.startsWith(worldPrefix) ? splitWorldTarget(target).target : target)[0]);

const foreignPage = () => forbidden('The request came from a page of another origin; '
  + 'send it without a browser, or from a page of this server');

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
