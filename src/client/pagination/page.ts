import { pageHeaders, perPage as sizes } from '../../contract/conventions.js';
import { isHash, type Hash } from '../../wire/forms.js';
import { hasPageLinks, nextLink, UnreadableLink } from '../../wire/pages.js';
import { AnswerError, requestLine } from '../errors.js';
import type { Exchange } from '../response/read.js';
import type { Found, Items } from './pages.js';

/**
 * A page as it was answered, with the way to the next.
 *
 * A short or empty page ends nothing as long as the service names a next one: it holds back what the reader may not see
 * (wire-facts 3.3.2). Where it says nothing of paging, a page as full as was asked for may have a follower.
 * @param asked the parameters the page was asked for with
 * @throws AnswerError when it names as next a page that is not further on, or in a way that can't be read
 */
export const foundPage = <I extends Items>(exchange: Exchange, items: I, asked: Hash): Found<I> => {
  const { page, perPage, total, pages, next: named } = placeIn(exchange, asked);
  const next = named === undefined ? guess(items.length, page, asked) : named;
  if (next !== null) checkFurther(exchange, next, page, asked);
  return {
    page: { items, page, perPage, total, pages, more: next !== null }, next, guessed: named === undefined,
    source: { request: requestLine(exchange.request), status: exchange.response.status },
  };
};

const placeIn = (exchange: Exchange, asked: Hash): PagePlace => {
  try {
    return placeOf(exchange.response.headers, Number(asked['page']) || 1);
  } catch (cause) {
    if (!(cause instanceof UnreadableLink)) throw cause;
    throw wrong(exchange, `names the next page in a Link header that cannot be read: ${cause.message}`, { cause });
  }
};

/** @throws AnswerError for what is no list */
export const listIn = (exchange: Exchange, answer: unknown): readonly unknown[] => {
  if (!Array.isArray(answer)) throw wrong(exchange, 'answered with one value where a list is expected');
  return answer;
};

/** A service may give its default size or its most, whatever was asked for. */
const guess = (count: number, number: number, asked: Hash): Hash | null => {
  const full = Math.min(Number(asked['per_page']) || sizes.default, sizes.most);
  return count >= full || count === sizes.default ? { page: number + 1 } : null;
};

/** A list that leads back to itself would never end. */
const checkFurther = (exchange: Exchange, next: Hash, number: number, asked: Hash): void => {
  const further = 'page' in next ? Number(next['page']) > number
    : Object.entries(next).some(([name, value]) => isHash(value) || String(asked[name]) !== String(value));
  if (!further) throw wrong(exchange, `names as the page after ${number} one that is not further on`);
};

const wrong = ({ request, response }: Exchange, message: string, options?: ErrorOptions): AnswerError =>
  new AnswerError(message, requestLine(request), response.status, options);

/** What the headers of a page say of its place in the list. */
export interface PagePlace {
  readonly page: number;
  readonly perPage: number | null;
  readonly total: number | null;
  /** How many pages there are. */
  readonly pages: number | null;
  /** The parameters that ask for the next page; null on the last; undefined where the service says nothing of it. */
  readonly next: Hash | null | undefined;
}

type Headers = Readonly<Record<string, string>>;

/**
 * Reads the paging headers (wire-facts 3.2). `X-Next-Page` counts first, then the query of the link, never its host
 * (8.18), then the number of pages: a proxy may have dropped any of them.
 * @param asked the number of the page that was asked for
 * @throws UnreadableLink
 */
export const placeOf = (headers: Headers, asked: number): PagePlace => {
  const page = numberOf(headers[pageHeaders.page]) ?? asked;
  const perPage = numberOf(headers[pageHeaders.perPage]);
  const total = numberOf(headers[pageHeaders.total]);
  const pages = numberOf(headers[pageHeaders.totalPages]) ?? pagesOf(total, perPage);
  return { page, perPage, total, pages, next: nextOf(headers, page, pages) };
};

const nextOf = (headers: Headers, page: number, pages: number | null): Hash | null | undefined => {
  const numbered = numberedNext(headers[pageHeaders.next]);
  if (numbered !== undefined) return numbered;
  const linked = linkedNext(headers['link']);
  return linked === undefined ? countedNext(page, pages) : linked;
};

const numberOf = (text = ''): number | null => /^\d+$/.test(text) ? Number(text) : null;

const pagesOf = (total: number | null, perPage: number | null): number | null =>
  total === null || !perPage ? null : Math.ceil(total / perPage);

const numberedNext = (text: string | undefined): Hash | null | undefined => {
  if (text === '') return null;
  const page = numberOf(text);
  return page === null ? undefined : { page };
};

/** A Link header without paging relations says nothing. */
const linkedNext = (link: string | undefined): Hash | null | undefined =>
  nextLink(link) ?? (hasPageLinks(link) ? null : undefined);

const countedNext = (page: number, pages: number | null): Hash | null | undefined => {
  if (pages === null) return undefined;
  return page < pages ? { page: page + 1 } : null;
};
