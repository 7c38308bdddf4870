/** Redirects to other places, and failed authentication. */
import { fails, unavailable, works } from './judge.mjs';
import { json, replies, response } from './server.mjs';
import { appearance, honestResponse } from './service.mjs';

const to = (status, location) => response(`${status} Moved`, location === null ? {} : { location });
const elsewhere = replies(json('200 OK', { ...appearance, title: 'Stolen' }));

/** Reports a request to another origin. */
const hasAsked = ({ otherSeen }) => {
  const hasToken = otherSeen.some(({ head }) => /private-token|authorization/i.test(head));
  if (hasToken) return 'the token went to another origin';
  return otherSeen.length > 0 ? 'asked another origin' : null;
};

/** Reports a suggested base URL that is impossible. */
const hasAdvisedWrongly = ({ out, err }) =>
  /base URL to (?!http)/.test(out + err) ? 'advises an impossible base URL' : null;

const locations = [
  ['file:', () => 'file:///etc/passwd'],
  ['data:', () => 'data:application/json,{}'],
  ['javascript:', () => 'javascript:alert(1)'],
  ['ftp:', () => 'ftp://localhost/'],
  ['an invalid address', () => 'http://[::1'],
  ['a user and password', ({ port }) => `http://a:b@localhost:${port}/api/v4/application/appearance`],
  ['an address without a scheme', ({ otherPort }) => `//localhost:${otherPort}/api/v4/application/appearance`],
  ['an address with backslashes', ({ otherPort }) => `\\\\localhost:${otherPort}\\api\\v4\\application\\appearance`],
  ['10 kB', () => `/${'x'.repeat(10_000)}`],
];

const oddChallenge = `Negotiate, Digest realm="${'\\"'.repeat(3_000)}", Basic realm="\x9b31m`;

export const redirects = [
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `${status} to another origin`, command: 'get', other: elsewhere,
    server: replies((_, { otherPort }) => to(status, `http://localhost:${otherPort}/api/v4/application/appearance`)),
    expect: unavailable(/redirected/), check: hasAsked,
  })),
  ...['post', 'put', 'upload', 'remove', 'list'].map((command) => ({
    name: `307 of ${command} to another origin`, command, other: elsewhere,
    server: replies(({ target }, { otherPort }) => to(307, `http://localhost:${otherPort}${target}`)),
    expect: unavailable(/redirected/), check: hasAsked,
  })),
  ...locations.map(([name, locate]) => ({
    name: `302 to ${name}`, command: 'get', other: elsewhere,
    server: replies((_, world) => to(302, locate(world))),
    expect: unavailable(/redirected/), check: (world, outcome) => hasAsked(world) ?? hasAdvisedWrongly(outcome),
  })),
  {
    name: '302 to itself', command: 'get', server: replies(({ target }) => to(302, target)),
    expect: unavailable(/redirected more than/),
    check: ({ seen }) => seen.length > 20 ? `sent ${seen.length} requests` : null,
  },
  {
    name: '302 to ever new paths', command: 'get',
    server: replies((_, { seen }) => to(302, `/api/v4/application/${seen.length}`)),
    expect: unavailable(/redirected more than/),
  },
  {
    name: '302 of a POST', command: 'post', server: replies(() => to(302, '/api/v4/user')), expect: unavailable(/GET/),
  },
  {
    name: '302 to a path outside the service', command: 'get', url: ({ port }) => `http://localhost:${port}/gitlab`,
    server: replies((request) => request.target.startsWith('/gitlab') ? to(302, '/gitlab/../admin')
      : honestResponse(request)),
    expect: unavailable(/redirected/),
  },
  { name: '302 without a location', command: 'get', server: replies(to(302, null)), expect: unavailable(/Location/) },
  { name: '302 with an empty location', command: 'get', server: replies(to(302, '')), expect: unavailable(/Location/) },
  {
    name: '300 with choices', command: 'get',
    server: replies(response('300 Multiple Choices', { location: '/other' }, '{}')), expect: unavailable(/300/),
  },
  {
    name: '302 from https to http', command: 'get', over: 'https', other: elsewhere,
    server: replies((_, { otherPort }) => to(302, `http://localhost:${otherPort}/api/v4/application/appearance`)),
    expect: unavailable(/redirected/), check: hasAsked,
  },
  {
    name: '302 from https to http on the same port', command: 'get', over: 'https',
    server: replies((_, { port }) => to(302, `http://localhost:${port}/api/v4/application/appearance`)),
    expect: unavailable(/redirected/),
  },
  {
    name: '302 to a subdomain', command: 'get',
    server: replies((_, { port }) => to(302, `http://api.localhost:${port}/api/v4/application/appearance`)),
    expect: unavailable(/redirected/),
  },
  {
    name: '307 below the service', command: 'put', clients: ['library'],
    server: replies((request) => request.target.endsWith('/appearance') ? to(307, `${request.target}/`)
      : honestResponse(request)),
    expect: works(/Honest/),
  },
  {
    name: '401 with an odd challenge', command: 'get',
    server: replies(response('401 Unauthorized', { 'www-authenticate': oddChallenge })),
    expect: fails(4, /401|Unauthorized/),
  },
  {
    name: '401 with a list of challenges', command: 'post',
    server: replies(response('401 Unauthorized', Array.from({ length: 300 }, () => 'www-authenticate: Basic'))),
    expect: fails(4, /401|Unauthorized/),
  },
  {
    name: '401 with a login page', command: 'list',
    server: replies(response('401 Unauthorized', { 'content-type': 'text/html' }, '<html>Sign in</html>')),
    expect: fails(4, /HTML/),
  },
  {
    name: '403 with an odd scope', command: 'post',
    server: replies(json('403 Forbidden', { error: 'insufficient_scope', scope: { a: 1 } })), expect: fails(5, /403/),
  },
  {
    name: '407 from the service itself', command: 'get', server: replies(response('407 Proxy Authentication Required')),
    expect: fails([7, 10], /407/),
  },
  {
    name: '511 of a captive portal', command: 'get',
    server: replies(response('511 Network Authentication Required', { 'content-type': 'text/html' }, '<html>')),
    expect: unavailable(/511/),
  },
];
