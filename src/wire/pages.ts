import { countedRows, pageHeaders } from '../contract/conventions.js';
import { urlEncoded } from './url-encoded.js';

/** Where in a list a page stands. `total` is unknown past 10,000 rows (wire-facts 3.2). */
export interface PagePlace {
  readonly page: number;
  readonly perPage: number;
  readonly total: number | null;
  readonly next: number | null;
}

/**
 * The headers that tell where a page stands (wire-facts 3.2).
 * @param url the address of the list without its query
 * @param params all parameters of the request, path ones included: they reappear in the links
 */
export const writePlace = (
  page: number, perPage: number, rows: number, url: string, params: Record<string, unknown>,
) => {
  const pages = Math.max(1, Math.ceil(rows / perPage));
  const counted = rows <= countedRows;
  const next = page < pages ? page + 1 : null;
  const prev = page > 1 && page <= pages ? page - 1 : null;
  const link = (rel: string, to: number | null) =>
    to === null ? [] : [`<${url}?${urlEncoded({ ...params, page: to, per_page: perPage })}>; rel="${rel}"`];
  return {
    [pageHeaders.page]: String(page),
    [pageHeaders.perPage]: String(perPage),
    [pageHeaders.next]: String(next ?? ''),
    [pageHeaders.prev]: String(prev ?? ''),
    ...(counted && { [pageHeaders.total]: String(rows), [pageHeaders.totalPages]: String(pages) }),
    link: [
      ...link('prev', prev), ...link('next', next), ...link('first', 1), ...link('last', counted ? pages : null),
    ].join(', '),
  };
};

/** What the headers of a page say; null where they say nothing of a next page. */
export const readPlace = (headers: Readonly<Record<string, string>>): PagePlace | null => {
  const next = headers[pageHeaders.next];
  const linked = nextLink(headers['link']);
  if (next === undefined && headers['link'] === undefined) return null;
  return {
    page: Number(headers[pageHeaders.page] ?? NaN),
    perPage: Number(headers[pageHeaders.perPage] ?? NaN),
    total: headers[pageHeaders.total] ? Number(headers[pageHeaders.total]) : null,
    next: Number(next || linked?.get('page')) || null,
  };
};

/**
 * The query of the next page's link. Only the query: the address in a link is the one the service was configured with,
 * which a client behind a proxy may not reach (wire-facts 3.2, 8.18).
 */
export const nextLink = (header: string | undefined): URLSearchParams | null => {
  const match = /<([^>]*)>\s*;[^,]*\brel=(?:next(?![\w-])|"(?:[^",]* )?next(?: [^",]*)?")/i.exec(header ?? '');
  const query = match?.[1]?.split('?')[1];
  return query === undefined ? null : new URLSearchParams(query);
};
