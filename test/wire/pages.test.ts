import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasPageLinks, InvalidLinkHeader, nextLink, pageHeadersFor } from '../../src/wire/pages.js';

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

describe('the next link', () => {
  const outcomeOf = (header: string): unknown => {
    try {
      nextLink(header);
      return 'read';
    } catch (error) {
      return error instanceof InvalidLinkHeader ? 'invalid' : error;
    }
  };

  it.each([
    ['<http://h/x?page=2&per_page=5>; rel="next"', '2'],
    ['<http://h/x?page=1>; rel="prev", <http://h/x?page=3>; rel="next", <http://h/x?page=1>; rel="first"', '3'],
    ['<http://h/x?page=2>;rel=next', '2'],
    ['<http://h/x?page=2>; title="x"; rel="next"', '2'],
    ['<http://h/x?page=2>; title="say \\"a, <b>; rel=prev\\""; rel="next"', '2'],
    ['<http://h/x?page=2>; flag; rel = next ,', '2'],
    ['<http://h/x?page=2>; REL="NEXT"', '2'],
    ['<http://h/x?id=a,b&page=2>; rel="next"', '2'],
    ['<http://h/x?page=1>; rel="first", <http://h/x?q=a,b;c&page=2>; rel="next last"', '2'],
    ['<http://h/x?page=2#top>; rel="next"', '2'],
  ])('is found in %s', (header, page) => expect(nextLink(header)?.['page']).toBe(page));

  it.each([
    undefined, '', '<http://h/x?page=1>; rel="prev"', '<http://h/x?page=2>',
    '<http://h/x?page=2>; rel="next-archive"', '<http://h/x?page=2>; rel="nextpage"', '<http://h/x?page=2>; rel=prev; rel=next',
    '<http://h/x?page=2>; rev="next"', '<http://h/x?page=2>; title="; rel=next"',
  ])('is not in %s', (header) => expect(nextLink(header)).toBeNull());

  it('gives the whole query as parameters', () => {
    expect(nextLink('<http://h/x?id=g%2Fp&page=2&per_page=5&a[b]=c>; rel="next"'))
      .toEqual({ id: 'g/p', page: '2', per_page: '5', a: { b: 'c' } });
  });

  it('omits parameters that authenticate the caller', () => {
    expect(nextLink('<http://h/x?page=2&private_token=a&access_token=b&job_token=c&sudo=root&sudo[x]=root>; rel="next"')).toEqual({ page: '2' });
  });

  it.each([
    'nonsense', '<http://h/x>; rel="next"', '<javascript:alert(1)>; rel=next', '<http://h/x?page=2', '<http://h/x?page=2>; rel="next', '<a>"',
    `<http://h/x?${Array.from({ length: 201 }, (_, i) => `p${i}=1`).join('&')}>; rel="next"`,
    '<http://h/x?page=2&page=3>; rel="next"', '<http://h/x?page=2&a=1&a[b]=2>; rel="next"', '<http://h/x?a[b][c][d][e][f]=2>; rel="next"',
  ])('is invalid in %s', (header) => expect(() => nextLink(header)).toThrow(InvalidLinkHeader));

  it('never throws another error', () => {
    const piece = fc.constantFrom('<', '>', ';', ',', '"', '\\', '=', ' ', '\t', 'rel', 'next', '<a?page=2>', '; rel="next"', 'title*', 'é');
    fc.assert(fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(['read', 'invalid']).toContain(outcomeOf(pieces.join('')));
    }));
  });

  it.each(['<', '>', ';', ',', '"', '\\', '=', ' ', '<a>', '<a>;', '<a>; rel="next ', '<a>;a=', '<a>; title="\\'])(
    'is read or invalid after 100,000 times %j as after 10 times', (piece) => {
      const outcomes = (header: string) => [header, `<a>${header}`, `<a>; rel="${header}`].map(outcomeOf);
      expect(outcomes(piece.repeat(100_000))).toEqual(outcomes(piece.repeat(10)));
    });
});

describe('links of pages', () => {
  it.each(['<a>; rel=first', '<a>; rel="last x"', '<a>; rel=PREV'])('are in %s', (header) => expect(hasPageLinks(header)).toBe(true));
  it.each([undefined, '', '<a>; rel=preload', '<a>'])('are not in %s', (header) => expect(hasPageLinks(header)).toBe(false));
});
