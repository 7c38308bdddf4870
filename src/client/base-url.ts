import { apiPrefix } from '../contract/conventions.js';
import { UnusablePathValue } from '../wire/encode.js';

export interface BaseUrl {
  /** `https://host:8443`. */
  readonly origin: string;
  /** Before `/api/v4`, without a trailing slash; empty for a service at the root (behavior: requests.base-path). */
  readonly path: string;
  readonly href: string;
}

/**
 * A trailing `/api/v4` is removed: the variables of CI jobs contain it.
 * @throws TypeError for anything but an http or https URL, and for a user name, password, query or fragment
 */
export const readBaseUrl = (text: string): BaseUrl => {
  if (!URL.canParse(text)) throw invalidUrl(text);
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    if (text.includes('@')) throw invalidUrl(text);
    throw new TypeError(`the base URL must start with http: or https:, not ${url.protocol}`);
  }
  if (url.username || url.password) {
    throw new TypeError('the base URL must not contain a user name or password; use a token');
  }
  if (url.search || url.hash) throw new TypeError('the base URL must not have a query or fragment');
  const given = withoutSlashes(url.pathname);
  const path = given.endsWith(apiPrefix) ? withoutSlashes(given.slice(0, -apiPrefix.length)) : given;
  return { origin: url.origin, path, href: url.origin + path };
};

/** The message does not repeat text with an `@`, because it may contain a password. */
const invalidUrl = (text: string): TypeError =>
  new TypeError(`invalid base URL${text.includes('@') ? '' : ` ${JSON.stringify(text)}`}; use the form https://host`);

const withoutSlashes = (path: string): string => {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  return path.slice(0, end);
};

/**
 * What follows `/api/v4/` in a path, which can be without that, or in a whole URL of the service.
 * @throws UnusablePathValue for a URL elsewhere: it would receive the token
 */
export const partBelowApi = (base: BaseUrl, path: string): string => {
  if (/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(path)) {
    const { href } = within(base, path);
    const start = apiStart(base);
    return (path.startsWith(start) ? path : href).slice(start.length);
  }
  const bare = path.replace(/^\//, '');
  const prefix = `${apiPrefix.slice(1)}/`;
  return bare.startsWith(prefix) ? bare.slice(prefix.length) : bare;
};

/** @param part from `partBelowApi` @throws UnusablePathValue if it leads elsewhere */
export const apiUrl = (base: BaseUrl, part: string): URL => {
  const url = within(base, apiStart(base) + part);
  if (url.href.includes('#')) throw new UnusablePathValue('a path cannot contain #', 'write it as %23');
  return url;
};

const apiStart = (base: BaseUrl): string => `${base.href}${apiPrefix}/`;

const within = (base: BaseUrl, text: string): URL => {
  if (!URL.canParse(text, base.origin)) {
    throw new UnusablePathValue('the path is not valid', `pass a path below ${apiPrefix}`);
  }
  const url = new URL(text, base.origin);
  if (url.href.startsWith(apiStart(base))) return url;
  const outside = `${url.origin}${url.pathname} is outside ${apiStart(base)}`;
  throw new UnusablePathValue(`${outside}, the only place that receives the token`, 'pass a path below it');
};
