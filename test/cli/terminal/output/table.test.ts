import { Type } from '@sinclair/typebox';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { shortened } from '../../../../src/cli/terminal/io/width.js';
import { recordRow, tableText, layoutOf } from '../../../../src/cli/terminal/output/table.js';
import type { Display, View } from '../../../../src/cli/terminal/output/view.js';

const view: View<string> = {
  columns: [{ name: 'n', cell: (text) => text.slice(0, 2) }, { name: 'text', cell: (text) => text }, { name: 'end', cell: () => 'x' }],
  id: (text) => text, shape: Type.Object({}), emptyText: 'none',
};

const place: Display = { isTerminal: true, now: new Date(0), columns: 60, colors: 0, links: false, web: null };
const table = (texts: readonly string[], settings: Partial<Display> = {}, shown = view) => {
  const at = { ...place, ...settings };
  return tableText(texts.map((text) => recordRow(text, shown, at)), shown, at);
};

const where = (line: string) => stringWidth(line.slice(0, line.lastIndexOf('x')));

describe('a table', () => {
  const texts = ['ab', '漢字', 'é́', '🙂 smile', '👩‍👩‍👧 family'];

  it.each([['short', texts], ['long', Array.from({ length: 30 }, () => texts).flat()]])('that is %s stays aligned', async (_, rows) => {
    const lines = (await table(rows)).trimEnd().split('\n').slice(1);
    expect(lines).toHaveLength(rows.length);
    expect(new Set(lines.map(where)).size).toBe(1);
  });

  it('escapes control characters and prints one line per record', async () => {
    const text = await table(['a\x1b[31m\nb\tc\u202e']);
    expect(text.split('\n')).toHaveLength(3);
    expect(text).toContain('a\\u001b[31m b c\\u202e');
  });

  it('colors its header if colors are enabled', async () => {
    expect((await table(['a'], { colors: 1 })).split('\n')[0]).toContain('\x1b[1m');
    expect((await table(['a'])).includes('\x1b')).toBe(false);
  });

  it('cuts the last column to fit the terminal', async () => {
    const [number, text_] = view.columns;
    const text = await table(['y'.repeat(500)], {}, { ...view, columns: [number!, { ...text_!, minWidth: 20 }] });
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(60);
    expect(text).toContain('y…');
  });
});

describe('a truncated text', () => {
  it('is cut between characters and never wider than the limit', () => {
    expect(shortened('漢字漢字漢字', 6)).toBe('漢字…');
    expect(shortened('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 5)).toBe('👩‍👩‍👧👩‍👩‍👧…');
    expect(shortened('short', 20)).toBe('short');
  });
});

const threads = [{}, {}, { minWidth: 8 }, { minWidth: 8, hideOrder: 2 }, { hideOrder: 1 }, { minWidth: 12 }, { minWidth: 20 }];
const natural = [8, 8, 10, 12, 5, 30, 200];

const total = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + 2, -2);

describe('columns on a terminal', () => {
  it('have their full width if the terminal is wide enough', () => {
    expect(layoutOf(natural, threads, 300)).toEqual({ shown: [0, 1, 2, 3, 4, 5, 6], widths: natural });
  });

  it('are shortened to their minimum width, the last one first', () => {
    expect(layoutOf(natural, threads, 100)).toEqual({ shown: [0, 1, 2, 3, 4, 5, 6], widths: [8, 8, 10, 12, 5, 25, 20] });
  });

  it('are hidden in their hide order if the terminal is too narrow', () => {
    expect(layoutOf(natural, threads, 70)).toEqual({ shown: [0, 1, 2, 3, 5, 6], widths: [8, 8, 8, 8, 12, 16] });
    expect(layoutOf(natural, threads, 60)).toEqual({ shown: [0, 1, 2, 5, 6], widths: [8, 8, 8, 12, 16] });
  });

  it('fit the terminal if their minimum widths do, and are never widened', () => {
    fc.assert(fc.property(fc.array(fc.nat(60), { minLength: 7, maxLength: 7 }), fc.integer({ min: 20, max: 200 }), (widths, room) => {
      const layout = layoutOf(widths, threads, room);
      layout.widths.forEach((width, i) => expect(width).toBeLessThanOrEqual(widths[layout.shown[i]!]!));
      const minimums = [0, 1, 2, 5, 6].map((i) => Math.min(widths[i]!, [widths[0]!, widths[1]!, 8, 0, 0, 12, 12][i]!));
      if (total(minimums) <= room) expect(total(layout.widths)).toBeLessThanOrEqual(room);
    }));
  });
});
