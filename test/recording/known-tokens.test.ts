import { expect, it } from 'vitest';
import { createKnownTokens } from '../../src/recording/known-tokens.js';

it('tokens of headers and queries are hidden in all later texts, and what looks like one in any', () => {
  const tokens = createKnownTokens();
  expect(tokens.hide('use S3cret-one')).toBe('use S3cret-one');
  tokens.learn({ target: '/api/v4/user?private_token=S3cret-two&page=2', headers: { authorization: 'Bearer S3cret-one', accept: 'text/html' } });
  expect(tokens.hide('S3cret-one, S3cret-two, text/html, glpat-abcdefghijkl')).toBe('[redacted], [redacted], text/html, [redacted]');
  expect(tokens.size).toBe(2);
});
