import { expect, test } from 'vitest';
import { canonicalHost, isLoopback } from '../../../src/wire/http.js';

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
