import { maxCountedRows, pageHeaders } from '../contract/conventions.js';
import { encodeForm, fromPairs, type Params, UnreadableParams } from './http.js';
import { isCredential } from './secrets/names.js';

export class InvalidLinkHeader extends Error {}

/** Only the query: the address may be wrong (behavior: pages.links, pages.link-host). @throws InvalidLinkHeader */
export const nextLink = (header: string | undefined): Params | null => {
  const next = parseLinks(header ?? '').find(({ relations }) => relations.includes('next'));
  if (next === undefined) return null;
  const query = queryOf(next.address);
  if (query === undefined) throw new InvalidLinkHeader('the link to the next page has no query');
  const pairs = new URLSearchParams(query);
  return queryParams([...pairs].filter(([name]) => !isCredential(name)));
};

export const pageRelations = ['first', 'prev', 'next', 'last'] as const;
type PageRelation = (typeof pageRelations)[number];

/** The number of the page with this relation to the current one; null if no link has one, or the header is invalid. */
export const linkedPage = (header: string | undefined, relation: PageRelation): number | null => {
  try {
    const found = parseLinks(header ?? '').find(({ relations }) => relations.includes(relation));
    const number = new URLSearchParams(found && queryOf(found.address)).get('page') ?? '';
    return /^\d+$/.test(number) ? Number(number) : null;
  } catch (error) {
    if (error instanceof InvalidLinkHeader) return null;
    throw error;
  }
};

export const hasPageLinks = (header: string | undefined): boolean =>
  parseLinks(header ?? '').some(({ relations }) => pageRelations.some((one) => relations.includes(one)));

const queryOf = (address: string): string | undefined => {
  const at = address.indexOf('?');
  return at < 0 ? undefined : address.slice(at + 1).split('#', 1)[0];
};

const queryParams = (pairs: [string, string][]): Params => {
  const values = new Map(pairs);
  const conflict = pairs.find(([name, value]) => !name.endsWith('[]') && values.get(name) !== value);
  if (conflict) throw new InvalidLinkHeader(`${conflict[0]} has two different values`);
  try {
    const params = fromPairs(pairs);
    if (typeof params['page'] === 'object') throw new InvalidLinkHeader('page is not a number');
    return params;
  } catch (cause) {
    if (cause instanceof UnreadableParams) throw new InvalidLinkHeader(cause.message, { cause });
    throw cause;
  }
};

interface Link { readonly address: string; readonly relations: readonly string[] }

/**
 * RFC 8288. The library http-link-header loses `rel` after a parameter without a value, and throws a TypeError for some
 * headers.
 */
const parseLinks = (header: string): Link[] => {
  const links: Link[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(header);
    if (match) at = pattern.lastIndex;
    return match;
  };
  for (take(separator); at < header.length; take(separator)) {
    const address = take(target)?.[1];
    if (address === undefined) throw new InvalidLinkHeader(`no link at character ${at}`);
    let relations: readonly string[] | null = null;
    for (let match = take(parameter); match; match = take(parameter)) {
      const [, name = '', quoted, token = ''] = match;
      if (name.toLowerCase() === 'rel') relations ??= (quoted ?? token).toLowerCase().split(/\s+/);
    }
    links.push({ address, relations: relations ?? [] });
    if (at < header.length && !/[\s,]/.test(header[at]!)) throw new InvalidLinkHeader(`no link at character ${at}`);
  }
  return links;
};

const separator = /[\s,]*/y;
const target = /<([^>]*)>/y;
const parameter = /\s*;\s*([^\s=;,"]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y;

/** behavior: pages.headers, pages.links, pages.one-page, pages.beyond-headers */
export const pageHeadersFor = (
  page: number, perPage: number, rows: number, url: string, params: Record<string, unknown>,
) => {
  const pages = Math.max(1, Math.ceil(rows / perPage));
  const isCounted = rows <= maxCountedRows;
  const next = page < pages ? page + 1 : null;
  const prev = page > 1 && page <= pages ? page - 1 : null;
  const link = (rel: string, to: number | null) =>
    to === null ? [] : [`<${url}?${encodeForm({ ...params, page: to, per_page: perPage })}>; rel="${rel}"`];
  return {
    [pageHeaders.page]: String(page),
    [pageHeaders.perPage]: String(perPage),
    [pageHeaders.next]: String(next ?? ''),
    [pageHeaders.prev]: String(prev ?? ''),
    ...(isCounted && { [pageHeaders.total]: String(rows), [pageHeaders.totalPages]: String(pages) }),
    link: [
      ...link('prev', prev), ...link('next', next), ...link('first', 1), ...link('last', isCounted ? pages : null),
    ].join(', '),
  };
};
