import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  createPages, type FetchedPage, type FetchPage, type PageResponse,
} from '../../src/client/pages.js';
import { ListChangedError } from '../../src/client/errors.js';
import { rawList } from '../../src/wire/raw-list.js';

vi.mock('../../src/wire/time.js', async () => (await import('../support/fakeable-timers.js')).fakeableTimers());

interface Item { readonly id: number }

const pageOf = (page: number, last: number, known: boolean, items: Item[] = [{ id: page }]): FetchedPage<readonly Item[]> => ({
  page: { items, page, perPage: 1, total: known ? last : null, pages: known ? last : null, more: page < last },
  next: page < last ? { page: page + 1 } : null, guessed: false, source: { request: 'GET /x', status: 200 },
});

const arrived = (read: () => FetchedPage<readonly Item[]>): PageResponse<Item> => ({
  read,
  raw: () => {
    const found = read();
    return { ...found, page: { ...found.page, items: rawList(found.page.items) } };
  },
});

/** Responds manually: `arrive(2)` returns page 2. */
const byHand = (last: number, known: boolean) => {
  const asked: number[] = [];
  const waiting = new Map<number, { resolve: (page: PageResponse<Item>) => void; reject: (error: Error) => void }>();
  const signals: AbortSignal[] = [];
  const find: FetchPage<Item> = (next, signal) => new Promise((resolve, reject) => {
    const page = Number(next?.['page'] ?? 1);
    asked.push(page);
    signals.push(signal);
    waiting.set(page, { resolve, reject });
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  const arrive = (page: number) => waiting.get(page)!.resolve(arrived(() => pageOf(page, last, known)));
  const fail = (page: number, error: Error) => waiting.get(page)!.reject(error);
  return { find, asked, signals, arrive, fail };
};

afterEach(() => { vi.useRealTimers(); });

const turn = () => new Promise((resolve) => { setImmediate(resolve); });

const open = (pages: AsyncIterable<{ page: number }>) => pages[Symbol.asyncIterator]();

/** The first page of a list of so many has arrived, the second is waited for. */
const afterFirst = async (last: number) => {
  const hand = byHand(last, true);
  const pages = open(createPages(hand.find, 4).pages());
  const first = pages.next();
  hand.arrive(1);
  await first;
  const second = pages.next();
  await turn();
  return { ...hand, pages, second };
};

describe('a list with a known number of pages', () => {
  test('sends no request before it is iterated', () => {
    const { find, asked } = byHand(3, true);
    createPages(find, 4);
    expect(asked).toEqual([]);
  });

  test('yields its first page before it requests the second', async () => {
    const { find, asked, arrive } = byHand(9, true);
    const pages = open(createPages(find, 4).pages());
    const first = pages.next();
    arrive(1);
    expect((await first).value).toMatchObject({ page: 1 });
    await turn();
    expect(asked).toEqual([1]);
  });

  test('prefetches a few pages, and as many as the window allows once it has to wait', async () => {
    vi.useFakeTimers({ toFake: ['hrtime'] });
    const { find, asked, arrive } = byHand(99, true);
    const pages = open(createPages(find, 24).pages());
    const handedOn = async (page: number, wait: number) => {
      const next = pages.next();
      await turn();
      vi.advanceTimersByTime(wait);
      arrive(page);
      await next;
    };
    await handedOn(1, 19);
    for (let page = 2; page <= 5; page++) await handedOn(page, 9);
    expect(asked.at(-1)).toBe(4 + 8);
    await handedOn(6, 11);
    await handedOn(7, 0);
    expect(asked.at(-1)).toBe(6 + 24);
    for (let page = 8; page <= 70; page++) await handedOn(page, 9);
    expect(asked.at(-1)).toBe(70 - 1 + 9);
    await handedOn(71, 0);
    expect(asked.at(-1)).toBe(71 - 1 + 8);
  });

  test('prefetches as many pages as the window allows after a slow first page', async () => {
    vi.useFakeTimers({ toFake: ['hrtime'] });
    const { find, asked, arrive } = byHand(99, true);
    const pages = open(createPages(find, 24).pages());
    const first = pages.next();
    await turn();
    vi.advanceTimersByTime(21);
    arrive(1);
    await first;
    void pages.next();
    await turn();
    expect(asked).toHaveLength(1 + 24);
  });

  test('has no more pending pages than the window allows', async () => {
    const { pages, second, asked, arrive } = await afterFirst(9);
    expect(asked).toEqual([1, 2, 3, 4, 5]);
    for (const page of [5, 4, 3]) arrive(page);
    await turn();
    expect(asked).toEqual([1, 2, 3, 4, 5]);
    arrive(2);
    expect((await second).value).toMatchObject({ page: 2 });
    const third = await pages.next();
    expect(third.value).toMatchObject({ page: 3 });
    expect(asked).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('prefetches no page beyond the number of items', async () => {
    const { find, asked, arrive } = byHand(99, true);
    const pages = open(createPages(find, 4).pages(3));
    const all = [pages.next()];
    arrive(1);
    await all[0];
    all.push(pages.next(), pages.next());
    await turn();
    expect(asked).toEqual([1, 2, 3]);
    for (const page of [2, 3]) arrive(page);
    await Promise.all(all);
    await turn();
    expect(asked).toEqual([1, 2, 3]);
    void pages.next();
    await turn();
    expect(asked).toEqual([1, 2, 3, 4]);
  });

  test('parses a page when the loop reaches it', async () => {
    const read: number[] = [];
    const find: FetchPage<Item> = (next) => {
      const page = Number(next?.['page'] ?? 1);
      return Promise.resolve(arrived(() => { read.push(page); return pageOf(page, 4, true); }));
    };
    const pages = open(createPages(find, 4).pages());
    await pages.next();
    await pages.next();
    await turn();
    expect(read).toEqual([1, 2]);
  });

  test('fails after the pages before the failed one', async () => {
    const { pages, second, arrive, fail } = await afterFirst(3);
    fail(3, new Error('page 3'));
    await turn();
    arrive(2);
    expect((await second).value).toMatchObject({ page: 2 });
    await expect(pages.next()).rejects.toThrow('page 3');
  });

  test('continues past the last known page if the list grew, and stops early if it shrank', async () => {
    const grown: FetchPage<Item> = (next) => {
      const page = Number(next?.['page'] ?? 1);
      return Promise.resolve(arrived(() => ({ ...pageOf(page, 5, false), page: { ...pageOf(page, 5, true).page, pages: 2 } })));
    };
    expect(await createPages(grown, 4).all()).toEqual([1, 2, 3, 4, 5].map((id) => ({ id })));
    const shrunk: FetchPage<Item> = (next) => {
      const page = Number(next?.['page'] ?? 1);
      return Promise.resolve(arrived(() => ({ ...pageOf(page, 3, true), page: { ...pageOf(page, 3, true).page, pages: 100 } })));
    };
    expect(await createPages(shrunk, 4).all()).toHaveLength(3);
  });
});

describe('a list with an unknown number of pages', () => {
  test('requests page by page', async () => {
    const { find, asked, arrive } = byHand(3, false);
    const all = createPages(find, 4).all();
    for (const page of [1, 2, 3]) {
      await turn();
      expect(asked).toHaveLength(page);
      arrive(page);
    }
    expect(await all).toHaveLength(3);
  });

  test('continues after an empty page that names a next one', async () => {
    const find: FetchPage<Item> = (next) => {
      const page = Number(next?.['page'] ?? 1);
      return Promise.resolve(arrived(() => pageOf(page, 4, false, page === 2 ? [] : [{ id: page }])));
    };
    expect(await createPages(find, 4).all()).toEqual([{ id: 1 }, { id: 3 }, { id: 4 }]);
  });
});

describe('a list of a service without paging headers', () => {
  const guessed = (pages: Item[][]): FetchPage<Item> => (next) => {
    const page = Number(next?.['page'] ?? 1);
    const items = pages[page - 1]!;
    return Promise.resolve(arrived(() => ({ ...pageOf(page, 99, false, items), guessed: true })));
  };

  test('ends on an empty page', async () => {
    expect(await createPages(guessed([[{ id: 1 }], [{ id: 2 }], []]), 4).all()).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('ends on a page that repeats the previous one', async () => {
    expect(await createPages(guessed([[{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 2 }]]), 4).all()).toHaveLength(2);
  });

  test('ends in the same way with raw pages', async () => {
    const lines = async (pages: Item[][]) => {
      const texts: string[] = [];
      for await (const { items } of createPages(guessed(pages), 4).rawPages()) texts.push(Buffer.from(items.lines()).toString());
      return texts;
    };
    expect(await lines([[{ id: 1 }], [{ id: 2 }], [{ id: 2 }]])).toEqual(['{"id":1}\n', '{"id":2}\n']);
    expect(await lines([[{ id: 1 }], [{ id: 2 }], []])).toEqual(['{"id":1}\n', '{"id":2}\n']);
  });

  test('compares ids, with parsed and raw pages', async () => {
    const aged = guessed([1, 2].map((age) => [{ id: 1, age }]));
    expect(await createPages(aged, 4).all()).toHaveLength(1);
    let pages = 0;
    for await (const _ of createPages(aged, 4).rawPages()) pages++;
    expect(pages).toBe(1);
  });

  test('compares whole items without ids', async () => {
    const items = (path: string) => [{ path }] as unknown as Item[];
    expect(await createPages(guessed([items('a'), items('b'), items('b')]), 4).all()).toEqual([{ path: 'a' }, { path: 'b' }]);
  });
});

describe('leaving a loop', () => {
  test('aborts pending requests', async () => {
    const { find, arrive, signals, asked } = byHand(9, true);
    const items = createPages(find, 3)[Symbol.asyncIterator]();
    const first = items.next();
    await turn();
    arrive(1);
    await first;
    const second = items.next();
    await turn();
    arrive(2);
    await second;
    expect(signals.some((signal) => signal.aborted)).toBe(false);
    await items.return?.();
    expect(asked).toEqual([1, 2, 3, 4]);
    expect(signals.every((signal) => signal.aborted)).toBe(true);
  });

  test('on the first page requests no other page', async () => {
    const { find, arrive, asked } = byHand(9, true);
    const list = createPages(find, 4);
    const leave = async () => { for await (const item of list) return item; return null; };
    const left = leave();
    await turn();
    arrive(1);
    expect(await left).toEqual({ id: 1 });
    expect(asked).toEqual([1]);
  });
});

test('a list can be iterated again, from its first page', async () => {
  let asked = 0;
  const list = createPages(() => { asked++; return Promise.resolve(arrived(() => pageOf(1, 1, true))); }, 4);
  expect([await list.all(), await list.all()]).toEqual([[{ id: 1 }], [{ id: 1 }]]);
  expect(asked).toBe(2);
});

describe('a list that changes while it is read', () => {
  /** The items of each read in pages of two; an item of the first page is gone before the second one is requested. */
  const listOf = (count: number, gone: number, text = '') => {
    const items = Array.from({ length: count }, (_, i) => ({ id: i + 1, text }));
    const asked: number[] = [];
    let left = gone;
    const find: FetchPage<Item> = async (next) => {
      const page = Number(next?.['page'] ?? 1);
      asked.push(page);
      if (page === 2 && left > 0) {
        left--;
        items.shift();
      }
      const last = Math.ceil(items.length / 2);
      const shown = items.slice(2 * page - 2, 2 * page);
      return arrived(() => ({
        page: { items: shown, page, perPage: 2, total: items.length, pages: last, more: page < last },
        next: page < last ? { page: page + 1 } : null, guessed: false, source: { request: 'GET /x', status: 200 },
      }));
    };
    return { asked, list: createPages(find, 4) };
  };
  const idsIn = (items: readonly Item[]) => items.map(({ id }) => id);

  test('has the items that moved to an earlier page last', async () => {
    const { asked, list } = listOf(5, 1);
    expect(idsIn(await list.all())).toEqual([1, 2, 4, 5, 3]);
    expect(asked).toEqual([1, 2, 3, 1, 2]);
  });

  test.each([['short', 5, ''], ['longer than the pages that are held', 15, 'x'.repeat(2 ** 20)]])(
    'has them last as raw items, in a list that is %s', async (_, count, text) => {
      const raw: number[] = [];
      for await (const { items } of listOf(count, 1, text).list.rawPages()) raw.push(...items.ids() as number[]);
      expect(raw).toEqual([1, 2, ...Array.from({ length: count - 3 }, (_, i) => i + 4), 3]);
    });

  test('is read once without a change, and up to a limit', async () => {
    const unchanged = listOf(5, 0);
    expect(idsIn(await unchanged.list.all())).toEqual([1, 2, 3, 4, 5]);
    expect(unchanged.asked).toEqual([1, 2, 3]);
    const limited = listOf(5, 1);
    for await (const { items } of limited.list.pages(2)) { expect(items).toHaveLength(2); break; }
    expect(limited.asked).toEqual([1]);
  });

  test('is complete when two reads agree', async () => {
    const unchanged = listOf(5, 0);
    expect(idsIn(await unchanged.list.complete())).toEqual([1, 2, 3, 4, 5]);
    expect(unchanged.asked).toEqual([1, 2, 3, 1, 2, 3]);
    const { asked, list } = listOf(5, 1);
    expect(idsIn(await list.complete())).toEqual([2, 3, 4, 5]);
    expect(asked).toEqual([1, 2, 3, 1, 2, 1, 2]);
  });

  test('may grow at its end, if the caller says so, and nowhere else', async () => {
    /** Each read changes the items of the one before. */
    const listsOf = (change: (items: number[], read: number) => number[], counted: boolean) => {
      let [items, reads] = [[1, 2, 3], 0];
      const find: FetchPage<Item> = async () => {
        items = change(items, reads++);
        const found = items.map((id) => ({ id }));
        return arrived(() => ({ ...pageOf(1, 1, true, found), page: { ...pageOf(1, 1, true, found).page, total: counted ? found.length : null } }));
      };
      return async (mayGrow: boolean) => {
        const ids = await createPages(find, 4).complete(mayGrow).then(idsIn, () => 'changed');
        return [ids, reads];
      };
    };
    for (const counted of [true, false]) {
      const grows = () => listsOf((items, read) => [...items, 10 + read], counted);
      expect(await grows()(true)).toEqual([[1, 2, 3, 10, 11], 2]);
      expect(await grows()(false)).toEqual(['changed', 7]);
      for (const change of [(items: number[], read: number) => [...items.slice(1), 10 + read], (items: number[], read: number) => [10 + read, ...items]]) {
        expect(await listsOf(change, counted)(true)).toEqual(['changed', 7]);
      }
    }
  });

  test('is never complete while an item is on two pages, unless it has no id', async () => {
    const listWith = (...pages: readonly (readonly unknown[])[]) => createPages<Item>(async (next) => {
      const page = Number(next?.['page'] ?? 1);
      return arrived(() => pageOf(page, pages.length, true, pages[page - 1]!.map((id) => ({ id }) as Item)));
    }, 4).complete().then(idsIn, (error: unknown) => (error as Error).constructor);
    expect(await listWith([1, 2], [1, 2])).toBe(ListChangedError);
    expect(await listWith([1, 2], [2, 3])).toBe(ListChangedError);
    expect(await listWith(['', null, undefined, 0], ['', null, undefined, 0])).toHaveLength(8);
  });

  test('is given up after five changes', async () => {
    const error = await listOf(40, 99).list.complete().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ListChangedError);
    expect(error).toMatchObject({ request: 'GET /x', status: 200, message: expect.stringContaining('GET /x: the list changed each time') as string });
    await expect(listOf(40, 5).list.complete()).resolves.toHaveLength(35);
    const { asked, list } = listOf(40, 99);
    await list.complete().catch(() => undefined);
    expect(asked.filter((page) => page === 1)).toHaveLength(7);
    const shown = listOf(40, 99);
    await shown.list.all();
    expect(shown.asked.filter((page) => page === 1)).toHaveLength(6);
  });
});
