import { pageHeaders, perPage as sizes } from '../../contract/conventions.js';
import { isParams, type Params } from '../../wire/forms.js';
import { hasPageLinks, InvalidLinkHeader, nextLink } from '../../wire/pages.js';
import { requestLine, ResponseError } from '../errors.js';
import type { Exchange } from '../response.js';
import type { FetchedPage, Items } from './pages.js';

/**
 * A page as it was answered, with the way to the next.
 *
 * A short or empty page ends nothing as long as the service names a next one: it holds back what the reader may not see
 * (wire-facts 3.3.2). Where it says nothing of paging, a page as full as was asked for may have a follower.
 * @param asked the parameters the page was asked for with
 * @throws ResponseError when it names as next a page that is not further on, or in a way that can't be read
 */
export const readPage = <I extends Items>(exchange: Exchange, items: I, asked: Params): FetchedPage<I> => {
  const { page, perPage, total, pages, next: named } = pageInfoOf(exchange, asked);
  const next = named === undefined ? guess(items.length, page, asked) : named;
  if (next !== null) checkProgress(exchange, next, page, asked);
  return {
    page: { items, page, perPage, total, pages, more: next !== null }, next, guessed: named === undefined,
    source: { request: requestLine(exchange.request), status: exchange.response.status },
  };
};

const pageInfoOf = (exchange: Exchange, asked: Params): PageInfo => {
  try {
    return readPageInfo(exchange.response.headers, Number(asked['page']) || 1);
  } catch (cause) {
    if (!(cause instanceof InvalidLinkHeader)) throw cause;
    const message = `names the next page in a Link header that cannot be read: ${cause.message}`;
    throw pagingError(exchange, message, { cause });
  }
};

/** @throws ResponseError for what is no list */
export const itemsOf = (exchange: Exchange, answer: unknown): readonly unknown[] => {
  if (!Array.isArray(answer)) throw pagingError(exchange, 'answered with one value where a list is expected');
  return answer;
};

/** A service may give its default size or its most, whatever was asked for. */
const guess = (count: number, number: number, asked: Params): Params | null => {
  const full = Math.min(Number(asked['per_page']) || sizes.default, sizes.most);
  return count >= full || count === sizes.default ? { page: number + 1 } : null;
};

/** A list that leads back to itself would never end. */
const checkProgress = (exchange: Exchange, next: Params, number: number, asked: Params): void => {
  const further = 'page' in next ? Number(next['page']) > number
    : Object.entries(next).some(([name, value]) => isParams(value) || String(asked[name]) !== String(value));
  if (!further) throw pagingError(exchange, `names as the page after ${number} one that is not further on`);
};

const pagingError = ({ request, response }: Exchange, message: string, options?: ErrorOptions): ResponseError =>
  new ResponseError(message, requestLine(request), response.status, options);

/** What the headers of a page say of its place in the list. */
export interface PageInfo {
  readonly page: number;
  readonly perPage: number | null;
  readonly total: number | null;
  /** How many pages there are. */
  readonly pages: number | null;
  /** The parameters that ask for the next page; null on the last; undefined where the service says nothing of it. */
  readonly next: Params | null | undefined;
}

type Headers = Readonly<Record<string, string>>;

/**
 * Reads the paging headers (wire-facts 3.2). `X-Next-Page` counts first, then the query of the link, never its host
 * (8.18), then the number of pages: a proxy may have dropped any of them.
 * @param asked the number of the page that was asked for
 * @throws UnreadableLink
 */
export const readPageInfo = (headers: Headers, asked: number): PageInfo => {
  const page = numberOf(headers[pageHeaders.page]) ?? asked;
  const perPage = numberOf(headers[pageHeaders.perPage]);
  const total = numberOf(headers[pageHeaders.total]);
  const pages = numberOf(headers[pageHeaders.totalPages]) ?? pagesOf(total, perPage);
  return { page, perPage, total, pages, next: nextOf(headers, page, pages) };
};

const nextOf = (headers: Headers, page: number, pages: number | null): Params | null | undefined => {
  const numbered = nextByNumber(headers[pageHeaders.next]);
  if (numbered !== undefined) return numbered;
  const linked = nextByLink(headers['link']);
  return linked === undefined ? nextByCount(page, pages) : linked;
};

const numberOf = (text = ''): number | null => /^\d+$/.test(text) ? Number(text) : null;

const pagesOf = (total: number | null, perPage: number | null): number | null =>
  total === null || !perPage ? null : Math.ceil(total / perPage);

const nextByNumber = (text: string | undefined): Params | null | undefined => {
  if (text === '') return null;
  const page = numberOf(text);
  return page === null ? undefined : { page };
};

/** A Link header without paging relations says nothing. */
const nextByLink = (link: string | undefined): Params | null | undefined =>
  nextLink(link) ?? (hasPageLinks(link) ? null : undefined);

const nextByCount = (page: number, pages: number | null): Params | null | undefined => {
  if (pages === null) return undefined;
  return page < pages ? { page: page + 1 } : null;
};
