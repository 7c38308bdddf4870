import { Type } from '@sinclair/typebox';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { shortened } from '../../../../src/cli/terminal/io/width.js';
import { rowOf, tableText } from '../../../../src/cli/terminal/output/table.js';
import type { Display, View } from '../../../../src/cli/terminal/output/view.js';

const view: View<string> = {
  columns: [{ name: 'n', cell: (text) => text.slice(0, 2) }, { name: 'text', cell: (text) => text }, { name: 'end', cell: () => 'x' }],
  id: (text) => text, shape: Type.Object({}), emptyText: 'none',
};

const place: Display = { isTerminal: true, now: new Date(0), columns: 60, colors: 0, links: false, web: null };
const table = (texts: readonly string[], settings: Partial<Display> = {}, shown = view) => {
  const at = { ...place, ...settings };
  return tableText(texts.map((text) => rowOf(text, shown, at)), shown, at);
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
