import { apiPrefix } from '../contract/conventions.js';

/** Where a service stands: all request targets are below it. */
export interface BaseUrl {
  /** Scheme, host and port: `https://host:8443`. */
  readonly origin: string;
  /** The path before `/api/v4`, without a closing slash; empty for a service at the root (wire-facts 1.8.7). */
  readonly path: string;
  /** Origin and path together: what a person would write. */
  readonly href: string;
}

/**
 * Reads a base URL. A trailing `/api/v4` is taken off, because CI jobs hand it out that way (wire-facts 9.1).
 * @throws TypeError when it is no http or https URL, or carries a user name, password, query or fragment
 */
export const readBaseUrl = (text: string): BaseUrl => {
  if (!URL.canParse(text)) throw unreadable(text);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    if (text.includes('@')) throw unreadable(text);
    throw new TypeError(`the base URL starts with ${url.protocol}, where http: or https: is needed`);
  }
  if (url.username || url.password) throw new TypeError('the base URL carries a user name or password; use a token');
  if (url.search || url.hash) throw new TypeError('the base URL carries a query or a fragment');
  const path = withoutSlashes(withoutPrefix(withoutSlashes(url.pathname)));
  return { origin: url.origin, path, href: url.origin + path };
};

const unreadable = (text: string): TypeError =>
  new TypeError(`the base URL ${shown(text)} is none; write it as https://host`);

/** What could hold a password is not repeated. */
const shown = (text: string): string => text.includes('@') ? 'with an @' : JSON.stringify(text);

const withoutPrefix = (path: string): string => path.endsWith(apiPrefix) ? path.slice(0, -apiPrefix.length) : path;

const withoutSlashes = (path: string): string => {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  return path.slice(0, end);
};
