import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { ResponseError } from '../../../src/client/errors.js';
import type { ClientEvent } from '../../../src/client/events.js';
import type { ClientOptions } from '../../../src/client/options.js';
import type { Transport } from '../../../src/wire/http.js';
import { json, scripted } from '../support/scripted.js';

const url = 'http://service.test';
const list = (transport: Transport, options: Partial<ClientOptions> = {}, params = {}) =>
  createClient({ url, transport, ...options }).discussions.issue.list({ id: 'g/p', noteable_id: 7, ...params });
const path = '/api/v4/projects/g%2Fp/issues/7/discussions';
const id = (n: number) => ({ id: String(n) });

type Style = 'all' | 'no totals' | 'link' | 'totals' | 'total pages';

/** A service with hidden rows: they count in totals, and pages omit them. */
const paged = (rows: readonly { id: string; hidden: boolean }[], style: Style): Transport => (request) => {
  const query = new URL(url + request.target).searchParams;
  const page = Number(query.get('page') ?? 1);
  const size = Math.min(100, Number(query.get('per_page') ?? 20));
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const next = page < pages ? page + 1 : null;
  const link = `<http://inner.host/x?id=1&noteable_id=2&page=1>; rel="first"`
    + (next ? `, <http://inner.host/x?id=1&noteable_id=2&page=${next}&per_page=${size}>; rel="next"` : '');
  const place = { 'x-page': String(page), 'x-per-page': String(size), 'x-next-page': String(next ?? '') };
  const headers: Record<Style, Record<string, string>> = {
    'all': { ...place, 'x-total': String(rows.length), 'x-total-pages': String(pages), link },
    'no totals': { ...place, link },
    'link': { link },
    'totals': { 'x-total': String(rows.length), 'x-per-page': String(size) },
    'total pages': { 'x-total-pages': String(pages) },
  };
  const visible = rows.slice((page - 1) * size, page * size).filter((row) => !row.hidden);
  return Promise.resolve(json(200, visible.map((row) => ({ id: row.id })), headers[style]));
};

describe('every item comes exactly once and in order', () => {
  const hiddens = fc.array(fc.boolean(), { maxLength: 60 });
  const styles = fc.constantFrom<Style>('all', 'no totals', 'link', 'totals', 'total pages');

  test('whatever the page size, the window, the headers and the hidden items', async () => {
    await fc.assert(fc.asyncProperty(hiddens, styles, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 6 }),
      async (hidden, style, perPage, pagesAtOnce) => {
        const rows = hidden.map((each, n) => ({ ...id(n), hidden: each }));
        const all = await list(paged(rows, style), { perPage, pagesAtOnce }).all();
        expect(all.map((item) => item.id)).toEqual(rows.filter((row) => !row.hidden).map((row) => row.id));
      }), { numRuns: 200 });
  });

  test('from a service without paging headers, whether it uses the page size, the page number or neither', async () => {
    const kinds = fc.constantFrom('follows both', 'follows the page', 'follows nothing');
    await fc.assert(fc.asyncProperty(fc.integer({ min: 0, max: 130 }), kinds, fc.integer({ min: 1, max: 120 }), fc.integer({ min: 20, max: 99 }),
      async (count, kind, perPage, limit) => {
        const rows = Array.from({ length: count }, (_, n) => id(n));
        const service: Transport = (request) => {
          const query = new URL(url + request.target).searchParams;
          const size = kind === 'follows both' ? Math.min(100, Number(query.get('per_page'))) : limit;
          const start = (Number(query.get('page') ?? 1) - 1) * size;
          return Promise.resolve(json(200, kind === 'follows nothing' ? rows : rows.slice(start, start + size)));
        };
        expect(await list(service, { perPage }).all()).toMatchObject(rows);
      }), { numRuns: 200 });
  });
});

test('a list is not over where the header of its next page cannot be read', async () => {
  for (const named of ['many', '-1', '2.5', '2, 2', ' ']) {
    const { transport, sent } = scripted(json(200, [id(1)], { 'x-next-page': named }), json(200, [id(2)], { 'x-next-page': '' }));
    await expect(list(transport).all(), named).rejects.toThrow('in X-Next-Page is not the number of a page');
    expect(sent).toHaveLength(1);
  }
  const linked = scripted(json(200, [id(1)], { 'x-next-page': '2, 2', 'link': '<x?page=2>; rel="next"' }), json(200, [id(2)], { 'x-next-page': '' }));
  expect(await list(linked.transport).all()).toMatchObject([id(1), id(2)]);
});

describe('the requests of a list', () => {
  const end = json(200, [], { 'x-next-page': '' });

  test('have a page size of 100, of the client, or of the call', async () => {
    for (const [options, params, query] of [
      [{}, {}, 'per_page=100'], [{ perPage: 30 }, {}, 'per_page=30'], [{ perPage: 30 }, { per_page: 7 }, 'per_page=7'],
    ] as const) {
      const { transport, sent } = scripted(end);
      await list(transport, options, params).all();
      expect(sent[0]!.target).toBe(`${path}?${query}`);
    }
  });

  test('start at the page of the caller', async () => {
    const { transport, sent } = scripted(json(200, [id(1)], { 'x-next-page': '5' }), end);
    await list(transport, {}, { page: 4 }).all();
    expect(sent.map((request) => request.target)).toEqual([`${path}?page=4&per_page=100`, `${path}?page=5&per_page=100`]);
  });

  test('use the query of a link, but never another host, project or issue', async () => {
    const link = '<http://evil.host/api/v4/projects/1/issues/2?id=1&noteable_id=2&cursor=a%2Bb&per_page=20>; rel="next"';
    const { transport, sent } = scripted(json(200, [id(1)], { link }), json(200, [id(2)], { link: '<x?y>; rel="first"' }));
    expect(await list(transport).all()).toMatchObject([id(1), id(2)]);
    expect(sent[1]!.target).toBe(`${path}?per_page=20&cursor=a%2Bb`);
  });
});

describe('a page', () => {
  test('has its number and totals if the service reports them', async () => {
    const pages = [];
    for await (const page of list(paged([{ ...id(1), hidden: false }, { ...id(2), hidden: true }], 'all'), { perPage: 1 }).pages()) {
      pages.push(page);
    }
    expect(pages).toMatchObject([
      { items: [id(1)], page: 1, perPage: 1, total: 2, pages: 2, more: true },
      { items: [], page: 2, perPage: 1, total: 2, pages: 2, more: false },
    ]);
    const { transport } = scripted(json(200, [id(1)]));
    for await (const page of list(transport, {}, { page: 3 }).pages()) {
      expect(page).toMatchObject({ items: [id(1)], page: 3, perPage: null, total: null, pages: null, more: false });
    }
  });

  test('is reported to the observer', async () => {
    const events: ClientEvent[] = [];
    const { transport } = scripted(json(200, [id(1)], { 'x-total': '1', 'x-next-page': '' }));
    await list(transport, { onEvent: (event) => events.push(event) }).all();
    expect(events.at(-1)).toEqual({ type: 'page', request: `GET ${path}`, page: 1, items: 1, total: 1 });
  });
});

describe('an invalid list', () => {
  test.each([
    ['one value', json(200, { id: 1 }), 'the response has an object where a list is expected'],
    ['a next page that is the same', json(200, [id(1)], { 'x-page': '2', 'x-next-page': '2' }), 'does not come after it'],
    ['a next page that lies before', json(200, [id(1)], { 'x-page': '2', 'x-next-page': '1' }), 'does not come after it'],
    ['a link to itself', json(200, [id(1)], { link: '<x?per_page=100>; rel="next"' }), 'does not come after it'],
    ['a link whose page is a list', json(200, [id(1)], { link: '<x?page[]=1>; rel="next"' }), 'page is not a number'],
    ['a link that is broken off', json(200, [id(1)], { link: '<x?page=2' }), 'invalid Link header: no link at character 0'],
    ['a link with conflicting parameters', json(200, [id(1)], { link: '<x?a=1&a[b]=2&page=2>; rel="next"' }), 'a is given as a value and as a hash'],
    ['a link with too many parameters', json(200, [id(1)], { link: `<x?${'a=1&'.repeat(300)}page=2>; rel="next"` }), 'more than 200 parameters'],
  ])('is an error: %s', async (_, answer, message) => {
    const failure = await list(scripted(answer).transport).all().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ResponseError);
    expect((failure as Error).message).toContain(message);
  });

  const links = (pages: Record<string, number>) =>
    ({ link: Object.entries(pages).map(([rel, page]) => `<http://h/x?page=${page}&per_page=100>; rel="${rel}"`).join(', ') });

  test.each([
    ['X-Next-Page is empty on page 1 of 3',
      { 'x-page': '1', 'x-total-pages': '3', 'x-total': '50', 'x-next-page': '' },
      'page 1 names no next page, although there is a page 3'],
    ['X-Next-Page is empty, and X-Total does not fit on the page',
      { 'x-total': '50', 'x-per-page': '20', 'x-total-pages': '1', 'x-next-page': '' }, 'there is a page 3'],
    ['X-Next-Page is empty, and a link names a next page', { 'x-next-page': '', ...links({ next: 2 }) }, 'there is a page 2'],
    ['the links name a last page and no next one', links({ first: 1, last: 3 }), 'there is a page 3'],
    ['the links name no next page of 3', { 'x-total-pages': '3', ...links({ first: 1 }) }, 'there is a page 3'],
    ['X-Page is 2 in the response to page 1', { 'x-page': '2', 'x-total-pages': '2', 'x-next-page': '' }, 'X-Page is 2 in the response to page 1'],
    ['X-Page is 3 in the response to page 1', { 'x-page': '3', 'x-next-page': '4' }, 'X-Page is 3 in the response to page 1'],
    ['the first page has a previous one', { 'x-prev-page': '2', 'x-next-page': '' }, 'the first page names page 2 as the one before it'],
    ['the first page has a link to a previous one', links({ prev: 1, first: 1 }), 'the first page names page 1 as the one before it'],
  ])('is an error: %s', async (_, headers, message) => {
    for (const params of [{}, { page: 1 }]) {
      const { transport, sent } = scripted(json(200, [id(1), id(2)], headers), json(200, [], { 'x-next-page': '' }));
      await expect(list(transport, {}, params).all()).rejects.toThrow(message);
      expect(sent).toHaveLength(1);
    }
  });

  test('is an error: another page than the second or a later one', async () => {
    const named = json(200, [id(1)], { 'x-page': '1', 'x-next-page': '2' });
    await expect(list(scripted(named, json(200, [id(3)], { 'x-page': '3', 'x-next-page': '' })).transport).all())
      .rejects.toThrow('X-Page is 3 in the response to page 2');
    await expect(list(scripted(json(200, [id(3)], { 'x-page': '1', 'x-next-page': '5' })).transport, {}, { page: 4 }).all())
      .rejects.toThrow('X-Page is 1 in the response to page 4');
  });

  test.each([
    ['hidden items count in the totals', {},
      { 'x-page': '1', 'x-per-page': '100', 'x-total': '50', 'x-total-pages': '1', 'x-next-page': '', 'x-prev-page': '' }],
    ['an empty list has no pages', {}, { 'x-page': '1', 'x-per-page': '100', 'x-total': '0', 'x-total-pages': '0', 'x-next-page': '' }],
    ['a page lies past the end', { page: 9 },
      { 'x-page': '9', 'x-total': '50', 'x-total-pages': '3', 'x-next-page': '', 'x-prev-page': '', ...links({ first: 1, last: 3 }) }],
    ['page 0 is the first one', { page: 0 }, { 'x-page': '1', 'x-next-page': '' }],
    ['a long list has no totals', { page: 101 }, { 'x-page': '101', 'x-next-page': '', 'x-prev-page': '100', ...links({ prev: 100, first: 1 }) }],
    ['a list by cursor has totals', {}, { 'x-total': '500', 'x-per-page': '100', 'link': '<http://h/x?cursor=a>; rel="prev"' }],
    ['X-Next-Page is empty, and the links are broken', {}, { 'x-next-page': '', 'link': '<x?page=2' }],
  ])('is none: %s', async (_, params, headers) => {
    expect(await list(scripted(json(200, [id(1)], headers)).transport, {}, params).all()).toMatchObject([id(1)]);
  });

  test.each([
    ['without an item, named by their number', { 'x-total-pages': '999999999999' }, []],
    ['without an item, named one by one', null, []],
    ['of the same items', null, [id(1), id(2)]],
  ])('is an error: endless pages, %s', async (_, headers, items) => {
    let asked = 0;
    const endless: Transport = () => Promise.resolve(json(200, items, headers ?? { 'x-next-page': String(++asked + 1) }));
    await expect(list(endless).all()).rejects.toThrow('the list does not end: the last 1000 pages had no new items');
  });

  test('is an error: cursors of pages that follow one another in a circle', async () => {
    const cursors = ['a', 'b', 'c', 'a', 'b', 'c', 'a'];
    const { transport, sent } = scripted(...cursors.map((cursor, at) => json(200, [id(at + 1)], { link: `<x?cursor=${cursor}>; rel="next"` })));
    await expect(list(transport).all()).rejects.toThrow('the list does not end: its next page has been read already');
    expect(sent).toHaveLength(4);
  });
});

test('an abort of the call or of the client aborts the pending page', async () => {
  for (const given of ['call', 'client']) {
    const controller = new AbortController();
    const transport: Transport = (_, signal) => new Promise((_resolve, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason as Error));
      queueMicrotask(() => controller.abort(new Error(`enough for the ${given}`)));
    });
    const client = createClient({ url, transport, ...(given === 'client' && { signal: controller.signal }) });
    const options = given === 'call' ? { signal: controller.signal } : {};
    await expect(client.discussions.issue.list({ id: 1, noteable_id: 1 }, options).all()).rejects.toThrow(`the ${given}`);
  }
});

describe('the parameters of a further page', () => {
  const second = async (link: string) => {
    const { transport, sent } = scripted(json(200, [id(1)], { link: `<${url}${path}?${link}>; rel="next"` }), json(200, []));
    await list(transport, {}, { per_page: 20, page: 1 }).all();
    return sent[1]!.target;
  };

  test('are those of its link', async () => {
    expect(await second('page=2&per_page=10&cursor=x')).toBe(`${path}?per_page=10&page=2&cursor=x`);
  });

  test('keep the place of the list, whatever the link says', async () => {
    expect(await second('id=99&noteable_id=other&page=2')).toBe(`${path}?per_page=20&page=2`);
  });
});
