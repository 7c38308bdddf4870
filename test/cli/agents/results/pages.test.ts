import { expect, it } from 'vitest';
import { listItems, textLines, resultPart, placeAt } from '../../../../src/cli/agents/results.js';
import { everyRow } from '../../../support/rows.js';

/** All parts, one after another. */
const partsOf = (items: readonly string[], limit: number): readonly string[] => {
  const texts: string[] = [];
  for (let next: string | null = '0'; next !== null;) {
    const part = resultPart(items, placeAt(next), limit);
    texts.push(part.text);
    next = part.next;
  }
  return texts;
};

it('an item begins with a line that is not indented', () => {
  expect(listItems('a open\n  ada: one\n    two\nb resolved\n  bob: x\n')).toEqual(['a open\n  ada: one\n    two', 'b resolved\n  bob: x']);
  expect([listItems(''), listItems('\n'), textLines('')]).toEqual([[], [], []]);
  expect(textLines('a\n  b\n')).toEqual(['a', '  b']);
});

it('parts together are the whole, in order, for every limit', () => {
  const items = Array.from({ length: 23 }, (_, i) => `item ${i}`);
  for (const limit of [1, 2, 7, 22, 23, 24]) expect(partsOf(items, limit).join('\n')).toBe(items.join('\n'));
  expect(resultPart(items, placeAt('100'), 5)).toEqual({ text: '', next: null });
});

it('a part ends before it gets too long', () => {
  const items = ['x'.repeat(15_000), 'y'.repeat(15_000)];
  expect(resultPart(items, placeAt('0'), 3)).toEqual({ text: items[0], next: '1' });
  expect(resultPart(items, placeAt('1'), 3)).toEqual({ text: items[1], next: null });
});

it('an item that is too long by itself has several parts, which begin with its id and are indented', async () => {
  const notes = (count: number, text: string) => Array.from({ length: count }, (_, i) => `  ada: ${i} ${text}`).join('\n');
  await everyRow([
    ['91 notes', `76a4184c open\n${notes(91, 'x'.repeat(300))}`], ['one long line', `76a4184c open\n  ada: ${'word '.repeat(20_000)}end`],
    ['pairs of surrogates', `76a4184c open\n  ada: a${'😀'.repeat(30_000)}`], ['a note of many lines', `301 ada: ${'text\n    '.repeat(9_000)}end`],
  ], ([name]) => name!, ([, item]) => {
    const parts = partsOf([item!, 'next item'], 20);
    expect(parts.length).toBeGreaterThan(1);
    const id = item!.split(' ')[0]!;
    for (const part of parts.slice(1)) expect(part).toMatch(new RegExp(`^${id} \\(continued\\)\n {2}`));
    for (const part of parts) {
      const atMargin = part.split('\n').slice(1).filter((line) => !/^ |^next item$/.test(line));
      expect([part.length < 20_200, part.isWellFormed(), atMargin]).toEqual([true, true, []]);
    }
    const whole = parts.join('\n').replace(/\n {2}\(\d+ more characters?\)\n\S+ \(continued\)\n(?: {4}(?! ))?/g, '\n');
    expect(whole.replace(/\s/g, '')).toBe(`${item!}next item`.replace(/\s/g, ''));
  });
});
