import type { Params } from '../wire/http.js';
import { anySignal, monotonicTime } from '../wire/time.js';
import { itemId, type RawList } from '../wire/raw-list.js';
import { ListChangedError, ResponseError, withStackFromHere } from './errors.js';

/** Parsed values, or the JSON as received. */
export type Items = readonly unknown[] | RawList;

/** One page of a list, with parsed or raw items. */
export interface PageOf<I extends readonly unknown[] | RawList> {
  /** The items of this page alone. */
  readonly items: I;
  /** The number of the page, from 1. */
  readonly page: number;
  /** The page size that the service reports, which may be smaller than the requested one; null if not reported. */
  readonly perPage: number | null;
  /** The number of all items, including hidden ones; null if not reported, as past 10,000 rows. */
  readonly total: number | null;
  /** The number of pages; null if not reported. */
  readonly pages: number | null;
  /** Whether there can be another page. */
  readonly more: boolean;
}

/** One page of a list, with parsed items. */
export type Page<T> = PageOf<readonly T[]>;

/**
 * A paged list: iterate over its items or pages, or collect all items. Requests start only then.
 * @example
 * ```ts
 * import { createClient } from 'colloquy';
 *
 * const client = createClient({ url: process.env['COLLOQUY_URL']!, token: process.env['COLLOQUY_TOKEN']! });
 * const list = client.notes.issue.list({ id: 'acme/app', noteable_id: 7, sort: 'asc' });
 * for await (const note of list) {
 *   console.log(note.author.username); // prints ada
 *   break; // stops the requests for further pages
 * }
 * const notes = await list.all();
 * console.log(notes.length); // prints 5
 * ```
 */
export interface Pages<T> extends AsyncIterable<T> {
  /**
   * The first page is available before the second is requested. If the total changes between two pages, items may
   * have moved to an earlier page: the list is read again, and those that were missed come last.
   * @param most how many items you need: no page beyond them is prefetched
   */
  pages(most?: number): AsyncIterable<Page<T>>;
  /**
   * The same pages with the JSON of their items as received, which is much faster. All items of the first page and the
   * first item of each other page are checked; the rest must be JSON.
   */
  rawPages(most?: number): AsyncIterable<PageOf<RawList>>;
  /** All items in one array. */
  all(): Promise<T[]>;
  /**
   * All items, to say that there are no others: reads the list until two reads in a row have the same ids and the
   * same total.
   * @param mayGrow whether they agree too if all that changed is that items were added at the end
   * @throws ListChangedError if the list changes all the time
   */
  complete(mayGrow?: boolean): Promise<T[]>;
}

export interface FetchedPage<I extends Items> {
  readonly page: PageOf<I>;
  /** Null on the last page. */
  readonly next: Params | null;
  /** The response has no paging headers. */
  readonly guessed: boolean;
  readonly source: { readonly request: string; readonly status: number };
}

/** A parsed page needs much more memory. */
export interface PageResponse<T> {
  readonly read: () => FetchedPage<readonly T[]>;
  readonly raw: () => FetchedPage<RawList>;
}

export type FetchPage<T> = (next: Params | null, signal: AbortSignal) => Promise<PageResponse<T>>;

/**
 * @param window how many pages are requested and held at the same time; one if their number is unknown
 * @param signal aborts the pending requests, as leaving the loop does
 */
export const createPages = <T>(fetchPage: FetchPage<T>, window: number, signal?: AbortSignal): Pages<T> => {
  const parsed: ReadOnce<readonly T[]> = (most) => inOrder(fetchPage, (page) => page.read(), window, signal, most);
  const raw: ReadOnce<RawList> = (most) => inOrder(fetchPage, (page) => page.raw(), window, signal, most);
  const pages = (most?: number) => withMissed(parsed, most);
  return {
    pages,
    rawPages: (most) => withMissed(raw, most),
    complete: (mayGrow) => completeList(parsed, mayGrow),
    all: async () => {
      const items: T[] = [];
      for await (const page of pages()) for (const item of page.items) items.push(item);
      return items;
    },
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) {
        for (const item of page.items) {
          signal?.throwIfAborted();
          yield item;
        }
      }
    },
  };
};

type ReadOnce<I extends Items> = (most?: number) => AsyncIterable<FetchedPage<I>>;

/** How often a list is read again that changes while it is read. */
const mostRereads = 5;

/** Deleted items move the following ones to earlier pages, which are read already. */
async function* withMissed<I extends Items>(readOnce: ReadOnce<I>, most?: number): AsyncGenerator<PageOf<I>, void> {
  const read: ReturnType<typeof idsOf>[] = [];
  let held = 0;
  const totals = new Set<number | null>();
  for await (const { page } of readOnce(most)) {
    totals.add(page.total);
    if (page.more || read.length > 0) read.push(idsOf(page.items, (held += bytesOf(page.items)) <= maxHeld));
    yield page;
  }
  const seen = new Set(totals.size > 1 ? read.flatMap((ids) => ids()) : []);
  for (let times = 0; totals.size > 1 && times < mostRereads; times++) {
    totals.clear();
    for await (const { page } of readOnce()) {
      totals.add(page.total);
      const missed = [...idsOf(page.items, true)().entries()].filter(([, id]) => !seen.has(id));
      for (const [, id] of missed) seen.add(id);
      for (const [at] of missed) yield { ...page, items: page.items.slice(at, at + 1) as I, more: false };
    }
  }
}

/** What two reads of an unchanged list have in common. */
interface Contents {
  readonly ids: readonly unknown[];
  readonly totals: ReadonlySet<number | null>;
}

interface ReadPage<T> {
  readonly page: Pick<Page<T>, 'items' | 'total'>;
  readonly source: FetchedPage<Items>['source'];
}

/**
 * The one reader of lists of which the program says that there is nothing else: two reads in a row agree.
 * @param mayGrow see `Pages` @throws ListChangedError
 */
export const completeList = async <T>(readOnce: () => AsyncIterable<ReadPage<T>>, mayGrow = false): Promise<T[]> => {
  let before: Contents | null = null;
  for (let times = 0; ; times++) {
    const { items, source, ...contents } = await wholeList(readOnce);
    const isComparable = mayGrow || before?.ids.length === contents.ids.length;
    if (before !== null && isComparable && hasGrown(before, contents)) return items;
    if (times > mostRereads) throw new ListChangedError(source.request, source.status);
    before = contents;
  }
};

const wholeList = async <T>(readOnce: () => AsyncIterable<ReadPage<T>>) => {
  const [items, ids, totals]: [T[], unknown[], Set<number | null>] = [[], [], new Set()];
  let source: FetchedPage<Items>['source'] = { request: '', status: 0 };
  for await (const fetched of readOnce()) {
    ({ source } = fetched);
    totals.add(fetched.page.total);
    for (const item of fetched.page.items) {
      items.push(item);
      ids.push(itemId(item));
    }
  }
  return { items, ids, totals, source };
};

/** By what was added at the end, or not at all: an item that is gone would have moved those behind it. */
const hasGrown = (before: Contents, after: Contents): boolean => {
  const [total, ...others] = before.totals;
  const count = after.ids.length - before.ids.length;
  return others.length === 0 && before.ids.every((id, at) => id === after.ids[at]) && !hasRepeated(after)
    && [...after.totals].join() === String(typeof total === 'number' ? total + count : total ?? '');
};

/** An item on two pages has moved while they were read, and one that is on none may have, too. */
const hasRepeated = ({ ids }: Contents): boolean => {
  const known = ids.filter((id) => (id ?? '') !== '' && id !== 0);
  return new Set(known).size < known.length;
};

/** The raw items that are held for their ids: to copy these takes longer than to hold a short list. */
const maxHeld = 2 ** 23;

const bytesOf = (items: Items): number => 'lines' in items ? items.list().length : 0;

/** Few lists change while they are read: the ids of raw items are parsed when they are needed. */
const idsOf = (items: Items, isHeld: boolean): () => unknown[] => {
  if ('lines' in items && isHeld) return items.ids;
  const ids = 'lines' in items ? items.idList() : items.map(itemId);
  return () => typeof ids === 'string' ? JSON.parse(ids) as unknown[] : ids;
};

/** Pages are empty if all items are hidden, and repeat items if some were added; so many in a row have no end. */
const maxIdlePages = 1_000;

/** In order; leaving the loop early aborts the pending requests. @throws ResponseError for a list without end */
async function* inOrder<T, I extends Items>(
  fetchPage: FetchPage<T>, parse: (page: PageResponse<T>) => FetchedPage<I>,
  window: number, signal: AbortSignal | undefined, most = Infinity,
): AsyncGenerator<FetchedPage<I>, void> {
  const stop = new AbortController();
  const either = anySignal(signal, stop.signal);
  const { atOnce, waitFor } = createPrefetchWindow(window);
  try {
    let previous = parse(await waitFor(fetchPage(null, either)));
    yield previous;
    const prefetched: Promise<PageResponse<T>>[] = [];
    const lastKnown = Math.min(previous.page.pages ?? 0, pagesFor(most, previous.page));
    let requested = previous.page.page;
    let idle = previous.page.items.length === 0 ? 1 : 0;
    const remember = cursorMemory();
    remember(previous.next);
    while (previous.next !== null) {
      while (requested < lastKnown && prefetched.length < atOnce()) {
        const page = fetchPage({ page: ++requested }, either);
        // It fails when the loop reaches it, and never if the loop was left before.
        page.catch(() => undefined);
        prefetched.push(page);
      }
      const current: FetchedPage<I> = parse(await waitFor(prefetched[0] ?? fetchPage(previous.next, either)));
      void prefetched.shift();
      signal?.throwIfAborted();
      const isIdle = isRepeated(previous.page.items, current.page.items);
      if (current.guessed && isIdle) return;
      idle = isIdle ? idle + 1 : 0;
      if (idle > maxIdlePages) throw withoutEnd(current, `the last ${maxIdlePages} pages had no new items`);
      if (!remember(current.next)) throw withoutEnd(current, 'its next page has been read already');
      yield current;
      previous = current;
    }
  } catch (error) {
    throw withStackFromHere(error);
  } finally {
    stop.abort();
  }
}

/** The function returns whether the next page is a new one; the numbers of pages are checked elsewhere. */
const cursorMemory = () => {
  const cursors = new Set<string>();
  return (next: Params | null): boolean =>
    next === null || 'page' in next || cursors.size < cursors.add(JSON.stringify(next)).size;
};

const withoutEnd = ({ source: { request, status } }: FetchedPage<Items>, why: string): ResponseError =>
  new ResponseError(`the list does not end: ${why}`, request, status);

const pagesFor = (most: number, { page, items, perPage }: PageOf<Items>): number =>
  page + Math.ceil((most - items.length) / Math.max(perPage ?? items.length, 1));

/** Past the end of an unpaged list a service returns an empty page, or the same page again. */
const isRepeated = (previous: Items, items: Items): boolean =>
  items.length === 0 || pageKey(items) === pageKey(previous);

const pageKey = (items: Items): string =>
  'lines' in items ? items.slice(0, 1).idList() : JSON.stringify(itemId(items[0]));

/** A service nearby responds faster than pages are processed: more prefetched pages would only take memory. */
const minPrefetch = 8;

/** The first page needs a connection first. */
const fastWait = { first: 20, later: 10 };

/** A single wait says little. */
const shrinkStep = 0.25;

/** As many pages as the window allows if the service is slow, else a few; `waitFor` learns from each wait. */
const createPrefetchWindow = (window: number) => {
  const least = Math.min(minPrefetch, window);
  let atOnce = least;
  let limit = fastWait.first;
  return {
    atOnce: (): number => atOnce,
    waitFor: async <P>(page: Promise<P>): Promise<P> => {
      const start = monotonicTime();
      const response = await page;
      atOnce = monotonicTime() - start > limit ? window : Math.max(atOnce - shrinkStep, least);
      limit = fastWait.later;
      return response;
    },
  };
};
