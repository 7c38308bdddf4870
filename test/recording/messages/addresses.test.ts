import { expect, it } from 'vitest';
import { replaceAddress } from '../../../src/recording/messages.js';

const replace = replaceAddress('https://git.acme.dev:8443/gl', 'http://127.0.0.1:9');

it.each([
  ['https://git.acme.dev:8443/gl/api/v4?x=1', 'http://127.0.0.1:9/api/v4?x=1'],
  ['http://git.acme.dev:8443/gl', 'http://127.0.0.1:9'],
  ['{"url":"https:\\/\\/GIT.acme.dev:8443\\/gl\\/x"}', '{"url":"http:\\/\\/127.0.0.1:9\\/x"}'],
  ['next=https%3A%2F%2Fgit.acme.dev%3A8443%2Fgl%2Fx', 'next=http%3A%2F%2F127.0.0.1%3A9%2Fx'],
])('%s is %s', (text, expected) => {
  expect(replace(text)).toBe(expected);
});

it.each(['https://git.acme.dev:8443/glx', 'https://git.acme.dev/gl', 'https://git.acme.dev:84430/gl', 'ssh://git.acme.dev:8443/gl', 'text'])(
  '%s stays', (text) => {
    expect(replace(text)).toBe(text);
  });

it('a host is not the beginning of another one', () => {
  const plain = replaceAddress('http://a.test', 'http://b.test');
  for (const other of ['http://a.test.example/', 'http://a.test:80/', 'http://a.test-x/']) expect(plain(other)).toBe(other);
  expect(plain('see http://a.test. And http://a.test/x')).toBe('see http://b.test. And http://b.test/x');
});
