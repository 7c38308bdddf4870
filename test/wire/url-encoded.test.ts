import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeForm, encodeForm } from '../../src/wire/forms.js';
import { memoryHeld } from '../support/memory.js';

describe('url-encoded text', () => {
  it('escapes the plus sign of an offset', () => {
    expect(encodeForm({ created_at: '2020-01-01T00:00:00+02:00' })).toBe('created_at=2020-01-01T00%3A00%3A00%2B02%3A00');
  });

  it('is decoded without change', () => {
    const part = fc.string({ unit: 'binary' });
    fc.assert(fc.property(fc.dictionary(part.filter((name) => !/[[\]]/.test(name)), part), (params) => {
      expect(Object.fromEntries(decodeForm(encodeForm(params)))).toEqual(params);
    }));
  });

  it('is decoded as by URLSearchParams', () => {
    const piece = fc.constantFrom('a', '=', '&', '+', '%', '%2', '%2B', '%2b', '%26', '%3D', '%zz', '%ff', '%00', '%D0%96', '%F0%9F%98%80',
      '%ED%A0%80', '?', '#');
    fc.assert(fc.property(fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')), (text) => {
      expect([...decodeForm(text)]).toEqual([...new URLSearchParams(`&${text}`)]);
    }), { numRuns: 2_000 });
  });

  it.each([
    ['Ж%ff+%', 'Ж\ufffd %'], ['%E2%82', '\ufffd'], ['\ud800', '\ufffd'], ['\ud800+', '\ufffd '], ['%', '%'], ['%4', '%4'], ['%%41', '%A'], ['%4%41', '%4A'],
  ])('keeps invalid escapes, and replaces invalid text: %j', (text, expected) => {
    expect([...decodeForm(`a=${text}`)]).toEqual([['a', expected]]);
  });

  it.each(['+', '%', '%41', '%ff', 'x'])('takes memory in proportion to its length: %s', (piece) => {
    const text = `a=${piece.repeat(3_000_000 / piece.length)}`;
    const before = memoryHeld().heap;
    const [pair] = decodeForm(text);
    expect(memoryHeld().heap - before).toBeLessThan(4 * text.length);
    expect(pair![1].length).toBeGreaterThan(0);
  });
});
