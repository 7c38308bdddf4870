/** Lists with broken, hostile or endless paging. */
import { unavailable, works, worksOrFails } from './judge.mjs';
import { json, replies, response } from './server.mjs';
import { pageOf, thread, threads } from './service.mjs';

/** A list whose pages are full and have these headers. */
const pagesWith = (headers, itemsOf = (page) => threads(page * 100, 100)) => replies((request, world) => {
  const page = pageOf(request);
  return json('200 OK', itemsOf(page), typeof headers === 'function' ? headers(page, request, world) : headers);
});

/** A list of two pages; the first has these headers. */
const firstWith = (headers) => pagesWith((page, request, world) => {
  const first = typeof headers === 'function' ? headers(request, world) : headers;
  return page === 1 ? first : { 'x-next-page': '' };
});

const list = 'http://localhost/api/v4/projects/1/merge_requests/12/discussions';
const link = (query) => ({ link: `<${list}?${query}>; rel="next"` });

const nextOfThree = (page) => ({ 'x-page': page, 'x-next-page': page < 3 ? page + 1 : '' });

/** An endless list whose second page is these bytes. */
const secondIs = (bytes) => replies((request) => pageOf(request) === 2 ? bytes
  : json('200 OK', threads(pageOf(request) * 100, 100), { 'x-next-page': pageOf(request) + 1 }));

const isComplete = /00000000064".*00000000012b"/s;

/** Headers that can make a regular expression slow; none of them names a usable page. */
const hostileLinks = {
  'opening brackets': '<'.repeat(12_000),
  'closing brackets': '>'.repeat(12_000),
  semicolons: `<a>${';'.repeat(12_000)}`,
  quotes: `<a>; rel=${'"\\\\'.repeat(4_000)}`,
  spaces: `<a>${' '.repeat(12_000)}`,
  'many links': '<>;'.repeat(4_000),
  'many relations': `${'<>;'.repeat(2_000)} rel="${'next '.repeat(1_000)}`,
  'nearly the next page': `${'<a>; rel="nex", '.repeat(700)}`,
  'an unclosed relation': `<?page=2>; rel="next${' x'.repeat(6_000)}`,
  commas: `<a>; rel="x"${','.repeat(12_000)}`,
};

/** Reports a request that contains what the server put into its link. */
const hasLeaked = (pattern) => (world) => {
  const leaked = world.seen.find(({ target }) => pattern.test(target));
  return leaked ? `sent back ${leaked.target.slice(0, 200)}` : null;
};

/** Reports more requests than such a list needs. */
const hasAskedTooMuch = (most) => ({ seen }) => seen.length > most ? `sent ${seen.length} requests` : null;

const unusableNext = [
  ['X-Next-Page that is the same page', { 'x-next-page': 1 }],
  ['X-Next-Page 0', { 'x-next-page': 0 }],
  ['X-Next-Page below 0', { 'x-next-page': -1 }],
  ['X-Next-Page that is not a number', { 'x-next-page': 'two' }],
  ['X-Next-Page with a fraction', { 'x-next-page': '1.5' }],
  ['X-Next-Page of 400 digits', { 'x-next-page': '9'.repeat(400) }],
  ['X-Next-Page past 2^53', { 'x-next-page': '99999999999999999999' }],
  ['X-Next-Page with control characters', { 'x-next-page': '2\x1b[31m' }],
  ['a link to the same page', link('page=1')],
  ['a link to page 0', link('page=0')],
  ['a link without a page', link('per_page=100')],
  ['a link to a page that is not a number', link('page=two')],
  ['a link to two pages', link('page=2&page=3')],
  ['a link to a list of pages', link('page[]=2')],
  ['a link with broken percent signs', link('page=%E0%A4%A')],
  ['a link that is not a web address', { link: '<javascript:alert(1)>; rel="next"' }],
  ['two links to next pages', { link: '<http://a/?page=2>; rel="next", <http://a/?page=3>; rel="next"' }],
];

export const paging = [
  ...unusableNext.map(([name, headers]) => ({
    name, command: 'list', server: pagesWith((page) => page === 1 ? headers : { 'x-next-page': '' }),
    expect: worksOrFails(isComplete, 10), check: hasAskedTooMuch(10),
  })),
  ...Object.entries(hostileLinks).map(([name, text]) => ({
    name: `a Link of ${name}`, command: 'list', server: firstWith({ link: text }),
    expect: worksOrFails(isComplete, 10), check: hasAskedTooMuch(10),
  })),
  ...Object.entries(hostileLinks).slice(0, 8).map(([name, text]) => ({
    name: `a Link of ${name}, with the api command`, command: 'rawList', server: firstWith({ link: text }),
    expect: worksOrFails(isComplete, 10), clients: ['program'], check: hasAskedTooMuch(10),
  })),
  {
    name: 'X-Next-Page that is always the same', command: 'list', server: pagesWith({ 'x-next-page': 2 }),
    expect: unavailable(/does not come after/), check: hasAskedTooMuch(10),
  },
  {
    name: 'the same items on endless pages', command: 'list', limit: 30,
    server: pagesWith((page) => ({ 'x-next-page': page + 1 }), () => threads(1, 100)), expect: unavailable(/./),
  },
  {
    name: 'endless empty pages', command: 'list', limit: 30,
    server: pagesWith((page) => ({ 'x-next-page': page + 1 }), () => []),
    expect: unavailable(/no new items/), check: hasAskedTooMuch(1_100),
  },
  {
    name: 'endless empty pages, by links', command: 'rawList', limit: 30,
    server: pagesWith((page) => link(`page=${page + 1}`), () => []),
    expect: unavailable(/no new items/), check: hasAskedTooMuch(1_100),
  },
  {
    name: 'totals that promise a billion pages', command: 'list',
    server: pagesWith((page) => ({ 'x-total': 100_000_000_000, 'x-total-pages': 1_000_000_000, ...nextOfThree(page) })),
    expect: unavailable(/there is a page 1000000000/), check: hasAskedTooMuch(60),
  },
  {
    name: 'totals below what is there', command: 'list',
    server: pagesWith((page) => ({ 'x-total': 1, 'x-total-pages': 1, ...nextOfThree(page) })),
    expect: works(/00000018f"/), check: hasAskedTooMuch(60),
  },
  {
    name: 'a wrong X-Page', command: 'list',
    server: pagesWith((page) => ({ ...nextOfThree(page), 'x-page': 7 })),
    expect: worksOrFails(/00000018f"/, 10), check: hasAskedTooMuch(60),
  },
  {
    name: 'X-Per-Page 0', command: 'list',
    server: pagesWith((page) => ({ 'x-per-page': 0, 'x-total': 0, ...nextOfThree(page) })),
    expect: works(/00000018f"/), check: hasAskedTooMuch(60),
  },
  {
    name: 'pages that shrink', command: 'list',
    server: pagesWith(nextOfThree, (page) => threads(page * 100, 100 >> page)), expect: works(/000000137"/),
  },
  {
    name: 'pages that grow', command: 'list',
    server: pagesWith(nextOfThree, (page) => threads(page * 1_000, page * 200)), expect: works(/000000e0f"/),
  },
  {
    name: 'an error on the second page', command: 'lines',
    server: secondIs(response('500 Internal Server Error')), expect: unavailable(/500/),
  },
  {
    name: 'a login page as the second page', command: 'lines',
    server: secondIs(response('200 OK', { 'content-type': 'text/html' }, '<html>')), expect: unavailable(/HTML/),
  },
  {
    name: 'numbers on the second page', command: 'lines',
    server: secondIs(json('200 OK', [1, 2, 3], { 'x-next-page': 3 })), expect: unavailable(/./),
  },
  {
    name: 'a truncated second page', command: 'list', waits: true,
    server: secondIs(response('200 OK', { 'content-length': 100_000 }, '[{')), expect: unavailable(/stopped|time/),
  },
  {
    name: 'a link to another origin', command: 'list', other: replies(json('200 OK', [thread(999)])),
    server: firstWith(({ target }, { otherPort }) => ({
      link: `<http://localhost:${otherPort}${target}&page=2>; rel="next"`,
    })),
    expect: worksOrFails(isComplete, 10),
    check: ({ otherSeen }) => otherSeen.length > 0 ? 'asked another origin' : null,
  },
  {
    name: 'a link to another path', command: 'list',
    server: firstWith({ link: '<http://localhost/api/v4/user?page=2>; rel="next"' }),
    expect: worksOrFails(isComplete, 10), check: hasLeaked(/\/user/),
  },
  {
    name: 'a link with credentials', command: 'list',
    server: firstWith(link('page=2&private_token=stolen&access_token=stolen&sudo=root&job_token=stolen')),
    expect: worksOrFails(isComplete, 10), check: hasLeaked(/stolen|sudo/),
  },
  {
    name: 'a link with credentials, with the api command', command: 'rawList', clients: ['program'],
    server: firstWith(link('page=2&private_token=stolen&access_token=stolen&sudo=root')),
    expect: worksOrFails(isComplete, 10), check: hasLeaked(/stolen|sudo/),
  },
  {
    name: 'a link with 500 parameters', command: 'list',
    server: firstWith(link(`page=2&${Array.from({ length: 500 }, (_, i) => `a${i}=b`).join('&')}`)),
    expect: worksOrFails(isComplete, 10), check: hasLeaked(/a499/),
  },
  {
    name: 'a link with nested parameters', command: 'list',
    server: firstWith(link(`page=2&a${'[b]'.repeat(2_000)}=c`)),
    expect: worksOrFails(isComplete, 10), check: hasLeaked(/a(\[|%5B)/i),
  },
  {
    name: 'a link with __proto__ as a parameter', command: 'list',
    server: firstWith(link('page=2&__proto__[x]=y&constructor[prototype][x]=y')),
    expect: worksOrFails(isComplete, 10),
  },
  {
    name: 'a link to another page size', command: 'list', server: firstWith(link('page=2&per_page=1000000')),
    expect: worksOrFails(isComplete, 10),
  },
  {
    name: 'a link that contradicts X-Next-Page', command: 'list',
    server: firstWith({ ...link('page=9'), 'x-next-page': 2 }),
    expect: worksOrFails(isComplete, 10), check: hasAskedTooMuch(10),
  },
];
