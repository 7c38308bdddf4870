import { maxCountedRows, pageHeaders, perPage, rateHeaders } from '../../contract/conventions.js';
import {
  type Check, type Checks, firstWith, type Got, hasAllHeaders, hasHeader, hasStatus, holds, listIn, objectIn,
  objectPath, onRead, pathBelow, type Probe, read, reading, rejection, rejects, same, Skipped,
} from '../check.js';
import { childrenOf, childrenPath, withLinks } from '../epics.js';
import { notesPath, threadsPath } from '../threads.js';

const header = (got: Got, name: string, expected: string): void =>
  same(got, `${name}:`, got.headers[name.toLowerCase()], expected);

const onHeaders = (query: string | undefined, expected: Readonly<Record<string, string>>): Check =>
  onRead(threadsPath, (got) => {
    for (const [name, value] of Object.entries(expected)) header(got, name, value);
  }, query);

const onePage = (probe: Probe, page: number): Promise<Got> =>
  read(probe, threadsPath(probe), `per_page=1&page=${page}`);

/** A page can be empty although others follow (behavior: pages.short). */
const hasThreads = (got: Got, count: number): boolean =>
  listIn(got).length > 0 || Number(got.headers[pageHeaders.total]) >= count;

/** Totals of a list that is not too long for them (behavior: pages.totals). */
const hasTotals = async (probe: Probe, got: Got): Promise<void> => {
  const { [pageHeaders.total]: total, [pageHeaders.totalPages]: pages } = got.headers;
  if (total === undefined && listIn(await onePage(probe, maxCountedRows + 1)).length > 0) return;
  for (const name of ['X-Total', 'X-Total-Pages']) {
    hasHeader(got, name);
    const value = got.headers[name.toLowerCase()]!;
    holds(got, `a number in ${name}`, /^\d+$/.test(value), value);
  }
  same(got, 'X-Total-Pages:', pages, String(Math.max(1, Number(total))));
};

const relationsIn = ({ headers }: Got): string[] =>
  [...(headers['link'] ?? '').matchAll(/rel="(\w+)"/g)].map((match) => match[1]!);

const limited = async (probe: Probe): Promise<Got> => {
  const got = await read(probe, threadsPath(probe));
  if (got.headers[rateHeaders.limit] === undefined) throw new Skipped('responses do not show a rate limit');
  return got;
};

const hasRateHeaders = reading(async (probe) => hasAllHeaders(await limited(probe), Object.values(rateHeaders)));

export const paginationChecks: Checks = {
  'pages.default': onHeaders(undefined, { 'X-Per-Page': String(perPage.default) }),
  'pages.maximum': onHeaders(`per_page=${perPage.max + 1}`, { 'X-Per-Page': String(perPage.max) }),
  'pages.zero': rejection('GET', threadsPath, { query: 'per_page=0' },
    400, 'error', 'per_page has a value not allowed'),
  'pages.invalid': reading(async (probe) => {
    await rejects(probe, 'GET', threadsPath(probe), { query: 'page=abc&per_page=abc' },
      400, 'error', 'page is invalid, per_page is invalid');
    header(await read(probe, threadsPath(probe), 'page=&per_page='), 'X-Per-Page', String(perPage.default));
  }),
  'pages.below-one': reading(async (probe) => {
    header(await read(probe, threadsPath(probe), 'page=0'), 'X-Page', '1');
    header(await read(probe, threadsPath(probe), 'per_page=-1'), 'X-Per-Page', String(perPage.default));
  }),
  'pages.beyond-end': onRead(threadsPath, (got) => {
    same(got, 'the list', listIn(got), []);
    header(got, 'X-Page', '1000000');
  }, 'page=1000000'),
  'pages.beyond-headers': onHeaders('page=1000000', { 'X-Page': '1000000', 'X-Next-Page': '', 'X-Prev-Page': '' }),
  'pages.no-keyset': onHeaders('pagination=keyset&page=2', { 'X-Page': '2' }),
  'limits.rate-headers-always': hasRateHeaders,
  'limits.rate-headers-document': hasRateHeaders,
  'limits.rate-reset': reading(async (probe) => {
    const got = await limited(probe);
    const [reset, time] = [got.headers[rateHeaders.reset], got.headers[rateHeaders.resetTime]];
    same(got, 'RateLimit-Reset:', Number(reset), Date.parse(time ?? '') / 1_000);
  }),
  'pages.headers': reading(async (probe) => {
    const pages = [await onePage(probe, 1), await onePage(probe, 2)] as const;
    const hasSecond = hasThreads(pages[1], 2);
    const hasThird = hasSecond && hasThreads(await onePage(probe, 3), 3);
    const places = [['', hasSecond ? '2' : ''], [hasSecond ? '1' : '', hasThird ? '3' : '']] as const;
    for (const [at, [prev, next]] of places.entries()) {
      const got = pages[at]!;
      header(got, 'X-Page', String(at + 1));
      header(got, 'X-Per-Page', '1');
      header(got, 'X-Prev-Page', prev);
      header(got, 'X-Next-Page', next);
    }
    await hasTotals(probe, pages[0]);
  }),
  'pages.one-page': onRead(threadsPath, (got) => {
    const pages = got.headers['x-total-pages'];
    holds(got, 'X-Total-Pages of 1 at least, or none', pages === undefined || Number(pages) >= 1, pages);
  }, 'per_page=100'),
  'pages.links': onRead(threadsPath, (got) => {
    const order = ['prev', 'next', 'first', 'last'];
    const found = relationsIn(got);
    same(got, 'the relations of Link', found, order.filter((one) => found.includes(one)));
    holds(got, 'a link to the first page', found.includes('first'), found);
    const isLast = got.headers[pageHeaders.next] === '';
    holds(got, isLast ? 'no link to a next page' : 'a link to the next page', found.includes('next') !== isLast, found);
  }, 'per_page=1'),
  'pages.link-parameters': onRead(threadsPath, (got) => {
    holds(got, 'the parameter `noteable_id` in Link', /[?&]noteable_id=/.test(got.headers['link'] ?? ''),
      got.headers['link']);
  }, 'per_page=1'),
  'pages.unpaged': reading(async (probe) => {
    const { id } = firstWith(listIn(await read(probe, threadsPath(probe), 'per_page=1')), 'thread');
    const got = await probe.call('GET', `${threadsPath(probe)}/${String(id)}/notes`);
    if (hasStatus(got, 200, 404).status === 200) same(got, 'X-Page:', got.headers['x-page'], undefined);
  }),
  'pages.link-host': reading(async (probe) => {
    const { web_url } = objectIn(await read(probe, objectPath(probe, 'project')));
    const got = await read(probe, threadsPath(probe), 'per_page=1');
    const links = [...(got.headers['link'] ?? '').matchAll(/<([^>]*)>/g)].map((match) => match[1]!);
    const { origin } = new URL(String(web_url));
    holds(got, `links to ${origin}`, links.length > 0 && links.every((link) => link.startsWith(`${origin}/`)), links);
  }),
  'pages.children-paged': reading(async (probe) => {
    const got = withLinks(await probe.call('GET', childrenPath(probe), { query: 'per_page=1' }));
    header(got, 'X-Per-Page', '1');
    holds(got, 'a page of one child', listIn(got).length <= 1, listIn(got).length);
  }),
  'pages.children-whole': reading(async (probe) => {
    const [, all] = await childrenOf(probe);
    const got = await read(probe, childrenPath(probe), 'per_page=1');
    same(got, 'the number of children', listIn(got).length, all.length);
    same(got, 'X-Page:', got.headers['x-page'], undefined);
  }),
};

const issues = pathBelow('project', '/issues');
const mergeRequests = pathBelow('project', '/merge_requests');

/** No parameter has this value. */
const unknown = 'colloquy';

const isRejected = (
  probe: Probe, path: string, name: string, value: string,
  text: string | RegExp = `${name} does not have a valid value`,
): Promise<void> => rejects(probe, 'GET', path, { query: `${name}=${value}` }, 400, 'error', text);

/** A server that accepts these values hides the mistake of the program that sends them. */
export const parameterChecks: Checks = {
  'parameters.times': reading(async (probe) => {
    for (const name of ['created_after', 'created_before', 'updated_after', 'updated_before']) {
      await isRejected(probe, mergeRequests(probe), name, unknown, `${name} is invalid`);
    }
  }),
  'parameters.none-any': reading(async (probe) => {
    await read(probe, mergeRequests(probe), 'assignee_id=nONE');
    for (const name of ['assignee_id', 'reviewer_id']) {
      await isRejected(probe, mergeRequests(probe), name, unknown,
        new RegExp(`^${name} should be an integer, .*, however got ${unknown}$`));
    }
  }),
  'parameters.exclusive-people': reading(async (probe) => {
    for (const role of ['author', 'assignee', 'reviewer']) {
      const query = `${role}_id=1&${role}_username=${unknown}`;
      await rejects(probe, 'GET', mergeRequests(probe), { query }, 400, 'error', /are mutually exclusive$/);
    }
  }),
  'parameters.states': reading(async (probe) => {
    for (const state of ['merged', 'locked', unknown]) await isRejected(probe, issues(probe), 'state', state);
  }),
  'parameters.list-values': reading(async (probe) => {
    for (const value of [unknown, '']) {
      for (const name of ['scope', 'state', 'order_by', 'sort', 'wip']) {
        await isRejected(probe, mergeRequests(probe), name, value);
      }
      for (const name of ['order_by', 'sort']) await isRejected(probe, notesPath(probe), name, value);
    }
  }),
  'parameters.list-order': reading(async (probe) => {
    for (const path of [issues(probe), '/projects', '/groups', '/users']) {
      for (const name of ['order_by', 'sort']) await isRejected(probe, path, name, unknown);
    }
  }),
};
