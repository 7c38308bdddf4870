import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPageInfo } from '../../src/client/page.js';
import { pageHeadersFor } from '../../src/wire/pages.js';

const link = (query: string, rel = 'next') => `<https://other.host:1/api/v4/x?${query}>; rel="${rel}"`;

describe('the paging information of a page', () => {
  test('is complete with all headers', () => {
    expect(readPageInfo({
      'x-page': '2', 'x-per-page': '20', 'x-next-page': '3', 'x-total': '45', 'x-total-pages': '3', link: link('page=3'),
    }, 1)).toEqual({ page: 2, perPage: 20, total: 45, pages: 3, next: { page: 3 } });
  });

  test('lacks totals past 10,000 rows', () => {
    expect(readPageInfo({ 'x-page': '1', 'x-per-page': '100', 'x-next-page': '2' }, 1))
      .toEqual({ page: 1, perPage: 100, total: null, pages: null, next: { page: 2 } });
  });

  test('computes the number of pages from the total', () => {
    expect(readPageInfo({ 'x-total': '41', 'x-per-page': '20' }, 1).pages).toBe(3);
    expect(readPageInfo({ 'x-total': '40', 'x-per-page': '20' }, 1).pages).toBe(2);
    expect(readPageInfo({ 'x-total': '40' }, 1).pages).toBeNull();
    expect(readPageInfo({ 'x-total': '40', 'x-per-page': '0' }, 1).pages).toBeNull();
  });
});

describe('the next page', () => {
  test.each([
    ['X-Next-Page', { 'x-next-page': '4', link: link('page=9') }, { page: 4 }],
    ['an empty X-Next-Page, which is the end', { 'x-next-page': '', link: link('page=9'), 'x-page': '3', 'x-total-pages': '3' }, null],
    ['the query of the link', { link: `${link('page=1', 'first')}, ${link('id=5&page=3&per_page=20')}` },
      { id: '5', page: '3', per_page: '20' }],
    ['a link without page numbers', { link: link('cursor=abc') }, { cursor: 'abc' }],
    ['links that name no next one, which is the end', { link: `${link('page=1', 'first')}, ${link('page=2', 'prev')}` }, null],
    ['the number of pages', { 'x-page': '2', 'x-total-pages': '3' }, { page: 3 }],
    ['the number of pages and the page that was asked for', { 'x-total-pages': '3' }, { page: 2 }],
    ['the number of pages at the end', { 'x-page': '3', 'x-total-pages': '3' }, null],
  ])('is found with %s', (_, headers: Record<string, string>, next) => {
    expect(readPageInfo(headers, 1).next).toEqual(next);
  });

  test.each([{}, { link: '</style.css>; rel=preload' }, { 'x-next-page': 'many' }, { 'x-page': '-1' }, { 'x-total': '30' }])(
    'is unknown with %j', (headers: Record<string, string>) => {
      expect(readPageInfo(headers, 1).next).toBeUndefined();
    });
});

test('the headers of the server are parsed, even with links alone', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 100 }), fc.nat(20_000), (page, perPage, rows) => {
    const headers = pageHeadersFor(page, perPage, rows, 'http://h/api/v4/x', { id: '5' });
    const next = page * perPage < rows ? page + 1 : null;
    const total = rows <= 10_000 ? rows : null;
    expect(readPageInfo(headers, page)).toMatchObject({ page, perPage, total, next: next === null ? null : { page: next } });
    const { link } = headers;
    expect(readPageInfo({ link }, page).next).toEqual(next === null ? null : { id: '5', page: String(next), per_page: String(perPage) });
  }));
});
