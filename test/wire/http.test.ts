import { describe, expect, it } from 'vitest';
import { isRead, mediaType, splitTarget, bodyText } from '../../src/wire/http.js';

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
