import { expect, it } from 'vitest';
import { createCredentialMask } from '../../../src/recording/messages.js';

it('what was learned is hidden in all later texts and bytes', () => {
  const tokens = createCredentialMask();
  expect(tokens.hide('use S3cret-one')).toBe('use S3cret-one');
  tokens.learn('S3cret-one', false);
  tokens.learn('Bearer S3cret-two', false);
  expect(tokens.hide('S3cret-one, S3cret-two, text/html')).toBe('[redacted], [redacted], text/html');
  const bytes = (text: string) => ({ base64: Buffer.from(text, 'latin1').toString('base64') });
  expect(tokens.hideInBody(bytes('\u00ffS3cret-one'))).toEqual(bytes('\u00ff[redacted]'));
  expect(tokens.size).toBe(3);
});

it('words and dates are learned only if they are certainly secrets', () => {
  const tokens = createCredentialMask();
  for (const word of ['parser', '2024-05-01', '1.2.3', 'ada@acme.dev', '1234567', '$TOKEN']) tokens.learn(word, false);
  expect(tokens.size).toBe(0);
  tokens.learn('parser', true);
  tokens.learn('short', true);
  expect(tokens.hide('the parser is short')).toBe('the [redacted] is short');
});
