/**
 * What interface.md leaves open ("not shown"), settled in one place: one constant each, with its reason and the point
 * of the wire facts (observations of the real service) that it follows.
 */

/** interface.md, Versioning: all paths stand under this prefix. */
export const apiPrefix = '/api/v4';

/** interface.md, Authentication 1. Names are case-insensitive (1.1.8). */
export const tokenHeader = 'private-token';

/** Looked at before the header (1.1.2). */
export const tokenParameter = 'private_token';

/** An OAuth token in the query string (1.1.4). */
export const oauthParameter = 'access_token';

/** Acting for another user: header and parameter of the same name (1.1.7). */
export const sudoName = 'sudo';

/** Page size and its bounds (interface.md, Limits; 3.1.1, 3.1.2). */
export const perPage = { default: 20, max: 100 };

/** Over so many rows totals and the last link are left out (3.2). */
export const maxCountedRows = 10_000;

/** Pagination headers, lower case as they arrive (3.2). */
export const pageHeaders = {
  page: 'x-page',
  perPage: 'x-per-page',
  next: 'x-next-page',
  prev: 'x-prev-page',
  total: 'x-total',
  totalPages: 'x-total-pages',
} as const;

/** Headers of the rate limit (4.12.1). */
export const rateHeaders = {
  name: 'ratelimit-name',
  limit: 'ratelimit-limit',
  observed: 'ratelimit-observed',
  remaining: 'ratelimit-remaining',
  reset: 'ratelimit-reset',
  resetTime: 'ratelimit-resettime',
} as const;

/** The answer to an unknown path, or to a known one with another verb. The key differs from all others (1.5). */
export const unknownRoute = { status: 404, body: { error: '404 Not Found' } } as const;

/** Part of the message of an error after which nothing is stored: the request can be sent again as it is. */
export const nothingStored = 'nothing was stored';

/**
 * Longest target of a request, in characters; a longer one is answered 414 (1.6, 2.4.1). nginx, the usual proxy in
 * front of the service, takes request lines of 8 KiB by default, and RFC 9110, 4.1 asks for targets of 8,000 at least.
 */
export const targetLimit = 8_192;

/** The answer to every path of the interface before, which is gone (1.6); the text is the service's own. */
export const removedApi = {
  prefix: '/api/v3', status: 410, body: { error: 'API V3 is no longer supported. Use API V4 instead.' },
} as const;

/** A note's longest body, in characters (4.5.4). */
export const bodyLimit = 1_000_000;

/** So many notes fit on one object; system notes do not count (4.5.5). */
export const notesLimit = 5_000;

/** Longest profile_image_guidelines, in characters (5.3). */
export const guidelinesLimit = 4_096;

/** Largest logo and header logo, in bytes (5.3). */
export const logoLimit = 1_048_576;

/** What a fresh instance shows (5.2.3). */
export const defaultColors = { background: '#E75E40', font: '#FFFFFF' } as const;

/** The colors of an epic for which nobody chose one, as the live service shows them (6.7.1). */
export const epicColors = { background: '#1068bf', text: '#FFFFFF' } as const;

/** A title's longest form, in characters (6.4.1). */
export const titleLimit = 255;

/** How deep an epic tree may be, counted from the most distant ancestor (6.3). */
export const epicDepth = 7;

/** So many children fit below one epic (6.3). */
export const childrenLimit = 5_000;

/** Moved epic paths answer with and without this segment after the group (1.8.6). */
export const groupInfix = '/-';

/** A thread id: what the service makes and demands (4.3.2). */
export const discussionIdPattern = /^[0-9a-f]{40}$/;

/**
 * NUL cannot be stored by PostgreSQL, and a lone surrogate by no UTF-8 store. The real service refuses malformed text
 * before any route sees it; here the parameter is named as invalid, on every store alike.
 */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Access levels of members, by the service's own numbers. */
export const accessLevels = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;
