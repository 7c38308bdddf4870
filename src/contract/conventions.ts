/**
 * What interface.md does not specify. The numbers in the comments are sections of the wire facts (observations of the
 * real service).
 */

/** interface.md, Versioning. */
export const apiPrefix = '/api/v4';

/** interface.md, Authentication 1. Names are case-insensitive (1.1.8). */
export const tokenHeader = 'private-token';

/** Takes precedence over the header (1.1.2). */
export const tokenParameter = 'private_token';

/** An OAuth token in the query string (1.1.4). */
export const oauthParameter = 'access_token';

/** Header and parameter to act as another user (1.1.7). */
export const sudoName = 'sudo';

/** Page size (interface.md, Limits; 3.1.1, 3.1.2). */
export const perPage = { default: 20, max: 100 };

/** Longer lists have no totals and no last link (3.2). */
export const maxCountedRows = 10_000;

/** Paging headers in lower case (3.2). */
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

/** The response to an unknown path or method; the key differs from that of all other errors (1.5). */
export const unknownRoute = { status: 404, body: { error: '404 Not Found' } } as const;

/** Part of the message of errors after which nothing is stored, so the request can be repeated. */
export const nothingStored = 'nothing was stored';

/**
 * In characters; the response to a longer one is 414 (1.6, 2.4.1). nginx, the usual proxy in front of the service,
 * accepts request lines of 8 KiB by default, and RFC 9110, 4.1 requires 8,000 at least.
 */
export const targetLimit = 8_192;

/** The response to every path of the removed previous API (1.6), with the text of the service. */
export const removedApi = {
  prefix: '/api/v3', status: 410, body: { error: 'API V3 is no longer supported. Use API V4 instead.' },
} as const;

/** Longest body of a note, in characters (4.5.4). */
export const bodyLimit = 1_000_000;

/** Maximum number of notes on one object, without system notes (4.5.5). */
export const notesLimit = 5_000;

/** Longest profile_image_guidelines, in characters (5.3). */
export const guidelinesLimit = 4_096;

/** Largest logo and header logo, in bytes (5.3). */
export const logoLimit = 1_048_576;

/** The colors of a new instance (5.2.3). */
export const defaultColors = { background: '#E75E40', font: '#FFFFFF' } as const;

/** The default colors of an epic on the live service (6.7.1). */
export const epicColors = { background: '#1068bf', text: '#FFFFFF' } as const;

/** Longest title, in characters (6.4.1). */
export const titleLimit = 255;

/** Maximum depth of an epic tree, from the root (6.3). */
export const epicDepth = 7;

/** Maximum number of children of one epic (6.3). */
export const childrenLimit = 5_000;

/** The epic paths work with and without this segment after the group (1.8.6). */
export const groupInfix = '/-';

/** The form of a thread id (4.3.2). */
export const discussionIdPattern = /^[0-9a-f]{40}$/;

/**
 * PostgreSQL cannot store NUL, and no UTF-8 a lone surrogate. The real service rejects such text before routing; here
 * the parameter is invalid, with every store.
 */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/**
 * That of interface.md, including all that it mentions (13.7). Clients parse three numbers and take the suffix for an
 * edition with epics.
 */
export const serviceVersion = '13.12.0-ee';

/** The features of epics that each tier has: one level of epics from premium on, epics of epics in ultimate (6.2.3). */
export const tierFeatures = {
  free: { epics: false, nested_epics: false },
  premium: { epics: true, nested_epics: false },
  ultimate: { epics: true, nested_epics: true },
} as const;

/** Access levels of members, with the numbers of the service. */
export const accessLevels = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;
