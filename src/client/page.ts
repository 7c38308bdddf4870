import { pageHeaders, perPage as sizes } from '../contract/conventions.js';
import { type HttpResponse, isParams, type Params, requestLine } from '../wire/http.js';
import { hasPageLinks, InvalidLinkHeader, linkedPage, nextLink, pageRelations } from '../wire/pages.js';
import type { Observer } from './events.js';
import type { FetchedPage, Items, PageOf } from './pages.js';
import { type Exchange, responseError } from './response.js';

/**
 * A short or empty page is the last one only if the service names no next page: it omits items that the caller may not
 * see (behavior: pages.short). Without paging headers, a full page can have a next one.
 * @param observe receives the event of the page
 * @throws ResponseError if the next page does not come after this one, the header that names it is invalid, or the
 * headers contradict each other or the request
 */
export const readPage = <I extends Items>(
  exchange: Exchange, items: I, requested: Params, observe?: Observer,
): FetchedPage<I> => {
  const asked = Math.max(Number(requested['page']) || 1, 1);
  const { next: nextFromHeaders, ...place } = pageInfoOf(exchange, asked);
  const { page, total } = place;
  const named = exchange.response.headers[pageHeaders.next];
  if (nextFromHeaders === undefined && named !== undefined) {
    throw responseError(exchange, `${JSON.stringify(named)} in X-Next-Page is not the number of a page`);
  }
  const next = nextFromHeaders === undefined ? guess(items.length, page, requested) : nextFromHeaders;
  if (next !== null) checkProgress(exchange, next, page, requested);
  checkPlace(exchange, page, asked);
  if (next === null) checkEnd(exchange, place);
  const request = requestLine(exchange.request);
  observe?.({ type: 'page', request, page, items: items.length, total });
  return {
    page: { items, ...place, more: next !== null }, next, guessed: nextFromHeaders === undefined,
    source: { request, status: exchange.response.status },
  };
};

const pageInfoOf = (exchange: Exchange, asked: number): PageInfo => {
  try {
    return readPageInfo(exchange.response.headers, asked);
  } catch (cause) {
    if (!(cause instanceof InvalidLinkHeader)) throw cause;
    throw responseError(exchange, `invalid Link header: ${cause.message}`, { cause });
  }
};

/** @throws ResponseError if the response is not a list */
export const responseItems = (exchange: Exchange, result: unknown): readonly unknown[] => {
  if (!Array.isArray(result)) throw responseError(exchange, 'the response is not a list');
  return result;
};

/** A service may use another page size than `per_page` says, but none below its default. */
const guess = (count: number, number: number, requested: Params): Params | null =>
  count >= Math.min(Number(requested['per_page']) || sizes.default, sizes.default) ? { page: number + 1 } : null;

/** A next page that does not come after this one would make a list without end. */
const checkProgress = (exchange: Exchange, next: Params, number: number, requested: Params): void => {
  const isFurther = 'page' in next ? Number(next['page']) > number
    : Object.entries(next).some(([name, value]) => isParams(value) || String(requested[name]) !== String(value));
  if (!isFurther) throw responseError(exchange, `the next page of page ${number} does not come after it`);
};

/** Another page in the place of the first one would hide what is before it. */
const checkPlace = (exchange: Exchange, page: number, asked: number): void => {
  const { [pageHeaders.prev]: named, link } = exchange.response.headers;
  if (page !== asked) throw responseError(exchange, `X-Page is ${page} in the response to page ${asked}`);
  const previous = headerNumber(named) || linkedPage(link, 'prev');
  if (page !== 1 || !previous) return;
  throw responseError(exchange, `the first page names page ${previous} as the one before it`);
};

/** Pages that are selected by a cursor have no numbers that totals could contradict. */
const checkEnd = (exchange: Exchange, { page, perPage, total, pages }: Omit<PageInfo, 'next'>): void => {
  const { headers } = exchange.response;
  const linked = pageRelations.map((relation) => linkedPage(headers['link'], relation) ?? 0);
  const isNumbered = pageHeaders.page in headers || pageHeaders.next in headers || linked.some((one) => one > 0);
  const counted = isNumbered ? [pages ?? 0, pageCount(total, perPage) ?? 0] : [];
  const last = Math.max(...linked, ...counted);
  if (last > page) throw responseError(exchange, `page ${page} names no next page, although there is a page ${last}`);
};

interface PageInfo extends Omit<PageOf<Items>, 'items' | 'more'> {
  /** Null on the last page; undefined if the headers do not say. */
  readonly next: Params | null | undefined;
}

/**
 * `X-Next-Page` takes precedence, then the query of the link, never its host (behavior: pages.headers,
 * pages.link-host), then the number of pages: a proxy may have removed any of them.
 * @throws InvalidLinkHeader
 */
export const readPageInfo = (headers: HttpResponse['headers'], requested: number): PageInfo => {
  const page = headerNumber(headers[pageHeaders.page]) ?? requested;
  const perPage = headerNumber(headers[pageHeaders.perPage]);
  const total = headerNumber(headers[pageHeaders.total]);
  const pages = headerNumber(headers[pageHeaders.totalPages]) ?? pageCount(total, perPage);
  return { page, perPage, total, pages, next: nextOf(headers, page, pages) };
};

const pageCount = (total: number | null, perPage: number | null): number | null =>
  total === null || !perPage ? null : Math.ceil(total / perPage);

const nextOf = (headers: HttpResponse['headers'], page: number, pages: number | null): Params | null | undefined => {
  const { [pageHeaders.next]: named, link } = headers;
  if (named === '') return null;
  const numbered = headerNumber(named);
  if (numbered !== null) return { page: numbered };
  const linked = nextLink(link);
  if (linked !== null || hasPageLinks(link)) return linked;
  if (pages === null) return undefined;
  return page < pages ? { page: page + 1 } : null;
};

const headerNumber = (text = ''): number | null => /^\d+$/.test(text) ? Number(text) : null;
