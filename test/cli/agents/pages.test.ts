import { expect, it } from 'vitest';
import { itemsOf, linesOf, partOf } from '../../../src/cli/agents/pages.js';

it('an item begins with a line that is not indented', () => {
  expect(itemsOf('a open\n  ada: one\n    two\nb resolved\n  bob: x\n')).toEqual(['a open\n  ada: one\n    two', 'b resolved\n  bob: x']);
  expect([itemsOf(''), itemsOf('\n'), linesOf('')]).toEqual([[], [], []]);
  expect(linesOf('a\n  b\n')).toEqual(['a', '  b']);
});

it('parts together are the whole, in order, for every limit', () => {
  const items = Array.from({ length: 23 }, (_, i) => `item ${i}`);
  for (const limit of [1, 2, 7, 22, 23, 24]) {
    const texts: string[] = [];
    for (let next: number | null = 0; next !== null;) {
      const part = partOf(items, next, limit);
      texts.push(part.text);
      next = part.next;
    }
    expect(texts.join('\n')).toBe(items.join('\n'));
  }
  expect(partOf(items, 100, 5)).toEqual({ text: '', next: null });
});

it('a part ends before it gets too long, and an item that is too long by itself is cut', () => {
  const items = ['x'.repeat(15_000), 'y'.repeat(15_000), 'z'.repeat(30_000)];
  expect(partOf(items, 0, 3)).toEqual({ text: items[0], next: 1 });
  expect(partOf(items, 1, 3)).toEqual({ text: items[1], next: 2 });
  expect(partOf(items, 2, 3)).toEqual({ text: `${'z'.repeat(20_000)}\n  (10000 more characters)`, next: null });
});
