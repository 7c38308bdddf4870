import { apiPrefix } from '../contract/conventions.js';
import { UnusablePathValue } from '../wire/path.js';
import type { BaseUrl } from './base-url.js';

/**
 * What follows `/api/v4/` in a path, which can be without that, or in a whole URL of the service.
 * @throws UnusablePathValue for a URL elsewhere: it would receive the token
 */
export const partBelowApi = (base: BaseUrl, path: string): string => {
  if (/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i.test(path)) {
    const { href } = within(base, path);
    const start = startOf(base);
    return (path.startsWith(start) ? path : href).slice(start.length);
  }
  const bare = path.replace(/^\//, '');
  const prefix = `${apiPrefix.slice(1)}/`;
  return bare.startsWith(prefix) ? bare.slice(prefix.length) : bare;
};

/** @param part from `partBelowApi` @throws UnusablePathValue if it leads elsewhere */
export const apiUrl = (base: BaseUrl, part: string): URL => {
  const url = within(base, startOf(base) + part);
  if (url.href.includes('#')) throw new UnusablePathValue('a path cannot contain #; write it as %23');
  return url;
};

const startOf = (base: BaseUrl): string => `${base.href}${apiPrefix}/`;

const within = (base: BaseUrl, text: string): URL => {
  if (!URL.canParse(text, base.origin)) {
    throw new UnusablePathValue(`the path is not valid; pass a path below ${apiPrefix}`);
  }
  const url = new URL(text, base.origin);
  if (url.href.startsWith(startOf(base))) return url;
  const problem = `${url.origin}${url.pathname} is outside ${startOf(base)}`;
  throw new UnusablePathValue(`${problem}, the only place that receives the token; pass a path below it`);
};
