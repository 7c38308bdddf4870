import { expect, it } from 'vitest';
import { type Item, listItems, textLines, resultPart, placeIn } from '../../../../src/cli/agents/results.js';
import { everyRow } from '../../../support/rows.js';

/** All parts, one after another. */
const partsOf = (items: readonly Item[], limit: number): readonly string[] => {
  const texts: string[] = [];
  for (let next: string | null | undefined; next !== null;) {
    const part = resultPart(items, placeIn(items, next)!, limit);
    texts.push(part.text);
    next = part.next;
  }
  return texts;
};

const textsOf = (items: readonly Item[]) => items.map(({ text }) => text);

it('an item begins with a line that is not indented', () => {
  expect(textsOf(listItems('a open\n  ada: one\n    two\nb resolved\n  bob: x\n'))).toEqual(['a open\n  ada: one\n    two', 'b resolved\n  bob: x']);
  expect([listItems(''), listItems('\n'), textLines('')]).toEqual([[], [], []]);
  expect(textsOf(textLines('a\n  b\n'))).toEqual(['a', '  b']);
});

it('parts together are the whole, in order, for every limit', () => {
  const output = Array.from({ length: 23 }, (_, i) => `${i} item`).join('\n');
  for (const limit of [1, 2, 7, 22, 23, 24]) {
    for (const items of [listItems(output), textLines(output)]) expect(partsOf(items, limit).join('\n')).toBe(output);
  }
});

it('a part begins after the item that ended the last one, which may change but not go', () => {
  const { next } = resultPart(listItems('a open\nb open\nc open'), { item: 0, at: 0 }, 2);
  expect(placeIn(listItems('b resolved\nc open'), next!)).toEqual({ item: 1, at: 0 });
  expect(placeIn(listItems('a open\nc open'), next!)).toBeNull();
});

it('lines have a next part as long as those before it stay', () => {
  const { next } = resultPart(textLines('a\nb\nb\nc'), { item: 0, at: 0 }, 2);
  expect(placeIn(textLines('a\nb\nb\nnew'), next!)).toEqual({ item: 2, at: 0 });
  expect(placeIn(textLines('b\na\nb\nc'), next!)).toBeNull();
});

it('a part ends before it gets too long', () => {
  const items = ['x', 'y'].map((key) => ({ key, text: key.repeat(15_000) }));
  expect(resultPart(items, { item: 0, at: 0 }, 3)).toEqual({ text: items[0]!.text, next: 'x' });
  expect(resultPart(items, { item: 1, at: 0 }, 3)).toEqual({ text: items[1]!.text, next: null });
});

it('an item that is too long by itself has several parts, which begin with its id and are indented', async () => {
  const notes = (count: number, text: string) => Array.from({ length: count }, (_, i) => `  ada: ${i} ${text}`).join('\n');
  await everyRow([
    ['91 notes', `76a4184c open\n${notes(91, 'x'.repeat(300))}`], ['one long line', `76a4184c open\n  ada: ${'word '.repeat(20_000)}end`],
    ['pairs of surrogates', `76a4184c open\n  ada: a${'😀'.repeat(30_000)}`], ['a note of many lines', `301 ada: ${'text\n    '.repeat(9_000)}end`],
  ], ([name]) => name!, ([, item]) => {
    const parts = partsOf(listItems(`${item!}\nnext item`), 20);
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
