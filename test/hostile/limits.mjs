/** Rate limits with unusual waits, and repeated failures. */
import { fails, unavailable, works, worksSilently } from './judge.mjs';
import { json, replies, response } from './server.mjs';
import { honestResponse } from './service.mjs';

const limited = (headers) => response('429 Too Many Requests', headers, 'Retry later');
const after = (value) => limited({ 'retry-after': value });

/** Values of Retry-After. The client does not start a wait that is too long. */
const waits = [
  ['1e9', '1e9'], ['1,000,000,000 seconds', '1000000000'], ['400 digits', '9'.repeat(400)], ['a negative number', '-5'],
  ['a date long ago', 'Thu, 01 Jan 1970 00:00:00 GMT'], ['a date far ahead', new Date(Date.now() + 1e12).toUTCString()],
  ['an invalid date', 'Fri, 99 Foo 2024'], ['garbage', 'soon \x9b31m'], ['an empty value', ''],
  ['Infinity', 'Infinity'], ['a fraction', '0.5'], ['two values', '0, 0'], ['a hexadecimal number', '0x0'],
];

/** Reports more requests than the retry policy allows. What the program reads after a failed write does not count. */
const isMuch = (most) => ({ seen }) => {
  const { length } = seen.filter(({ method }) => method === seen[0].method);
  return length > most ? `sent ${length} requests` : null;
};

const once = (bytes) => replies((request, { seen }) => seen.length === 1 ? bytes : honestResponse(request));

export const limits = [
  ...waits.map(([name, value]) => ({
    name: `429 with a Retry-After of ${name}`, command: 'get', server: replies(after(value)),
    expect: fails(9, /Retry later/), check: isMuch(2),
  })),
  {
    name: '429 to every POST', command: 'post', server: replies(after(0)), expect: fails(9, /Retry later/),
    check: isMuch(2),
  },
  {
    name: '429 to the second page of a list', command: 'list',
    server: replies((_, { seen }) => seen.length > 1 ? after(1_000_000) : json('200 OK', [], { 'x-next-page': 2 })),
    expect: fails(9, /Retry later/),
  },
  {
    name: '429 with a reset far ahead', command: 'get',
    server: replies(limited({ 'ratelimit-remaining': 0, 'ratelimit-reset': '99999999999999' })),
    expect: fails(9, /Retry later/), check: isMuch(2),
  },
  {
    name: '429 with a Date header far in the past', command: 'get',
    server: replies(limited({ date: 'Thu, 01 Jan 1970 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 1970 00:00:01 GMT' })),
    expect: fails(9, /Retry later/), check: isMuch(2),
  },
  { name: '429 once', command: 'post', server: once(after(0)), expect: works(/Note 7/) },
  {
    name: '503 with Retry-After: 0 to every request', command: 'get',
    server: replies(response('503 Service Unavailable', { 'retry-after': 0 })), expect: unavailable(/503/),
    check: isMuch(2),
  },
  {
    name: '503 to a POST', command: 'post', server: replies(response('503 Service Unavailable', { 'retry-after': 0 })),
    expect: unavailable(/503/), check: isMuch(1),
  },
  {
    name: '502 once', command: 'get', server: once(response('502 Bad Gateway')),
    expect: works(/Honest/),
  },
  {
    name: '500 to a POST, not retried', command: 'post', server: replies(response('500 Internal Server Error')),
    expect: unavailable(/500/), check: isMuch(1),
  },
  {
    name: '502 to every upload', command: 'upload', server: replies(response('502 Bad Gateway')),
    expect: unavailable(/502/), check: isMuch(4),
  },
  {
    name: '504 to a DELETE, then 404', command: 'remove',
    server: replies((_, { seen }) => seen.length === 1 ? response('504 Gateway Timeout')
      : json('404 Not Found', { message: '404 Not found' })),
    expect: worksSilently,
  },
  ...[408, 421, 425, 426, 428, 451].map((status) => ({
    name: `${status} to a POST`, command: 'post', server: replies(response(`${status} Odd`)),
    expect: fails([7, 10], new RegExp(status)), check: isMuch(2),
  })),
  {
    name: '408 before a POST, then closed', command: 'post',
    server: (socket) => { socket.end(response('408 Request Timeout', { connection: 'close' })); },
    expect: fails([7, 10], /408/),
  },
  {
    name: '413 to a short POST', command: 'post',
    server: replies(response('413 Payload Too Large', { 'content-type': 'text/html' }, '<html>')),
    expect: fails(7, /413/),
  },
];
