import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { triagePage } from '../../../../src/cli/notes/triage/page.js';
import { said, firstState } from '../../../../src/cli/notes/triage/state.js';
import { widthOf } from '../../../../src/cli/terminal/io/width.js';
import type { Display } from '../../../../src/cli/terminal/output/view.js';
import { runsOf } from '../../../support/extent.js';
import { noteOf, pressed, threadWith, triageState } from '../../../support/triage.js';

const display = (columns: number): Display =>
  ({ isTerminal: true, now: new Date('2024-05-01T12:00:00Z'), columns, colors: 0, links: false, web: null });
const pageAt = (state: Parameters<typeof triagePage>[0], columns: number, rows: number, scroll: number | null = 0) =>
  triagePage(state, 'mr/1', display(columns), { columns, rows }, scroll);

describe('the page of a triage', () => {
  it('fits the terminal and is escaped, whatever the notes and the user wrote', async () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\x1b[2J', '\u202e', '界'.repeat(60), '\t\t', '```\ncode\n```', 'a'.repeat(200)));
    const size = fc.record({ columns: fc.integer({ min: 40, max: 140 }), rows: fc.integer({ min: 3, max: 30 }), scroll: fc.option(fc.nat(50)) });
    await fc.assert(fc.asyncProperty(fc.array(text), fc.array(text), size, async (notes, typed, { columns, rows, scroll }) => {
      const start = firstState([threadWith('a', ...[noteOf(1, 'one'), ...notes.map((body, i) => noteOf(i + 2, body))])], 1);
      const [state] = pressed(start, 'r', ...typed.map((one) => `:${one}`), 'left');
      const page = await pageAt(said(state, notes.join(), true), columns, rows, scroll);
      expect(page.lines.length).toBeLessThanOrEqual(rows);
      for (const line of page.lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
      expect(page.lines.join('')).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(page.cursor![0]).toBeLessThan(rows);
    }), { numRuns: runsOf(60) });
  });

  it('puts the cursor where the text is typed', async () => {
    const [state] = pressed(triageState(), 'r', ':one\ntwo', 'left');
    const page = await pageAt(state, 40, 20);
    const [row, column] = page.cursor!;
    expect([page.lines.slice(row - 1), column]).toEqual([['Reply: one ', 'two '], 2]);
  });

  it('scrolls, and says that there is more', async () => {
    const long = firstState([threadWith('a', noteOf(1, Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n\n')))], 1);
    const [first, last] = [await pageAt(long, 40, 10), await pageAt(long, 40, 10, null)];
    expect(first.lines.at(-2)).toBe('Space shows more');
    expect([last.lines.at(-3), last.lines.at(-2)]).toEqual(['  line 29', '']);
  });

  it('shows fewer keys on a narrow terminal, and always those for help and the end', async () => {
    const hints = async (columns: number) => (await pageAt(triageState(), columns, 20)).lines.at(-1);
    expect(await hints(40)).toBe('r reply  R reply+resolve  ? help  q quit');
    expect(await hints(140)).toContain('g go to  ? help  q quit');
  });
});
