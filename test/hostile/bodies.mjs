/** Bodies with unexpected encodings, charsets, syntax or shapes. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fails, unavailable, works, worksOrFails } from './judge.mjs';
import { json, replies, response } from './server.mjs';
import { appearance, note, thread, user } from './service.mjs';

const body = JSON.stringify(appearance);
const packed = (encoding, bytes) =>
  response(200, { 'content-type': 'application/json', 'content-encoding': encoding }, bytes);
const typed = (type, bytes) => response(200, { 'content-type': type }, bytes);
const asJson = (bytes) => typed('application/json', bytes);

/** Members of gzip one after another are one stream: the part is compressed once. */
const bombPart = 10_000_000;
const bomb = (size) => Buffer.concat(Array(size / bombPart).fill(gzipSync(Buffer.alloc(bombPart, ' '))));

const manyFields = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`x${i}`, i]));
const levels = '['.repeat(10_000) + ']'.repeat(10_000);

/** JSON of a value in which 10,000 nested lists replace the string DEEP. */
const deep = (value) => asJson(JSON.stringify(value).replace('"DEEP"', levels));

/** The body compressed several times. */
const nested = (times) => Array.from({ length: times }).reduce((bytes) => gzipSync(bytes), Buffer.from(body));

/** Text that changes colors, moves the cursor and reverses the text direction on a terminal. */
const acting = '\u001b[31mred\u001b]0;title\u0007\u009b2J\u202eevil\u2066\u200f\r\nnext\0 \u007f\u0085 \ud800';
const everywhere = (value) => {
  if (typeof value === 'string') return value + acting;
  if (Array.isArray(value)) return value.map(everywhere);
  return value === null || typeof value !== 'object' ? value
    : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, everywhere(inner)]));
};

/** Bodies of a 200 response that are not an appearance. */
const unusable = [
  ['truncated gzip', packed('gzip', gzipSync(body).subarray(0, 60))],
  ['JSON labelled gzip', packed('gzip', body)],
  ['gzip with a wrong checksum', packed('gzip', Buffer.concat([gzipSync(body).subarray(0, -8), Buffer.alloc(8, 7)]))],
  ['garbage labelled brotli', packed('br', 'garbage '.repeat(50))],
  ['garbage labelled deflate', packed('deflate', 'garbage '.repeat(50))],
  ['an unknown encoding', packed('compress', body)],
  ['an encoding with odd characters', packed('gz\x1b[31mip', body)],
  ['a gzip bomb of 300 MB', packed('gzip', bomb(300_000_000))],
  ['a nested gzip bomb', packed('gzip, gzip', gzipSync(bomb(600_000_000)))],
  ['a thousand encodings', packed(Array.from({ length: 1_000 }, () => 'gzip').join(','), gzipSync(body))],
  ['undeclared UTF-16', asJson(Buffer.from(body, 'utf16le'))],
  ['truncated JSON', asJson(body.slice(0, 100))],
  ['JSON followed by a bracket', asJson(`${body}]`)],
  ['two JSON values', asJson(`${body}\n${body}`)],
  ['NaN instead of JSON', asJson('NaN')],
  ['an empty body', asJson('')],
  ['only white space', asJson(' \n '.repeat(1_000))],
  ['null', asJson('null')],
  ['a list', asJson('[]')],
  ['a number', asJson('42')],
  ['a string', asJson('"ok"')],
  ['true', asJson('true')],
  ['JSON of 10,000 levels', asJson(levels)],
  ['an empty object', asJson('{}')],
  ['an error object', asJson('{"message":"Something went wrong"}')],
  ['JSON of 5,000,000 levels', asJson('['.repeat(5_000_000))],
  ['a login page', typed('text/html', '<html><body>Sign in</body></html>')],
  ['a login page labelled JSON', asJson('<html><body>Sign in</body></html>')],
  ['plain text', typed('text/plain', 'It works!')],
  ['an image', typed('image/png', Buffer.from('89504e470d0a1a0a', 'hex'))],
];

/** Bodies of a 200 response that are unusual but readable. */
const readable = [
  ['gzip', packed('gzip', gzipSync(body))],
  ['brotli', packed('br', brotliCompressSync(body))],
  ['gzip three times', packed('gzip, gzip, gzip', nested(3))],
  ['a byte order mark', asJson(`\ufeff${body}`)],
  ['declared Latin-1',
    typed('application/json; charset=iso-8859-1', Buffer.from(body.replace('Honest', 'Honest é'), 'latin1'))],
  ['declared UTF-16', typed('application/json; charset=utf-16le', Buffer.from(body, 'utf16le'))],
  ['an unknown charset', typed('application/json; charset=klingon', body)],
  ['a media type of 8 kB', typed(`application/json; ${'a=b;'.repeat(2_000)}`, body)],
  ['invalid UTF-8', asJson(Buffer.from(body.replace('Honest', 'Honest \xff\xfe'), 'latin1'))],
  ['duplicate keys', asJson(`{"title":"other",${body.slice(1)}`)],
  ['__proto__ as a key', asJson(`{"__proto__":{"title":"x","toString":1},"constructor":1,${body.slice(1)}`)],
  ['a number of 100,000 digits', asJson(`{"extra":${'9'.repeat(100_000)},${body.slice(1)}`)],
  ['100,000 unknown fields', asJson(JSON.stringify({ ...manyFields, ...appearance }))],
  ['a string of 20 MB', asJson(JSON.stringify({ ...appearance, description: 'x'.repeat(20_000_000) }))],
  ['JSON labelled plain text', typed('text/plain', body)],
  ['JSON without a media type', response(200, {}, body)],
];

/** Bodies of a 200 response that are not a list of threads. */
const noList = [
  ['an empty body for a list', asJson('')],
  ['null for a list', asJson('null')],
  ['an object for a list', asJson('{}')],
  ['an error object for a list', asJson('{"message":"Something went wrong"}')],
  ['a login page for a list', typed('text/html', '<html>Sign in</html>')],
  ['a list of numbers', asJson('[1,2,3]')],
  ['a list of null', asJson('[null]')],
  ['a list of lists', asJson('[[]]')],
  ['a list of empty objects', asJson('[{}]')],
  ['notes that are not a list', asJson(JSON.stringify([thread(1, { notes: 'none' })]))],
  ['notes that are numbers', asJson(JSON.stringify([thread(1, { notes: [1] })]))],
  ['an author that is a string', asJson(JSON.stringify([thread(1, { notes: [note(1, { author: 'root' })] })]))],
  ['ids above 2^53', asJson(JSON.stringify([thread(1)]).replace('"id":1,', '"id":9007199254740993,'))],
  ['a truncated list', asJson(`${JSON.stringify([thread(1)]).slice(0, -1)},`)],
];

const deepMessage = `{"message":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`;
const stack = `<html><pre>NoMethodError\n    at /srv/app.rb:1:2\n</pre>${'x'.repeat(100_000)}</html>`;

const actingReply = (status) => (_, { seen }) => response(`${status} ${acting.replace(/[\r\n\0]/g, '')}`,
  { 'content-type': 'application/json' }, JSON.stringify({ message: `${acting} ${seen.length}` }));

const actingList = replies(json('200 OK', [everywhere(thread(1, { notes: [note(1)] }))], { 'x-next-page': '' }));

export const bodies = [
  ...unusable.map(([name, bytes]) => ({ name, command: 'get', server: replies(bytes), expect: unavailable(/./) })),
  ...readable.map(([name, bytes]) => ({ name, command: 'get', server: replies(bytes), expect: works(/Honest/) })),
  ...noList.map(([name, bytes]) => ({ name, command: 'list', server: replies(bytes), expect: unavailable(/./) })),
  ...noList.map(([name, bytes]) => ({
    name: `${name}, as ndjson`, command: 'lines', server: replies(bytes), expect: unavailable(/./),
  })),
  {
    name: 'a truncated list, as a table', command: 'table', server: replies(asJson('[{"id":"')),
    expect: unavailable(/./),
  },
  {
    name: 'ids that are strings', command: 'list', server: replies(json('200 OK', [thread(1, { notes: [note('1')] })])),
    expect: worksOrFails(/0000001"/, 10),
  },
  {
    name: 'a thread of 10,000 levels', command: 'table',
    server: replies(deep([thread(1, { extra: 'DEEP' })])), expect: worksOrFails(/Note 1|too deep/, 10),
  },
  {
    name: 'a field of 10,000 levels', command: 'get', server: replies(deep({ extra: 'DEEP', ...appearance })),
    expect: worksOrFails(/Honest|too deep/, 10),
  },
  {
    name: 'a note of 10,000 levels', command: 'list',
    server: replies(deep([thread(1, { notes: [note(1, { attachment: 'DEEP' })] })])),
    expect: worksOrFails(/Note 1|too deep/, 10),
  },
  {
    name: 'control characters in every field, as a table', command: 'table', server: actingList,
    expect: works(/Note 1/),
  },
  {
    name: 'control characters in every field, of one thread', command: 'view',
    server: replies(json('200 OK', everywhere(thread(1)))), expect: works(/Note 1/),
  },
  ...[400, 401, 403, 404, 409, 422, 429, 500, 503].map((status) => ({
    name: `control characters in the message of ${status}`, command: 'get', server: replies(actingReply(status)),
    expect: fails({ 401: 4, 403: 5, 404: 6, 429: 9 }[status] ?? (status < 500 ? 7 : 10), /red/),
  })),
  {
    name: 'control characters in a redirect', command: 'get',
    server: replies(response('302 Found', { location: `http://elsewhere.invalid/${encodeURI('\u202e')}\x9b31m` })),
    expect: unavailable(/redirected/),
  },
  {
    name: 'control characters in the media type', command: 'get',
    server: replies(response('200 OK', { 'content-type': 'text/\x1b[31mred' }, 'x')), expect: unavailable(/./),
  },
  {
    name: 'an error message that repeats the token', command: 'get',
    server: replies(({ head }) => json('400 Bad Request', { message: /private-token: .*/i.exec(head)[0] })),
    expect: fails(7, /token/),
  },
  {
    name: '500 with a stack in HTML', command: 'get',
    server: replies(response('500 Internal Server Error', { 'content-type': 'text/html' }, stack)),
    expect: unavailable(/HTML/),
  },
  {
    name: '500 with a stack in JSON', command: 'get',
    server: replies(json('500 Internal Server Error', { message: 'boom', backtrace: ['    at a.rb:1:2'] })),
    expect: unavailable(/boom/),
  },
  {
    name: 'an error message that is an object of 10,000 levels', command: 'get',
    server: replies(response('400 Bad Request', { 'content-type': 'application/json' }, deepMessage)),
    expect: fails(7, /400/),
  },
  {
    name: 'an error message of 10 MB', command: 'get',
    server: replies(json('400 Bad Request', { message: 'long '.repeat(2_000_000) })),
    expect: fails(7, /long/),
  },
  {
    name: 'an error message that is a list', command: 'get',
    server: replies(json('422 Unprocessable Entity', { message: [1, null, { a: [] }] })),
    expect: fails(7, /422/),
  },
  {
    name: 'an error without a message', command: 'post', server: replies(response('400 Bad Request')),
    expect: fails(7, /400/),
  },
  {
    name: 'a user instead of a thread', command: 'post', server: replies(json('201 Created', user)),
    expect: unavailable(/./),
  },
];
