import type { Params } from '../../wire/forms.js';
import type { RawList } from '../../wire/raw-list.js';
import { ResponseError } from '../errors.js';
import { anySignal, monotonicTime } from '../time.js';

/** What a page holds: values, or what the service wrote. */
export type Items = readonly unknown[] | RawList;

/** One page of a list, with its items in some form. */
export interface PageOf<I extends Items> {
  readonly items: I;
  readonly page: number;
  /** The size the service says its pages have, which may be less than was asked for; null where it does not say. */
  readonly perPage: number | null;
  /** Null where the service does not say: past 10,000 rows, or without totals. Items that are held back may count. */
  readonly total: number | null;
  /** How many pages there are; null as for `total`. */
  readonly pages: number | null;
  /** Whether another page can follow. */
  readonly more: boolean;
}

/** One page of a list. */
export type Page<T> = PageOf<readonly T[]>;

/** A paged list: iterate over its items, over its pages, or collect it. Nothing is asked for before that. */
export interface Pages<T> extends AsyncIterable<T> {
  /**
   * The pages in order; the first is handed on before the second arrives.
   * @param most how many items are wanted: pages beyond are not asked for ahead of time
   */
  pages(most?: number): AsyncIterable<Page<T>>;
  /**
   * The same pages with their items as the service wrote them: for passing on, at a fraction of the cost. The items of
   * the first page are read too, and of each other page the first item: they have to be the service's interface, and
   * all else has to be JSON.
   */
  rawPages(most?: number): AsyncIterable<PageOf<RawList>>;
  /** All items in one array. */
  all(): Promise<T[]>;
}

/** A page with the way to the one after it. */
export interface FetchedPage<I extends Items> {
  readonly page: PageOf<I>;
  /** The parameters that ask for the next page; null on the last. */
  readonly next: Params | null;
  /** Whether the service says nothing of paging, so that `next` is a guess. */
  readonly guessed: boolean;
  /** The request that brought the page, and the status of its response: for an error about the list. */
  readonly source: { readonly request: string; readonly status: number };
}

/** A page that arrived. It is read when its turn comes: unread it takes a fraction of the memory. */
export interface PageResponse<T> {
  readonly read: () => FetchedPage<readonly T[]>;
  readonly raw: () => FetchedPage<RawList>;
}

/** Asks for the page that the parameters name; none for the page to start with. */
export type FetchPage<T> = (next: Params | null, signal: AbortSignal) => Promise<PageResponse<T>>;

/**
 * A list over a function that finds single pages.
 * @param window the most pages that are asked for at once, where their number is known, and that are held
 * @param signal aborts what is in flight, as leaving the loop does
 */
export const createPages = <T>(find: FetchPage<T>, window: number, signal?: AbortSignal): Pages<T> => {
  const pages = (most?: number) => inOrder(find, (page) => page.read(), { window, signal, most });
  return {
    pages,
    rawPages: (most) => inOrder(find, (page) => page.raw(), { window, signal, most }),
    all: async () => {
      const items: T[] = [];
      for await (const page of pages()) for (const item of page.items) items.push(item);
      return items;
    },
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.items;
    },
  };
};

interface Prefetch {
  readonly window: number;
  readonly signal: AbortSignal | undefined;
  readonly most: number | undefined;
}

/**
 * A page may be empty, where all its items are held back, or begin as the one before, where items were added meanwhile;
 * so many of them in a row are no list.
 */
const maxBufferedItems = 1_000;

/**
 * Leaving the loop early aborts what is in flight.
 * @throws ResponseError for a list without end
 */
async function* inOrder<T, I extends Items>(
  find: FetchPage<T>, take: (page: PageResponse<T>) => FetchedPage<I>, { window, signal, most = Infinity }: Prefetch,
): AsyncGenerator<PageOf<I>, void> {
  const stop = new AbortController();
  const either = anySignal(signal, stop.signal);
  const { atOnce, waitFor } = createPrefetchWindow(window);
  try {
    let last = take(await waitFor(find(null, either)));
    yield last.page;
    const ahead: Promise<PageResponse<T>>[] = [];
    const known = Math.min(last.page.pages ?? 0, pagesFor(most, last.page));
    let asked = last.page.page;
    let idle = last.page.items.length === 0 ? 1 : 0;
    while (last.next !== null) {
      while (asked < known && ahead.length < atOnce()) ahead.push(withoutRejection(find({ page: ++asked }, either)));
      const found: FetchedPage<I> = take(await waitFor(ahead[0] ?? find(last.next, either)));
      void ahead.shift();
      const isIdle = isRepeated(last.page.items, found.page.items);
      if (found.guessed && isIdle) return;
      idle = isIdle ? idle + 1 : 0;
      if (idle > maxBufferedItems) throw endlessListError(found);
      yield found.page;
      last = found;
    }
  } finally {
    stop.abort();
  }
}

/** The number of the page that the last of so many items stands on, if no page is shorter than it says. */
const pagesFor = (most: number, { page, items, perPage }: PageOf<Items>): number =>
  page + Math.ceil((most - items.length) / Math.max(perPage ?? items.length, 1));

/** A page asked for ahead fails when its turn comes, or never when the loop was left. */
const withoutRejection = <P extends Promise<unknown>>(page: P): P => {
  page.catch(() => undefined);
  return page;
};

const endlessListError = ({ source: { request, status } }: FetchedPage<Items>): ResponseError =>
  new ResponseError(`names ever more pages, and the last ${maxBufferedItems} brought nothing new`, request, status);

/** Past the end of an unpaged list a service answers with nothing, or with the same page again. */
const isRepeated = (before: Items, items: Items): boolean => items.length === 0 || keyOf(items) === keyOf(before);

/** What tells the first item from others. */
const keyOf = (items: Items): string => {
  const item = 'lines' in items ? items.first() : items[0];
  return JSON.stringify(typeof item === 'object' && item !== null && 'id' in item ? item.id : item);
};

/** How many pages of a list are on the way at once. */
export interface PrefetchWindow {
  readonly atOnce: () => number;
  /** Waits for a page; how long that takes decides how many are to be on the way from then on. */
  readonly waitFor: <P>(page: Promise<P>) => Promise<P>;
}

/** Of a service at hand pages are there before they can be handled: more than a few would only lie about. */
const few = 8;

/** A page that takes longer to come, in milliseconds, comes from afar. The first one finds a connection first. */
const soon = { first: 20, later: 10 };

/** So much less for each page that is there in time: a single wait says little. */
const fall = 0.25;

/** As many pages as the window allows where one has to be waited for, else a few. */
export const createPrefetchWindow = (window: number): PrefetchWindow => {
  const least = Math.min(few, window);
  let atOnce = least;
  let longest = soon.first;
  return {
    atOnce: () => atOnce,
    waitFor: async (page) => {
      const start = monotonicTime();
      const arrived = await page;
      atOnce = monotonicTime() - start > longest ? window : Math.max(atOnce - fall, least);
      longest = soon.later;
      return arrived;
    },
  };
};
