import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextLink, readPlace, writePlace } from '../../src/wire/pages.js';

const url = 'http://h/api/v4/projects/5/issues/11/discussions';
const params = { id: '5', noteable_id: '11' };
const link = (rel: string, page: number, perPage = 20) =>
  `<${url}?id=5&noteable_id=11&page=${page}&per_page=${perPage}>; rel="${rel}"`;

describe('the headers of', () => {
  it('the first page', () => {
    expect(writePlace(1, 20, 45, url, params)).toEqual({
      'x-page': '1', 'x-per-page': '20', 'x-next-page': '2', 'x-prev-page': '', 'x-total': '45', 'x-total-pages': '3',
      link: [link('next', 2), link('first', 1), link('last', 3)].join(', '),
    });
  });

  it('a page in the middle', () => {
    expect(writePlace(2, 20, 45, url, params)).toEqual({
      'x-page': '2', 'x-per-page': '20', 'x-next-page': '3', 'x-prev-page': '1', 'x-total': '45', 'x-total-pages': '3',
      link: [link('prev', 1), link('next', 3), link('first', 1), link('last', 3)].join(', '),
    });
  });

  it('the last page', () => {
    expect(writePlace(3, 20, 45, url, params)).toMatchObject({
      'x-next-page': '', 'x-prev-page': '2', link: [link('prev', 2), link('first', 1), link('last', 3)].join(', '),
    });
  });

  it('a full last page, after which none follows', () => {
    expect(writePlace(2, 20, 40, url, params)).toMatchObject({ 'x-next-page': '', 'x-total-pages': '2' });
  });

  it('an empty list, which has one page all the same', () => {
    expect(writePlace(1, 20, 0, url, params)).toEqual({
      'x-page': '1', 'x-per-page': '20', 'x-next-page': '', 'x-prev-page': '', 'x-total': '0', 'x-total-pages': '1',
      link: [link('first', 1), link('last', 1)].join(', '),
    });
  });

  it('a page past the end, which has no neighbours', () => {
    expect(writePlace(9, 20, 45, url, params)).toMatchObject({
      'x-page': '9', 'x-next-page': '', 'x-prev-page': '', 'x-total-pages': '3',
      link: [link('first', 1), link('last', 3)].join(', '),
    });
  });

  it('a list of more than 10,000 rows, which is not counted', () => {
    expect(writePlace(1, 100, 10_000, url, params)).toMatchObject({ 'x-total': '10000', 'x-total-pages': '100' });
    expect(writePlace(1, 100, 10_001, url, params)).toEqual({
      'x-page': '1', 'x-per-page': '100', 'x-next-page': '2', 'x-prev-page': '',
      link: [link('next', 2, 100), link('first', 1, 100)].join(', '),
    });
  });
});

it('what is written is read back', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 100 }), fc.nat(20_000), (page, perPage, rows) => {
    const next = page * perPage < rows ? page + 1 : null;
    expect(readPlace(writePlace(page, perPage, rows, url, params)))
      .toEqual({ page, perPage, total: rows <= 10_000 ? rows : null, next });
  }));
});

describe('a page is read', () => {
  it('from the numbers alone', () => {
    expect(readPlace({ 'x-page': '1', 'x-per-page': '20', 'x-next-page': '2', 'x-total': '21' }))
      .toEqual({ page: 1, perPage: 20, total: 21, next: 2 });
  });

  it('from the link alone', () => {
    expect(readPlace({ link: link('next', 2) })).toMatchObject({ total: null, next: 2 });
    expect(readPlace({ link: link('first', 1) })).toMatchObject({ next: null });
  });

  it('as the last where the next page is blank', () => {
    expect(readPlace({ 'x-page': '3', 'x-next-page': '', link: link('first', 1) })).toMatchObject({ next: null });
  });

  it('without a next page where its number is none', () => {
    expect(readPlace({ 'x-page': '1', 'x-next-page': 'soon' })).toMatchObject({ next: null });
  });

  it('not at all where no header tells', () => expect(readPlace({ 'content-type': 'application/json' })).toBeNull());
});

describe('the next link', () => {
  it.each([
    ['<http://h/x?page=2&per_page=5>; rel="next"', '2'],
    ['<http://h/x?page=1>; rel="prev", <http://h/x?page=3>; rel="next", <http://h/x?page=1>; rel="first"', '3'],
    ['<http://h/x?page=2>;rel=next', '2'],
    ['<http://h/x?page=2>; title="x"; rel="next"', '2'],
    ['<http://h/x?page=2>; REL="NEXT"', '2'],
    ['<http://h/x?id=a,b&page=2>; rel="next"', '2'],
    ['<http://h/x?page=1>; rel="first", <http://h/x?q=a,b;c&page=2>; rel="next last"', '2'],
  ])('is found in %s', (header, page) => expect(nextLink(header)?.get('page')).toBe(page));

  it.each([
    undefined, '', '<http://h/x?page=1>; rel="prev"', '<http://h/x>; rel="next"', 'nonsense',
    '<http://h/x?page=2>; rel="next-archive"', '<http://h/x?page=2>; rel="nextpage"',
  ])('is not in %s', (header) => expect(nextLink(header)).toBeNull());

  it('gives the whole query', () => {
    expect(nextLink('<http://h/x?id=g%2Fp&page=2&per_page=5>; rel="next"')?.toString()).toBe('id=g%2Fp&page=2&per_page=5');
  });
});
