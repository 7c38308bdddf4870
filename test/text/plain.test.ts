import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainJson, plainLine, plainText } from '../../src/text/plain.js';

const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const hostile = fc.string({ unit: fc.constantFrom('\x1b', '\x9b', '\u202e', '\u2066', '\ud800', '\r', '\n', '\t', '\x07', 'a', 'é', '🙂', ' ') });

describe('untrusted text', () => {
  it('shows control characters as visible text', () => {
    expect(plainText('a\x1b[31mred\x1b[0m')).toBe('a\\u001b[31mred\\u001b[0m');
    expect(plainText('\u202egnp.exe')).toBe('\\u202egnp.exe');
    expect(plainText('half \ud83d')).toBe('half \\ud83d');
    expect(plainText('\u206aa\ufff9b\ufffbc')).toBe('\\u206aa\\ufff9b\\ufffbc');
    expect(plainText('over\rwritten')).toBe('over\\u000dwritten');
  });

  it('keeps tabs, line breaks and every harmless character', () => {
    expect(plainText('a\tb\r\nc\n')).toBe('a\tb\nc\n');
    expect(plainText('Größe 漢字 👩‍👩‍👧 é')).toBe('Größe 漢字 👩‍👩‍👧 é');
  });

  it('becomes one line where only one fits', () => {
    expect(plainLine('  a\r\n\tb\n\nc ')).toBe('a b c');
  });

  it('never contains a control character', () => {
    fc.assert(fc.property(hostile, (text) => {
      expect(plainText(text)).not.toMatch(acting);
      expect(plainLine(text)).not.toMatch(/[\n\t]/);
      expect(plainLine(text)).not.toMatch(acting);
      expect(plainText(text).isWellFormed()).toBe(true);
    }));
  });

  it('stays the same JSON value', () => {
    fc.assert(fc.property(hostile, (text) => {
      const json = plainJson(JSON.stringify({ text }));
      expect(json).not.toMatch(acting);
      expect(JSON.parse(json)).toEqual({ text });
    }));
  });

  it('may be 200,000 characters on one line', () => {
    expect(plainText(`${'x'.repeat(200_000)}\x1b`)).toHaveLength(200_006);
  });
});
