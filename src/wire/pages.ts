import { maxCountedRows, pageHeaders } from '../contract/conventions.js';
import { encodeForm, fromPairs, isParams, UnreadableParams, type Params } from './forms.js';
import { isCredential } from './redact.js';

/** A Link header that is not one, or whose next page has a query that can't be read. */
export class InvalidLinkHeader extends Error {}

/**
 * The query of the next page's link as parameters; null where no link has the relation. Only the query: the address in
 * a link is the one the service was configured with, which a client behind a proxy may not reach (wire-facts 3.2,
 * 8.18).
 * @throws UnreadableLink
 */
export const nextLink = (header: string | undefined): Params | null => {
  const next = linksIn(header ?? '').find(({ relations }) => relations.includes('next'));
  if (next === undefined) return null;
  const at = next.address.indexOf('?');
  if (at < 0) throw new InvalidLinkHeader('its address has no query');
  const pairs = new URLSearchParams(next.address.slice(at + 1).split('#', 1)[0]);
  return checkedParams([...pairs].filter(([name]) => !isCredential(name)));
};

/** Whether a Link header says anything of pages. */
export const hasPageLinks = (header: string | undefined): boolean =>
  linksIn(header ?? '').some(({ relations }) => relations.some((one) => /^(first|last|prev|next)$/.test(one)));

const checkedParams = (pairs: [string, string][]): Params => {
  const values = new Map(pairs);
  const other = pairs.find(([name, value]) => !name.endsWith('[]') && values.get(name) !== value);
  if (other) throw new InvalidLinkHeader(`${other[0]} is given with two values`);
  try {
    const params = fromPairs(pairs);
    if (isParams(params['page'])) throw new InvalidLinkHeader('page is not a number');
    return params;
  } catch (cause) {
    if (cause instanceof UnreadableParams) throw new InvalidLinkHeader(cause.message, { cause });
    throw cause;
  }
};

interface Link { readonly address: string; readonly relations: readonly string[] }

/**
 * The links of a header (RFC 8288). Each pattern is tried at one place and looks at every character once:
 * http-link-header, the library for it, loses `rel` behind a parameter without a value and fails with a TypeError on
 * some headers.
 */
const linksIn = (header: string): Link[] => {
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
    for (let found = take(parameter); found; found = take(parameter)) {
      const [, name = '', quoted, token = ''] = found;
      if (name.toLowerCase() === 'rel') relations ??= wordsIn(quoted ?? token);
    }
    links.push({ address, relations: relations ?? [] });
    if (at < header.length && !/[\s,]/.test(header[at]!)) throw new InvalidLinkHeader(`no link at character ${at}`);
  }
  return links;
};

const wordsIn = (text: string): string[] => text.toLowerCase().split(/\s+/);

const separator = /[\s,]*/y;
const target = /<([^>]*)>/y;
const parameter = /\s*;\s*([^\s=;,"]*)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y;

/**
 * The headers that tell where a page stands (wire-facts 3.2).
 * @param url the address of the list without its query
 * @param params all parameters of the request, path ones included: they reappear in the links
 */
export const pageHeadersFor = (
  page: number, perPage: number, rows: number, url: string, params: Record<string, unknown>,
) => {
  const pages = Math.max(1, Math.ceil(rows / perPage));
  const counted = rows <= maxCountedRows;
  const next = page < pages ? page + 1 : null;
  const prev = page > 1 && page <= pages ? page - 1 : null;
  const link = (rel: string, to: number | null) =>
    to === null ? [] : [`<${url}?${encodeForm({ ...params, page: to, per_page: perPage })}>; rel="${rel}"`];
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
