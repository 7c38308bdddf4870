import { describe, expect, it } from 'vitest';
import { pageHeadersFor } from '../../src/wire/pages.js';

const url = 'http://h/api/v4/projects/5/issues/11/discussions';
const params = { id: '5', noteable_id: '11' };
const link = (rel: string, page: number, perPage = 20) =>
  `<${url}?id=5&noteable_id=11&page=${page}&per_page=${perPage}>; rel="${rel}"`;

describe('the headers of', () => {
  it('the first page', () => {
    expect(pageHeadersFor(1, 20, 45, url, params)).toEqual({
      'x-page': '1', 'x-per-page': '20', 'x-next-page': '2', 'x-prev-page': '', 'x-total': '45', 'x-total-pages': '3',
      link: [link('next', 2), link('first', 1), link('last', 3)].join(', '),
    });
  });

  it('a page in the middle', () => {
    expect(pageHeadersFor(2, 20, 45, url, params)).toEqual({
      'x-page': '2', 'x-per-page': '20', 'x-next-page': '3', 'x-prev-page': '1', 'x-total': '45', 'x-total-pages': '3',
      link: [link('prev', 1), link('next', 3), link('first', 1), link('last', 3)].join(', '),
    });
  });

  it('the last page', () => {
    expect(pageHeadersFor(3, 20, 45, url, params)).toMatchObject({
      'x-next-page': '', 'x-prev-page': '2', link: [link('prev', 2), link('first', 1), link('last', 3)].join(', '),
    });
  });

  it('a full last page', () => {
    expect(pageHeadersFor(2, 20, 40, url, params)).toMatchObject({ 'x-next-page': '', 'x-total-pages': '2' });
  });

  it('an empty list, which has one page', () => {
    expect(pageHeadersFor(1, 20, 0, url, params)).toEqual({
      'x-page': '1', 'x-per-page': '20', 'x-next-page': '', 'x-prev-page': '', 'x-total': '0', 'x-total-pages': '1',
      link: [link('first', 1), link('last', 1)].join(', '),
    });
  });

  it('a page past the end, without neighbors', () => {
    expect(pageHeadersFor(9, 20, 45, url, params)).toMatchObject({
      'x-page': '9', 'x-next-page': '', 'x-prev-page': '', 'x-total-pages': '3',
      link: [link('first', 1), link('last', 3)].join(', '),
    });
  });

  it('a list of more than 10,000 rows, without totals', () => {
    expect(pageHeadersFor(1, 100, 10_000, url, params)).toMatchObject({ 'x-total': '10000', 'x-total-pages': '100' });
    expect(pageHeadersFor(1, 100, 10_001, url, params)).toEqual({
      'x-page': '1', 'x-per-page': '100', 'x-next-page': '2', 'x-prev-page': '',
      link: [link('next', 2, 100), link('first', 1, 100)].join(', '),
    });
  });
});
