import { countedRows, pageHeaders } from '../contract/conventions.js';
import { urlEncoded } from './url-encoded.js';

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
