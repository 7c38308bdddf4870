import { pageHeaders } from '../contract/conventions.js';
import type { Hash } from '../wire/brackets.js';
import { hasPageLinks, nextLink } from '../wire/links.js';

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
