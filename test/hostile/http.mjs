/** Responses that break HTTP or never end. */
import { unavailable, works, worksOrFails } from './judge.mjs';
import { dribbles, floods, json, onRequest, replies, repliesAndCloses, response } from './server.mjs';
import { appearance, honestResponse } from './service.mjs';

const body = JSON.stringify({ ...appearance, title: 'Honest' });
const head = (...lines) => ['HTTP/1.1 200 OK', 'content-type: application/json', ...lines, '', ''].join('\r\n');
const chunk = (text) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Sent before the connection is closed; none of it is a complete response. */
const broken = [
  ['garbage instead of a status line', 'garbage and more of it\r\n\r\n'],
  ['binary garbage', Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 131) % 256))],
  ['nothing but line breaks', '\r\n'.repeat(10_000)],
  ['HTTP/0.9', body],
  ['HTTP/2 instead of HTTP/1', Buffer.from('00001204000000000000030000006400040010000000060000ffff', 'hex')],
  ['HTTP/3.7 in the status line', `HTTP/3.7 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`],
  ['a status line without a status', `HTTP/1.1 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`],
  ['status 000', response('000 None', {}, body)],
  ['status 99', response('99 Low', {}, body)],
  ['status 1000', response('1000 High', {}, body)],
  ['half a header, then closed', 'HTTP/1.1 200 OK\r\ncontent-ty'],
  ['a header without a colon', `HTTP/1.1 200 OK\r\nno colon here\r\ncontent-length: ${body.length}\r\n\r\n${body}`],
  ['NUL in a header', `HTTP/1.1 200 OK\r\nx-a: a\0b\r\ncontent-length: ${body.length}\r\n\r\n${body}`],
  ['two different content lengths', head(`content-length: ${body.length}`, 'content-length: 2') + body],
  ['a content length that is too large', head(`content-length: ${body.length + 10}`) + body],
  ['a content length that is huge', head('content-length: 999999999999999') + body],
  ['a content length past 2^64', head('content-length: 99999999999999999999999') + body],
  ['a negative content length', head('content-length: -5') + body],
  ['a content length that is not a number', head('content-length: many') + body],
  ['both chunks and a content length',
    `${head('transfer-encoding: chunked', 'content-length: 3')}${chunk(body)}0\r\n\r\n`],
  ['a chunk size that is not a number', `${head('transfer-encoding: chunked')}zz\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk size past 2^64', `${head('transfer-encoding: chunked')}fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`],
  ['a chunk that is longer than its size', `${head('transfer-encoding: chunked')}5\r\n${body}\r\n0\r\n\r\n`],
  ['chunks without the last one', head('transfer-encoding: chunked') + chunk(body)],
  ['a truncated chunk', `${head('transfer-encoding: chunked')}${(body.length + 9).toString(16)}\r\n${body}`],
  ['an empty body with a length', head('content-length: 10')],
];

/** Unusual, but readable as a response. */
const odd = [
  ['bare line feeds', `HTTP/1.1 200 OK\ncontent-length: ${body.length}\n\n${body}`],
  ['a content length that is too small', head('content-length: 10') + body],
  ['a body that ends with the connection', head('connection: close') + body],
  ['an unknown transfer encoding', `${head('transfer-encoding: cipher')}${body}`],
  ['a reason phrase of 1 MB', response(`200 ${'x'.repeat(1_000_000)}`, {}, body)],
  ['HTTP/1.0', `HTTP/1.0 200 OK\r\n\r\n${body}`],
  ['a header folded over two lines',
    `HTTP/1.1 200 OK\r\nx-a: a\r\n b\r\ncontent-length: ${body.length}\r\n\r\n${body}`],
  ['the same content length twice', head(`content-length: ${body.length}`, `content-length: ${body.length}`) + body],
  ['ten early hints',
    'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'.repeat(10) + head(`content-length: ${body.length}`) + body],
  ['an unrequested 100 Continue',
    `HTTP/1.1 100 Continue\r\n\r\n${head(`content-length: ${body.length}`)}${body}`],
  ['102 Processing', `HTTP/1.1 102 Processing\r\n\r\n${head(`content-length: ${body.length}`)}${body}`],
  ['trailers after the chunks', `${head('transfer-encoding: chunked')}${chunk(body)}0\r\nx-trailer: 1\r\n\r\n`],
  ['10,000 chunks of one byte',
    head('transfer-encoding: chunked') + [...body.padEnd(10_000)].map(chunk).join('') + '0\r\n\r\n'],
];

const switching = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n';
const endless = { limit: 45, waits: true };

export const http = [
  ...broken.map(([name, bytes]) => ({
    name, command: 'get', server: repliesAndCloses(bytes), expect: unavailable(/./),
  })),
  ...odd.map(([name, bytes]) => ({
    name, command: 'get', server: repliesAndCloses(bytes), expect: worksOrFails(/Honest/, 10),
  })),
  ...['get', 'list', 'post', 'longPost', 'put', 'upload', 'remove'].map((command) => ({
    name: `101 to ${command}`, command, server: replies(switching), expect: unavailable(/101/),
  })),
  {
    name: '101 without headers, then closed', command: 'get',
    server: repliesAndCloses('HTTP/1.1 101 Switching Protocols\r\n\r\n'), expect: unavailable(/101/),
  },
  {
    name: '101, then a response', command: 'get',
    server: replies(Buffer.concat([Buffer.from(switching), json('200 OK', appearance)])), expect: unavailable(/101/),
  },
  {
    name: '101 to a POST of the api command', command: 'rawPost', server: replies(switching),
    expect: unavailable(/101/),
  },
  {
    name: 'a page, then 101', command: 'list',
    server: replies((_, { seen }) => seen.length > 1 ? switching : json('200 OK', [], { 'x-next-page': 2 })),
    expect: unavailable(/101/),
  },
  {
    name: 'half a header, then silence', command: 'get', server: replies('HTTP/1.1 200 OK\r\ncontent-ty'),
    expect: unavailable(/time/), waits: true,
  },
  {
    name: 'half a body, then silence', command: 'get',
    server: replies(head('content-length: 500') + body.slice(0, 50)), expect: unavailable(/stopped|time/),
    waits: true,
  },
  {
    name: 'half a body after a POST, then silence', command: 'post',
    server: replies(head('content-length: 500') + '{"id":'), expect: unavailable(/stopped|time/),
    waits: true,
  },
  {
    name: 'a dribbled header', command: 'get', server: dribbles('HTTP/1.1 200 OK\r\nx-a: ', 'x', 500),
    expect: unavailable(/time/), ...endless,
  },
  {
    name: 'a dribbled body', command: 'get', server: dribbles(head('content-length: 1000'), ' ', 500),
    expect: unavailable(/time/), ...endless,
  },
  {
    name: 'dribbled chunks', command: 'list',
    server: dribbles(head('transfer-encoding: chunked'), '1\r\n \r\n', 500), expect: unavailable(/time/), ...endless,
  },
  {
    name: 'dribbled early hints', command: 'get', server: dribbles('', 'HTTP/1.1 103 Early Hints\r\n\r\n', 500),
    expect: unavailable(/time/), ...endless,
  },
  {
    name: 'dribbled early hints after a POST', command: 'post',
    server: dribbles('', 'HTTP/1.1 103 Early Hints\r\n\r\n', 500), expect: unavailable(/time/), ...endless,
  },
  {
    name: 'a flood of 100 Continue', command: 'get',
    server: floods('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000), 200_000_000), expect: unavailable(/./),
    ...endless,
  },
  {
    name: 'a flood of early hints', command: 'post',
    server: floods('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(1_000), 200_000_000),
    expect: unavailable(/./), ...endless,
  },
  {
    name: 'a header of 1 MB', command: 'get', server: replies(response(200, { 'x-a': 'x'.repeat(1_000_000) }, body)),
    expect: unavailable(/header/),
  },
  {
    name: '10,000 headers', command: 'get',
    server: replies(response(200, Array.from({ length: 10_000 }, (_, i) => `x-${i}: ${i}`), body)),
    expect: unavailable(/header/),
  },
  {
    name: '2,000 short headers', command: 'get',
    server: replies(response(200, Array.from({ length: 2_000 }, () => 'a: b'), body)),
    expect: worksOrFails(/Honest/, 10),
  },
  {
    name: 'an endless header', command: 'get', server: floods('HTTP/1.1 200 OK\r\nx-a: ', 'x'.repeat(65_536)),
    expect: unavailable(/header/),
  },
  {
    name: 'endless chunk extensions', command: 'get',
    server: floods(`${head('transfer-encoding: chunked')}5`, ';x'.repeat(32_768)), expect: unavailable(/./),
  },
  {
    name: 'endless trailers', command: 'get',
    server: floods(`${head('transfer-encoding: chunked')}${chunk(body)}0\r\n`, 'x-a: b\r\n'.repeat(8_192)),
    expect: unavailable(/./),
  },
  {
    name: 'an endless body', command: 'get', server: floods(head('connection: close'), ' '.repeat(65_536)),
    limit: 30, expect: unavailable(/too large/),
  },
  {
    name: 'an endless list', command: 'list',
    server: floods(`${head('transfer-encoding: chunked')}`, chunk('{"id":1},'.repeat(5_000))), limit: 30,
    expect: unavailable(/too large/),
  },
  {
    name: '204 to a read', command: 'get', server: replies('HTTP/1.1 204 No Content\r\n\r\n'), expect: unavailable(/./),
  },
  {
    name: '204 to a list', command: 'list', server: replies('HTTP/1.1 204 No Content\r\n\r\n'),
    expect: unavailable(/./),
  },
  {
    name: '205 with a body to a read', command: 'get', server: replies(response('205 Reset Content', {}, body)),
    expect: worksOrFails(/Honest/, 10),
  },
  {
    name: '206 to a read', command: 'get',
    server: replies(response('206 Partial Content', { 'content-range': 'bytes 0-9/99' }, body)),
    expect: unavailable(/206/),
  },
  {
    name: 'an unrequested 304', command: 'get', server: replies('HTTP/1.1 304 Not Modified\r\n\r\n'),
    expect: unavailable(/304/),
  },
  {
    name: '299 to a read', command: 'get', server: replies(response('299 Odd', {}, body)),
    expect: worksOrFails(/Honest/, 10),
  },
  { name: '600 to a read', command: 'get', server: replies(response('600 Odd', {}, body)), expect: unavailable(/600/) },
  {
    name: '999 to a POST', command: 'post', server: replies(response('999 Request denied', {}, '{}')),
    expect: unavailable(/999/),
  },
  {
    name: 'a response byte by byte', command: 'get', expect: works(/Honest/),
    server: (socket, world) => onRequest(socket, world, async (request) => {
      socket.setNoDelay();
      for (const byte of honestResponse(request)) {
        socket.write(Buffer.from([byte]));
        await new Promise((resolve) => { setImmediate(resolve); });
      }
    }),
  },
];
