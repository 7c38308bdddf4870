import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neutralText } from '../../src/text/neutral.js';

const visible = (text: string) => text.replaceAll('\u2060', '');

describe('neutralText', () => {
  it.each([
    ['/close', '\u2060/close'], ['a\n  /label ~x', 'a\n  \u2060/label ~x'], ['a\r/close', 'a\r\u2060/close'],
    ['ask @ada', 'ask @\u2060ada'], ['@"a group"', '@\u2060"a group"'], ['fixes #12', 'fixes #\u206012'],
    ['acme/app!5', 'acme/app!\u20605'], ['&7 and $3', '&\u20607 and $\u20603'], ['GL-12', 'GL\u2060-12'],
    ['https://h/a/-/issues/12', 'https://h/a/-/issues/\u206012'], ['[work_item:acme/12]', '[work_item:\u2060acme/12]'],
  ])('changes %j', (text, expected) => {
    expect(neutralText(text)).toBe(expected);
  });

  it.each(['a / b', '/* comment */', '//', 'a@', 'C# and F#', 'x & y', '$HOME', '1/2', '50 %'])('leaves %j', (text) => {
    expect(neutralText(text)).toBe(text);
  });

  it('changes nothing that can be seen, and nothing when it is repeated', () => {
    fc.assert(fc.property(fc.stringMatching(/^[\n\r /@#!&$"a1:.-]{0,30}$/), (text) => {
      const neutral = neutralText(text);
      expect(visible(neutral)).toBe(text);
      expect(neutralText(neutral)).toBe(neutral);
      expect(neutral).not.toMatch(/^\s*\/[a-z]|@[\w"]|[#!&$]\d/m);
    }));
  });
});
