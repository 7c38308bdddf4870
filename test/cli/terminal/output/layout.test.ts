import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../../../src/cli/terminal/output/table.js';

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
