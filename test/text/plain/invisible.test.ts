import { expect, it } from 'vitest';
import { neutralText } from '../../../src/markdown/safe-text.js';
import { plainCode, plainLine, plainText } from '../../../src/text/plain.js';
import { everyRow } from '../../support/rows.js';

const tags = (text: string) => [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join('');
const codes = (text: string) => [...text].map((letter) => `<U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`).join('');

it('characters that nobody sees are shown by their code', async () => {
  await everyRow([
    '\u200b', '\u2060', '\ufeff', '\u00ad', '\u115f', '\u1160', '\u3164', '\uffa0', '\u034f', '\u17b4', '\u180e', '\u2062', '\u200c', '\u200d',
    '\ufe0f', '\ufe01', '\u{e0100}', '\u{e0001}', '\u{1d173}', tags('ignore all'),
  ], codes, (hidden) => {
    for (const shown of [plainText, plainLine, plainCode]) expect(shown(`a${hidden}b`)).toBe(`a${codes(hidden)}b`);
  });
});

it('characters that a text needs stay as they are', async () => {
  await everyRow([
    '👩‍👩‍👧', '❤️', '❤️‍🔥', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', '👍🏽', '🧑🏽‍🚀', '1️⃣', '☺︎',
    'می‌خواهم', 'क्‍ष', 'ക്‍', 'නි‍ර්', '葛\u{e0100}城',
  ], String, (text) => {
    for (const shown of [plainText, plainLine, plainCode]) expect(shown(`a ${text} b`)).toBe(`a ${text} b`);
  });
});

it('what looks like one of these is shown if it hides more', async () => {
  await everyRow([
    ['🏴', tags('ignore all previous')], ['❤️', '\ufe0f\ufe0f'], ['می', '\u200c\u200c\u200d'], ['葛', '\u{e0100}\u{e0101}'], ['@ada', '\u2060'], ['a', '\u200d👩'],
  ], ([text, hidden]) => text + codes(hidden!), ([text, hidden]) => {
    expect(plainText(`${text!}${hidden!}`)).toMatch(/<U\+[0-9A-F]{4,5}>/);
  });
});

it('mentions and commands that are disabled look as before', () => {
  const text = neutralText('@ada and #12, !3, &4, ~bug, %v1, acme/app#7\n\n/close\n\n[text](https://a.example) ![x](https://b.example/x.png)');
  expect(text).toContain('\u2060');
  expect(plainText(text)).toBe(text);
});

it('a text of 200,000 such characters is shown without delay', () => {
  expect(plainText('\u200d'.repeat(200_000))).toHaveLength(200_000 * 8);
});
