import { expect, it } from 'vitest';
import { neutralText } from '../../../src/markdown/safe-text.js';
import { plainCode, plainLine, plainText } from '../../../src/text/plain.js';
import { everyRow } from '../../support/rows.js';

const tags = (text: string) => [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join('');
const codes = (text: string) => [...text].map((letter) => `<U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`).join('');

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i));
const views = [plainText, plainLine, plainCode];

it('characters that nobody sees are shown by their code', async () => {
  await everyRow([
    '\u00ad', '\u034f', '\u115f', '\u1160', '\u17b4', '\u17b5', ...range(0x180b, 0x180f), ...range(0x200b, 0x200d), ...range(0x2060, 0x2065),
    '\u2800', '\u3164', ...range(0xfe00, 0xfe0f), '\ufeff', '\uffa0', '\u{1bca0}', '\u{1d159}', ...range(0x1d173, 0x1d17a),
    ...range(0xe0000, 0xe007f), ...range(0xe0100, 0xe01ef), '\u{e0fff}', tags('ignore all'), '\ufe00\ufe01'.repeat(40), '\u200b\u200c'.repeat(40),
  ], codes, (hidden) => {
    for (const shown of views) expect(shown(`a${hidden}b`)).toBe(`a${codes(hidden)}b`);
  });
});

it('characters that act on other text are shown as escapes', async () => {
  await everyRow([...range(0x202a, 0x202e), ...range(0x2066, 0x206f), ...range(0xfff9, 0xfffb)], codes, (hidden) => {
    for (const shown of views) expect(shown(`a${hidden}b`)).toBe(`a\\u${hidden.charCodeAt(0).toString(16)}b`);
  });
});

const flag = (region: string) => `🏴${tags(region)}\u{e007f}`;

it('characters that a text needs stay as they are', async () => {
  await everyRow([
    '👩‍👩‍👧', '❤️', '❤️‍🔥', flag('gbeng'), flag('gbsct'), flag('gbwls'), '👍🏽', '🧑🏽‍🚀', '👨‍🦰', '🏳️‍🌈', '1️⃣', '☺︎',
    'می‌خواهم', 'خانه‌ها', 'مِ\u200cی', 'क्‍ष', 'ക്‍', 'നി‍ര്', 'නි‍ර්', 'ক্‌ত', 'ክ', 'ߒ\u200dߓ', '𞤀\u200d𞤁', 'ᮃ\u200cᮄ', 'ᠠ\u180b', 'ᠨ\u180eᠠ',
    '葛\u{e0100}城', '⠃⠗⠁⠊⠇⠇⠑⠀⠞⠑⠭⠞',
  ], String, (text) => {
    for (const shown of views) expect(shown(`a ${text} b`)).toBe(`a ${text} b`);
  });
});

it('what looks like one of these is shown if it hides more', async () => {
  await everyRow([
    ['🏴', tags('ignore all previous')], ['🏴', tags('igno')], ['🏴', `${tags('igno')}\u{e007f}`], ['🏴', `${tags('gbxxx')}\u{e007f}`], ['', tags('gbeng')],
    ['❤️', '\ufe0f\ufe0f'], ['❤️', '\u200d'], ['❤', '\ufe01'], ['1', '\ufe0f'], ['#', '\ufe0e'], ['می', '\u200c\u200c\u200d'], ['می', '\u200c'],
    ['', '\u200cمی'], ['क', '\u200d'], ['م', '\u200da'], ['a', '\u200c'], ['葛\u{e0100}', '\u{e0101}'], ['ᠠ', '\u180e'],
    ['⠃', '\u2800'], ['', '\u2800'.repeat(9)], ['@ada', '\u2060'], ['a', '\u200d👩'],
  ], ([text, hidden]) => text + codes(hidden!), ([text, hidden]) => {
    const first = String.fromCodePoint(hidden!.codePointAt(0)!);
    expect(plainText(`${text!}${hidden!}`).startsWith(`${text!}${codes(first)}`)).toBe(true);
  });
  expect(plainText('葛\u{e0100}城\u{e0101}')).toBe('葛<U+E0100>城<U+E0101>');
});

it('mentions and commands that are disabled look as before', () => {
  const text = neutralText('@ada and #12, !3, &4, ~bug, %v1, acme/app#7\n\n/close\n\n[text](https://a.example) ![x](https://b.example/x.png)');
  expect(text).toContain('\u2060');
  expect(plainText(text)).toBe(text);
});

it('a text of 200,000 such characters is shown without delay', () => {
  expect(plainText('\u200d'.repeat(200_000))).toHaveLength(200_000 * 8);
});
