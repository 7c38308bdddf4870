import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appended, fitted } from '../../../../../src/cli/notes/upsert/plan.js';
import { bodyLimit } from '../../../../../src/contract/conventions.js';
import { countCharacters, withMarker } from '../../../../../src/wire/note-text.js';
import { runsOf } from '../../../../support/extent.js';

const marker = { key: 'lint' };
const long = (line: string) => `${line}\n`.repeat(Math.ceil(bodyLimit / (line.length + 1)) + 10);
const first = (text: string) => text.split('\n')[0];

describe('a text that fits into a note', () => {
  it('stays as it is, up to the limit with its marker', () => {
    const longest = 'x'.repeat(bodyLimit - (withMarker('x', marker).length - 1));
    expect(fitted(longest, marker, 'error')).toBe(longest);
    expect(() => fitted(`${longest}x`, marker, 'error')).toThrow('the limit is');
  });

  it('has as many characters as the service counts: an emoji is one of them', () => {
    const longest = '\u{1f600}'.repeat(bodyLimit - (withMarker('x', marker).length - 1));
    expect(fitted(longest, marker, 'error')).toBe(longest);
    expect(() => fitted(`${longest}x`, marker, 'error')).toThrow('the text has 999,');
    for (const part of ['start', 'end'] as const) {
      const cut = fitted(`${longest}\u{1f600}`, marker, 'cut', part);
      expect([cut.isWellFormed(), countCharacters(withMarker(cut, marker))]).toEqual([true, bodyLimit]);
    }
  });

  it('loses markers that it contains', () => {
    expect(fitted('a <!-- colloquy:key=other --> b', marker, 'error')).not.toContain('<!-- colloquy:');
  });
});

describe('a text that is too long', () => {
  it('is an error with both lengths, if wanted', () => {
    expect(() => fitted('x'.repeat(bodyLimit + 5), marker, 'error')).toThrow(expect.objectContaining({
      code: 'rejected', hint: 'shorten it, or use --overflow cut',
      message: expect.stringMatching(/^the text has 1,000,005 characters; the limit is 999,\d{3}$/) as string }) as Error);
  });

  it('is cut after a whole line, and says so at its start', () => {
    const text = fitted(long('0123456789'), marker, 'cut');
    expect(first(text)).toMatch(/^_The text was cut: it has [\d,]+ characters, and the limit is [\d,]+\._$/);
    expect(text).toMatch(/\n0123456789$/);
  });

  it('loses its start instead, after a whole line, where the end is wanted', () => {
    const text = fitted(`oldest\n${long('0123456789')}newest`, marker, 'cut', 'end');
    expect(first(text)).toBe('_Earlier text was removed: the comment reached the maximum length._');
    expect(text).toMatch(/_\n\n0123456789\n/);
    expect(text).toMatch(/\nnewest$/);
    expect(text).not.toContain('oldest');
  });

  it.each(['start', 'end'] as const)('fits with its marker and has no half characters, whatever it is (%s)', (part) => {
    fc.assert(fc.property(fc.constantFrom('😀', 'a😀', 'ab\n', 'x', `${'y'.repeat(600_000)}\n`), fc.nat(3), (unit, more) => {
      const given = 'z'.repeat(more) + unit.repeat(Math.ceil(bodyLimit / countCharacters(unit)) + 1);
      const text = fitted(given, marker, 'cut', part);
      expect(countCharacters(withMarker(text, marker))).toBeLessThanOrEqual(bodyLimit);
      expect(countCharacters(text)).toBeGreaterThan(bodyLimit / 2 - 1_000);
      expect(text.isWellFormed()).toBe(true);
    }), { numRuns: runsOf(12) });
  });
});

it('an appended text is a paragraph of its own', () => {
  expect(appended('One.\n\n', 'Two.')).toBe('One.\n\nTwo.');
  expect(appended(' \n', 'Two.')).toBe('Two.');
});
