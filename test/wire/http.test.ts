import * as Type from '@sinclair/typebox';
import { describe, expect, it, test } from 'vitest';
import { optional } from '../../src/contract/endpoint.js';
import { coerce } from '../../src/wire/decode.js';
import { bodyText, canonicalHost, fromPairs, isLoopback, isRead, mediaType, splitTarget, toPairs, toPairsWithLists } from '../../src/wire/http.js';

describe('the text of a body', () => {
  it('is a text as it is, with its byte order mark', () => {
    expect([bodyText(''), bodyText('\ufeffa'), bodyText('\ud800')]).toEqual(['', '\ufeffa', '\ud800']);
  });

  it('is decoded from bytes as UTF-8, without a byte order mark', () => {
    expect(bodyText(Buffer.from('Grüße 😀'))).toBe('Grüße 😀');
    expect(bodyText(Buffer.from('\ufeff\ufeffa'))).toBe('\ufeffa');
    expect(bodyText(Uint8Array.of(0x61, 0xff, 0x62, 0xe2, 0x82))).toBe('a\ufffdb\ufffd');
  });

  it('is that of a part of a buffer alone', () => {
    const bytes = new Uint8Array(Buffer.from('before|text|after'));
    expect(bodyText(bytes.subarray(7, 11))).toBe('text');
  });
});

describe('the media type', () => {
  it.each([
    ['application/json', 'application/json'], ['Application/JSON ; charset=utf-8', 'application/json'], [' text/html', 'text/html'],
    ['multipart/form-data; boundary="a;b"', 'multipart/form-data'], ['', ''], [';', ''],
  ])('of %j is %j', (type, expected) => expect(mediaType({ 'content-type': type })).toBe(expected));

  it('is empty without a header', () => expect(mediaType({ accept: 'application/json' })).toBe(''));
});

describe('a target', () => {
  it.each([
    ['/a', ['/a', '']], ['/a?b=c', ['/a', 'b=c']], ['/a?', ['/a', '']], ['/a?b=?c?', ['/a', 'b=?c?']], ['?b', ['', 'b']], ['', ['', '']],
  ] as [string, [string, string]][])('is split at its first question mark: %j', (target, parts) => expect(splitTarget(target)).toEqual(parts));
});

it('only GET and HEAD read', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'get', ''];
  expect(methods.filter((method) => isRead({ method }))).toEqual(['GET', 'HEAD']);
});

test.each([
  'localhost', 'LOCALHOST', 'localhost.', 'app.localhost', '127.0.0.1', '127.9.9.9', '127.1', '0x7f.1', '::1', '[::1]',
  '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '[::ffff:7f00:1]',
])('%s is a loopback host', (host) => { expect(isLoopback(host)).toBe(true); });

test.each([
  '0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '1127.0.0.1', '::2', '::ffff:10.0.0.1', 'example.com', 'localhost.example.com',
  '127.0.0.1.example.com', 'xlocalhost', '',
])('%j is not a loopback host', (host) => { expect(isLoopback(host)).toBe(false); });

test('a host is spelled as URLs spell it', () => {
  expect(['Example.COM.', '::0001', '127.1'].map(canonicalHost)).toEqual(['example.com', '[::1]', '127.0.0.1']);
});

test('a list arrives as it was given, even an empty one, whichever way it is written', () => {
  const params = { labels: optional(Type.Array(Type.String()), 'labels'), ids: optional(Type.Array(Type.Integer()), 'ids') };
  const given = [{ labels: [], ids: [] }, { labels: ['a'], ids: [1, 2] }, { labels: ['a', 'b'] }, {}];
  const arrives = (pairs: readonly [string, unknown][]) => coerce(params, fromPairs(pairs.map(([name, value]) => [name, String(value)])));
  for (const values of given) {
    for (const pairs of [toPairs(values), toPairsWithLists(values)]) expect(arrives(pairs)).toEqual({ values, problems: [] });
  }
  expect(toPairsWithLists({ not: { labels: [] }, rows: [{ a: [] }], none: {} })).toEqual([['not[labels]', ''], ['rows[][a]', '']]);
});
