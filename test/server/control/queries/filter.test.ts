import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRequestLog } from '../../../../src/server/http/request-log.js';
import { findRequests, type RequestFilter } from '../../../../src/server/control/queries.js';

const logged = (target: string, { id = '1', method = 'GET', status = 200, time = '2024-05-01T12:00:00.000Z' } = {}) => ({
  id, time: new Date(time), request: { method, target, headers: {} }, response: { status, headers: {}, body: '' },
  duration: 0, user: null, operation: null, unread: [], missing: null,
});

const matches = async (filter: RequestFilter, entry: ReturnType<typeof logged>) => {
  const own = createRequestLog();
  own.add(entry);
  return (await findRequests({ own }, filter)).length === 1;
};

describe('the filter of requests by path', () => {
  const target = '/api/v4/projects/acme%2Fapp/issues/7/discussions?per_page=1';

  it.each([
    '/api/v4/projects/acme%2Fapp/issues/7/discussions', '/projects/acme%2Fapp/issues/7/discussions',
    '/projects/acme/app/issues/7/discussions', '/projects/*/issues/*/discussions', '*/discussions', '/projects/*', '*', '*issues*',
    'GET */discussions', 'get /projects/*/issues/*/discussions', '* *',
  ])('matches %s', async (path) => {
    expect(await matches({ path }, logged(target))).toBe(true);
  });

  it.each([
    '', '/projects/acme%2Fapp/issues/7', 'projects/*', '/projects/*/epics/*', '/v4/*', '*per_page*', '/projects/*/Issues/*',
    'POST */discussions', 'GET */notes', 'GET ',
  ])('does not match %j', async (path) => {
    expect(await matches({ path }, logged(target))).toBe(false);
  });

  it('agrees with a regular expression in which .* replaces the stars', async () => {
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '*', '/', '.'), maxLength: 8 });
    await fc.assert(fc.asyncProperty(piece, piece, async (path, rest) => {
      const text = `/${rest}`;
      const pattern = new RegExp(`^${path.split('*').map((part) => part.replaceAll('.', '\\.')).join('.*')}$`);
      expect(await matches({ path }, logged(text))).toBe(pattern.test(text));
    }));
  });

  it('accepts a path that cannot be decoded', async () => {
    expect(await matches({ path: '/%zz' }, logged('/%zz'))).toBe(true);
  });
});

describe('the filter of requests by method and status', () => {
  it('ignores the case of a method', async () => {
    expect(await matches({ method: 'post' }, logged('/', { method: 'POST' }))).toBe(true);
    expect(await matches({ method: 'post' }, logged('/'))).toBe(false);
  });

  it.each([[404, true], ['404', true], ['4xx', true], ['4XX', true], ['5xx', false], [400, false]])(
    'compares 404 with %s', async (status, expected) => {
      expect(await matches({ status }, logged('/', { status: 404 }))).toBe(expected);
    });

  it.each(['', '40', '4x4', '700', '0xx', 'ok'])('rejects the status %j', async (status) => {
    await expect(matches({ status }, logged('/'))).rejects.toThrow('use a status such as 404, or a class such as 5xx');
  });
});

describe('the filter of requests by time', () => {
  const since = async (filter: Date | string) => {
    const log = createRequestLog();
    const times = ['11:59:59.999', '12:00:00.000', '12:00:00.000', '12:00:01.000'];
    times.forEach((time, i) => log.add(logged('/', { id: `${i}`, time: `2024-05-01T${time}Z` })));
    return (await findRequests({ own: log }, { since: filter })).map(({ id }) => id);
  };

  it('includes requests of the time itself', async () => {
    expect(await since('2024-05-01T14:00:00+02:00')).toEqual(['1', '2', '3']);
    expect(await since(new Date('2024-05-01T12:00:00Z'))).toEqual(['1', '2', '3']);
    expect(await since('2024-05-02')).toEqual([]);
  });

  it('excludes the request with the id, also among requests of one millisecond', async () => {
    expect(await since('1')).toEqual(['2', '3']);
    expect(await since('3')).toEqual([]);
  });

  it.each(['4', '', 'yesterday', new Date(NaN)])('rejects %j', async (value) => {
    await expect(since(value)).rejects.toThrow('use a time such as 2024-05-01T12:00:00Z, or the id of a request in the log');
  });
});
