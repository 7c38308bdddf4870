import type { Handler } from '../../wire/http.js';
import { canonicalHost, isLoopback } from '../../wire/loopback.js';
import { forbidden } from './errors.js';

/** Which names and addresses a server goes by. */
export interface HostOptions {
  /** What it listens on. */
  readonly host: string;
  /** The address it is known by, where that is another. */
  readonly externalUrl?: string;
  /** Further names. */
  readonly allowedHosts?: readonly string[];
}

/** Whether the value of a Host header names this server. */
export type HostCheck = (header: string) => boolean;

/**
 * A page of a stranger can reach a loopback server when the name of its own host is made to lead there: its requests
 * then carry that name. So only names are taken that the server has: those of the loopback, the one it listens on, the
 * one of its external URL, and those it was given. A server on every address (`0.0.0.0`, `::`) takes every address, but
 * still no unknown name.
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

/** Refuses requests whose Host header names another server. */
export const withHostCheck = (handler: Handler, knowsHost: HostCheck): Handler => async (request) => {
  const { host } = request.headers;
  if (host !== undefined && !knowsHost(host)) throw unknownHost();
  return handler(request);
};

/** The name is not repeated: it is a stranger's. */
const unknownHost = () => forbidden('The Host header names another server. '
  + 'Use the address this server listens on, or add the name to its allowed hosts');

/** So many spellings of known hosts are remembered; others are looked at anew. */
const maxRemembered = 64;

/** The name in a Host header, without its port; null where the header is none. */
const nameIn = (header: string): string | null => {
  const name = /^(\[[\da-fA-F:.]+\]|[^\x00-\x20\x7f/?#@\\:[\]]+)(?::\d{0,5})?$/.exec(header)?.[1];
  return name === undefined || !URL.canParse(`http://${name}`) ? null : canonicalHost(name);
};

const isAddress = (name: string): boolean => name.startsWith('[') || /^\d+(\.\d+){3}$/.test(name);
