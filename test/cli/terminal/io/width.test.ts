import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { foldedLines, isNarrow, shortened, shortenedAtStart, visible, widthOf, wrapWords } from '../../../../src/cli/terminal/io/width.js';

const some = fc.constantFrom('a', 'ß', '漢', '🙂', '👩‍👩‍👧', 'é', 'े', '…', ' ');
const characters = fc.string({ unit: fc.oneof(some, fc.string({ unit: 'grapheme', maxLength: 1 })) });

describe('the width of a text', () => {
  it('is the width that string-width computes', () => {
    fc.assert(fc.property(characters.filter((text) => !/[\u0e33\u0eb3]/.test(text)), (text) => { expect(widthOf(text)).toBe(stringWidth(text)); }));
    for (let code = 0x20; code < 0x3000; code++) {
      const character = String.fromCodePoint(code);
      if (isNarrow(character)) expect([character, stringWidth(character)]).toEqual([character, 1]);
    }
  });
});

describe('a text in Thai or Lao', () => {
  const thai = 'ทำงานน้ำทำไมจำนำกำลังทำ'.repeat(8);
  const spacing = (text: string) => text.replaceAll(/\p{Mn}/gu, '').length;

  it.each(['ำ', 'กำ', 'น้ำ', ' ำ', 'ກຳ', 'ນໍ້າຄຳ', thai])('has one column for each character that is not above or below another: %s', (text) => {
    expect(widthOf(text)).toBe(spacing(text));
  });

  it('is cut and folded between characters, within the limit, and keeps its colors', () => {
    for (const width of [9, 10, 11]) {
      const lines = foldedLines(thai, width);
      expect(lines.join('')).toBe(thai);
      for (const line of lines) expect([spacing(line) <= width, /^ำ/.test(line)]).toEqual([true, false]);
      expect(foldedLines(`\x1b[31m${thai}\x1b[39m`, width)).toEqual(lines.map((line) => `\x1b[31m${line}\x1b[39m`));
      expect([spacing(shortened(thai, width)) <= width, spacing(shortenedAtStart(thai, width)) <= width]).toEqual([true, true]);
    }
  });

  it('is wrapped between words', () => {
    const lines = wrapWords('กำลังทำ '.repeat(20), 30).split('\n');
    expect(lines.map(spacing)).toEqual(Array(lines.length).fill(expect.toSatisfy((width: number) => width <= 30)));
    expect(lines.join(' ')).toBe('กำลังทำ '.repeat(20).trim());
  });
});

describe('a truncated text', () => {
  it('is never wider than the limit, is well formed, and shows that it was cut', () => {
    fc.assert(fc.property(characters, fc.integer({ min: 2, max: 30 }), (text, room) => {
      for (const short of [shortened(text, room), shortenedAtStart(text, room)]) {
        expect(widthOf(short)).toBeLessThanOrEqual(room);
        expect(short === text || short.includes('…')).toBe(true);
        expect(short.isWellFormed()).toBe(text.isWellFormed());
      }
    }));
  });

  it('keeps its start, or its end', () => {
    expect([shortened('src/delivery/send.ts:13', 12), shortenedAtStart('src/delivery/send.ts:13', 12)]).toEqual(['src/deliver…', '…/send.ts:13']);
    expect(shortened('漢字漢字漢字', 6)).toBe('漢字…');
    expect(shortenedAtStart('漢字漢字漢字', 6)).toBe('…漢字');
    expect(shortened('short', 20)).toBe('short');
  });
});

it('keeps as much of a long text as is visible', () => {
  const text = `${'x'.repeat(200_000)}`;
  expect(visible(text, 80).length).toBeLessThan(2_000);
  expect(visible('🙂'.repeat(100_000), 81).isWellFormed()).toBe(true);
  expect(shortened(visible(text, 80), 80)).toBe(shortened(text, 80));
});
