import { describe, expect, test } from 'vitest';
import { readBaseUrl } from '../../src/client/base-url.js';

describe('a base URL', () => {
  test.each([
    ['https://host', 'https://host', ''],
    ['https://host/', 'https://host', ''],
    ['https://HOST:443/api/v4', 'https://host', ''],
    ['https://host//api/v4', 'https://host', ''],
    ['https://host/api/v4/', 'https://host', ''],
    ['https://host:8443/gitlab', 'https://host:8443', '/gitlab'],
    ['https://host/gitlab/api/v4', 'https://host', '/gitlab'],
    ['http://127.0.0.1:80/a/b//', 'http://127.0.0.1', '/a/b'],
    ['https://host/xapi/v4', 'https://host', '/xapi/v4'],
  ])('parses %s', (text, origin, path) => {
    expect(readBaseUrl(text)).toEqual({ origin, path, href: origin + path });
  });

  test.each([
    ['gitlab.example.com', 'use the form https://host'],
    ['', 'use the form https://host'],
    ['ftp://host', 'ftp:'],
    ['localhost:8080', 'localhost:'],
    ['https://host?x=1', 'query'],
    ['https://host#x', 'fragment'],
  ])('rejects %s with a reason', (text, reason) => {
    expect(() => readBaseUrl(text)).toThrow(reason);
  });

  test.each(['https://me:secret@host', 'https//me:secret@host'])('does not repeat the password of %s', (text) => {
    expect(() => readBaseUrl(text)).toThrow(TypeError);
    expect(() => readBaseUrl(text)).not.toThrow('secret');
  });
});
