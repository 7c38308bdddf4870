import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRequestLog } from '../../../../src/server/http/request-log.js';
import { matcherOf, type RequestFilter } from '../../../../src/server/control/request-log/filter.js';

const logged = (target: string, { id = '1', method = 'GET', status = 200, time = '2024-05-01T12:00:00.000Z' } = {}) => ({
  id, time: new Date(time), request: { method, target, headers: {} }, response: { status, headers: {}, body: '' },
  duration: 0, user: null, missing: null,
});

const matches = (filter: RequestFilter, entry: ReturnType<typeof logged>) => matcherOf(filter, createRequestLog())(entry);

describe('the filter of requests by path', () => {
  const target = '/api/v4/projects/acme%2Fapp/issues/7/discussions?per_page=1';

  it.each([
    '/api/v4/projects/acme%2Fapp/issues/7/discussions', '/projects/acme%2Fapp/issues/7/discussions',
    '/projects/acme/app/issues/7/discussions', '/projects/*/issues/*/discussions', '*/discussions', '/projects/*', '*', '*issues*',
  ])('matches %s', (path) => {
    expect(matches({ path }, logged(target))).toBe(true);
  });

  it.each([
    '', '/projects/acme%2Fapp/issues/7', 'projects/*', '/projects/*/epics/*', '/v4/*', '*per_page*', '/projects/*/Issues/*',
  ])('does not match %j', (path) => {
    expect(matches({ path }, logged(target))).toBe(false);
  });

  it('agrees with a regular expression in which .* replaces the stars', () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '*', '/', '.'), maxLength: 8 });
    fc.assert(fc.property(piece, piece, (path, rest) => {
      const text = `/${rest}`;
      const pattern = new RegExp(`^${path.split('*').map((part) => part.replaceAll('.', '\\.')).join('.*')}$`);
      expect(matches({ path }, logged(text))).toBe(pattern.test(text));
    }));
  });

  it('accepts a path that cannot be decoded', () => {
    expect(matches({ path: '/%zz' }, logged('/%zz'))).toBe(true);
  });
});

describe('the filter of requests by method and status', () => {
  it('ignores the case of a method', () => {
    expect(matches({ method: 'post' }, logged('/', { method: 'POST' }))).toBe(true);
    expect(matches({ method: 'post' }, logged('/'))).toBe(false);
  });

  it.each([[404, true], ['404', true], ['4xx', true], ['4XX', true], ['5xx', false], [400, false]])(
    'compares 404 with %s', (status, expected) => {
      expect(matches({ status }, logged('/', { status: 404 }))).toBe(expected);
    });

  it.each(['', '40', '4x4', '700', '0xx', 'ok'])('rejects the status %j', (status) => {
    expect(() => matches({ status }, logged('/'))).toThrow('use a status such as 404, or a class such as 5xx');
  });
});

describe('the filter of requests by time', () => {
  const since = (filter: Date | string) => {
    const log = createRequestLog();
    const times = ['11:59:59.999', '12:00:00.000', '12:00:00.000', '12:00:01.000'];
    times.forEach((time, i) => log.add(logged('/', { id: `${i}`, time: `2024-05-01T${time}Z` })));
    return log.all(matcherOf({ since: filter }, log)).map(({ id }) => id);
  };

  it('includes requests of the time itself', () => {
    expect(since('2024-05-01T14:00:00+02:00')).toEqual(['1', '2', '3']);
    expect(since(new Date('2024-05-01T12:00:00Z'))).toEqual(['1', '2', '3']);
    expect(since('2024-05-02')).toEqual([]);
  });

  it('excludes the request with the id, also among requests of one millisecond', () => {
    expect(since('1')).toEqual(['2', '3']);
    expect(since('3')).toEqual([]);
  });

  it.each(['4', '', 'yesterday', new Date(NaN)])('rejects %j', (value) => {
    expect(() => since(value)).toThrow('use a time such as 2024-05-01T12:00:00Z, or the id of a request in the log');
  });
});
