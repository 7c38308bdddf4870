import { canonicalHost, type Handler, type HttpRequest, isLoopback, isRead, splitTarget } from '../../wire/http.js';
import { randomHex } from '../random.js';
import { requestIdHeader, withCommonHeaders, withHeaders, withoutBodyOfHead } from './middleware.js';
import type { LoggedExchange } from './request-log.js';
import { forbidden, OperationError, withErrors } from './response.js';

export type HostCheck = (header: string) => boolean;

/**
 * DNS rebinding lets a web page reach a loopback server under its own host name. A server on all addresses (`0.0.0.0`,
 * `::`) accepts every address, but no unknown name.
 */
export const createHostCheck = ({ host, externalUrl, allowedHosts = [] }: {
  readonly host: string; readonly externalUrl?: string; readonly allowedHosts?: readonly string[];
}): HostCheck => {
  const own = new Set([host, ...allowedHosts].map(canonicalHost));
  if (externalUrl !== undefined) own.add(new URL(externalUrl).hostname);
  const everyAddress = own.has('0.0.0.0') || own.has('[::]');
  const seen = new Set<string>();
  return (header) => {
    if (seen.has(header)) return true;
    const name = nameIn(header);
    if (name === null) return false;
    const known = own.has(name) || isLoopback(name) || (everyAddress && isAddress(name));
    if (known && seen.size < maxRemembered) seen.add(header);
    return known;
  };
};

export const withHostCheck = <R extends HttpRequest>(
  handler: Handler<R>, knowsHost: HostCheck,
): Handler<R> => (request) => {
  const { host } = request.headers;
  return host === undefined || knowsHost(host) ? handler(request) : Promise.reject(unknownHost());
};

export const checkHost = ({ headers: { host } }: HttpRequest, knowsHost: HostCheck): void => {
  if (host !== undefined && !knowsHost(host)) throw unknownHost();
};

/** The message does not repeat the name, which is untrusted. */
const unknownHost = () => forbidden('The Host header names another server. '
  + 'Use the address this server listens on, or add the name to its allowed hosts');

const maxRemembered = 64;

const nameIn = (header: string): string | null => {
  const name = /^(\[[\da-fA-F:.]+\]|[^\x00-\x20\x7f/?#@\\:[\]]+)(?::\d{0,5})?$/.exec(header)?.[1];
  return name === undefined || !URL.canParse(`http://${name}`) ? null : canonicalHost(name);
};

const isAddress = (name: string): boolean => name.startsWith('[') || /^\d+(\.\d+){3}$/.test(name);

/** The message does not repeat the name, which is untrusted. @throws OperationError 400 */
export const checkName = (kind: 'world' | 'snapshot', name: string): void => {
  if (typeof name === 'string' && /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/.test(name)) return;
  throw new OperationError(400,
    `invalid ${kind} name: use 1 to 64 letters, digits, ".", "_" or "-", but not "." or ".." alone`);
};

export const worldPrefix = '/w/';

/** The name may be invalid; the target is that within the world. */
export const splitWorldTarget = (target: string): { readonly name: string; readonly target: string } => {
  const [, name = '', rest = ''] = /^\/w\/([^/?#]*)(.*)$/s.exec(target) ?? [];
  return { name, target: rest.startsWith('/') ? rest : `/${rest}` };
};

export const worldPath = (name: string): string => {
  checkName('world', name);
  return worldPrefix + name;
};

/**
 * A page of another origin cannot read what it requests, as with an image or a form, but its requests would make
 * worlds, fill the log and use up faults. They reach nothing but what is open to all.
 */
export const withoutForeignPages = (
  handler: Handler, address: () => string, isOpenToAll: (path: string) => boolean,
): Handler => {
  const rejected = withErrors(() => Promise.reject(forbidden('The request came from a page of another origin; '
    + 'send it without a browser, or from a page of this server')));
  const reject = withoutBodyOfHead(withCommonHeaders(async (request) =>
    withHeaders(await rejected(request), { [requestIdHeader]: randomHex(32) }), address));
  const isOpenRead = ({ method, target }: HttpRequest): boolean => isRead({ method })
    && isOpenToAll(splitTarget(target.startsWith(worldPrefix) ? splitWorldTarget(target).target : target)[0]);
  return (request) => isOfForeignPage(request) && !isOpenRead(request) ? reject(request) : handler(request);
};

/**
 * Browsers send the site with every request to an address that they trust (W3C Fetch Metadata), and the origin with
 * others that may change something; the site `none` is an address that the user entered.
 */
const isOfForeignPage = ({ method, headers }: HttpRequest): boolean => {
  const site = headers['sec-fetch-site'];
  if (site === undefined) return method !== 'OPTIONS' && isOfForeignOrigin(headers);
  return site !== 'same-origin' && site !== 'none';
};

/** A request without an origin comes from no page, or from one of this server. */
export const isOfForeignOrigin = ({ origin, host }: HttpRequest['headers']): boolean =>
  origin !== undefined && (host === undefined || (origin !== `http://${host}` && origin !== `https://${host}`));

export type UrlOf = (request: Pick<LoggedExchange, 'target' | 'world'>) => string;

export interface UrlContext {
  readonly address: () => string;
  readonly name?: string;
}

export const urlIn = ({ address, name }: UrlContext): UrlOf => ({ world, target }) =>
  address() + (world === null || world === name ? '' : worldPath(world)) + target;
