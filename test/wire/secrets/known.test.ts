import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMask } from '../../../src/wire/secrets/known.js';

const maskFor = (...secrets: string[]) => createMask(secrets, { shortest: 8, mark: '[masked]' });

describe('secrets', () => {
  const odd = `it's a "sécret"/+\\p@ss&1~`;
  const lower = (text: string) => text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
  it.each([
    ['percent-encoded', encodeURIComponent(odd)], ['with lower-case digits', lower(encodeURIComponent(odd))],
    ['as in a form', new URLSearchParams({ odd }).toString().slice('odd='.length)],
    ['as in a form with lower-case digits', lower(new URLSearchParams({ odd }).toString().slice('odd='.length))],
    ['as JSON', JSON.stringify(odd).slice(1, -1)], ['quoted for a shell', odd.replaceAll("'", "'\\''")],
    ['traced by dash', odd.replaceAll("'", `'"'"'`)], ['in base64', Buffer.from(odd).toString('base64')],
    ['in base64 in a URL', encodeURIComponent(Buffer.from(odd).toString('base64'))],
    ['in base64 for URLs', Buffer.from(odd).toString('base64url')], ['twice in base64', Buffer.from(Buffer.from(odd).toString('base64')).toString('base64')],
    ['in hex', Buffer.from(odd).toString('hex')], ['in hex with capitals', Buffer.from(odd).toString('hex').toUpperCase()],
  ])('are masked %s', (_, text) => {
    expect(maskFor(odd)(`a ${text} b`)).toBe('a [masked] b');
  });

  it.each(['base64', 'base64url'] as const)('are masked inside a longer text in %s, wherever they stand in it', (form) => {
    const secret = fc.string({ minLength: 8, maxLength: 40 }).filter((text) => text.trim() === text);
    fc.assert(fc.property(fc.string(), secret, fc.string(), (before, value, after) => {
      expect(maskFor(value)(Buffer.from(before + value + after).toString(form))).toContain('[masked]');
    }));
  });

  it.each(['\n', '\r\n', '\n    ', '\\n', '\\\\r\\\\n', '%0A', '%250D%250A'])('are masked in base64 and hex of lines that end with %j', (end) => {
    const long = `s3cret-${'Ab9/+'.repeat(30)}-value`;
    for (const form of ['base64', 'base64url', 'hex'] as const) {
      const lines = [...(Buffer.from(`x${long}x`).toString(form).match(/.{1,60}/g) ?? [])].join(end);
      for (const masked of maskFor(long)(`a ${lines} b`).split(/[\r\n]+/)) expect(masked).toMatch(/^(?:a ..?.?)?\[masked\](?:.{0,4} b)?$/);
    }
  });

  it('are masked in base64 to the end, however long they are', () => {
    const long = Array.from({ length: 5_000 }, (_, at) => ((at + 7) * 48_271 % 65_537 % 36).toString(36)).join('');
    const encoded = Buffer.from(long).toString('base64');
    for (const text of [encoded, encoded.replace(/.{76}/g, '$&\n')]) expect(maskFor(long)(text).replaceAll('[masked]', '').trim()).toBe('');
  });

  it('are masked in base64 wherever a short one is broken, and all lines stay', () => {
    const encoded = Buffer.from('secret-value').toString('base64');
    for (let at = 1; at < encoded.length; at++) {
      expect(maskFor('secret-value')(`a\n${encoded.slice(0, at)}\n${encoded.slice(at)}\nb`)).toBe('a\n[masked]\n[masked]\nb');
    }
  });

  it('of several lines are masked line by line, without short lines, and as a whole in base64', () => {
    const key = '-----BEGIN KEY-----\nfirst-line\nshort\n';
    expect(maskFor(key)('first-line short')).toBe('[masked] short');
    expect(maskFor(key)(`a ${Buffer.from(key).toString('base64')} b`)).toBe('a [masked] b');
  });

  it('are masked whole where one contains another', () => {
    expect(maskFor('secret-value', 'secret-value-two')('secret-value-two secret-value')).toBe('[masked] [masked]');
  });

  it('shorter than the least length are left as they are', () => {
    expect(maskFor('1234567')('1234567')).toBe('1234567');
  });
});
