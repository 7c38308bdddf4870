import type { Handler, HttpRequest } from '../../wire/http.js';
import { canonicalHost, isLoopback } from '../../wire/loopback.js';
import { forbidden } from './errors.js';

/** The host names and addresses of a server. */
interface HostOptions {
  /** The address to listen on. */
  readonly host: string;
  /** The public URL, if it is another one. */
  readonly externalUrl?: string;
  /** Additional host names. */
  readonly allowedHosts?: readonly string[];
}

/** Whether a Host header names this server. */
export type HostCheck = (header: string) => boolean;

/**
 * Protects against DNS rebinding, by which a web page can reach a loopback server under its own host name. Accepts
 * loopback names, the listening address, the host of the external URL, and allowed hosts. A server on all addresses
 * (`0.0.0.0`, `::`) accepts every address, but no unknown name.
 */
export const createHostCheck = ({ host, externalUrl, allowedHosts = [] }: HostOptions): HostCheck => {
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

/** Rejects requests whose Host header names another server. */
export const withHostCheck = <R extends HttpRequest>(
  handler: Handler<R>, knowsHost: HostCheck,
): Handler<R> => (request) => {
  const { host } = request.headers;
  return host === undefined || knowsHost(host) ? handler(request) : Promise.reject(unknownHost());
};

/** @throws HttpError if the Host header names another server */
export const checkHost = ({ headers: { host } }: HttpRequest, knowsHost: HostCheck): void => {
  if (host !== undefined && !knowsHost(host)) throw unknownHost();
};

/** The message does not repeat the untrusted name. */
const unknownHost = () => forbidden('The Host header names another server. '
  + 'Use the address this server listens on, or add the name to its allowed hosts');

/** The most accepted headers to remember. */
const maxRemembered = 64;

/** The name in a Host header without its port; null if the header is malformed. */
const nameIn = (header: string): string | null => {
  const name = /^(\[[\da-fA-F:.]+\]|[^\x00-\x20\x7f/?#@\\:[\]]+)(?::\d{0,5})?$/.exec(header)?.[1];
  return name === undefined || !URL.canParse(`http://${name}`) ? null : canonicalHost(name);
};

const isAddress = (name: string): boolean => name.startsWith('[') || /^\d+(\.\d+){3}$/.test(name);
