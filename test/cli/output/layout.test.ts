import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../../src/cli/output/table.js';

const threads = [{}, {}, { least: 8 }, { least: 8, spare: 2 }, { spare: 1 }, { least: 12 }, { least: 20 }];
const natural = [8, 8, 10, 12, 5, 30, 200];

const total = (wide: readonly number[]): number => wide.reduce((sum, width) => sum + width + 2, -2);

describe('columns on a terminal', () => {
  it('keep their natural width if there is room', () => {
    expect(layoutOf(natural, threads, 300)).toEqual({ shown: [0, 1, 2, 3, 4, 5, 6], wide: natural });
  });

  it('are cut from the last one, each down to its minimum', () => {
    expect(layoutOf(natural, threads, 100)).toEqual({ shown: [0, 1, 2, 3, 4, 5, 6], wide: [8, 8, 10, 12, 5, 25, 20] });
  });

  it('are dropped on a narrow terminal, the least important ones first', () => {
    expect(layoutOf(natural, threads, 70)).toEqual({ shown: [0, 1, 2, 3, 5, 6], wide: [8, 8, 8, 8, 12, 16] });
    expect(layoutOf(natural, threads, 60)).toEqual({ shown: [0, 1, 2, 5, 6], wide: [8, 8, 8, 12, 16] });
  });

  it('never exceed the terminal if the remaining ones can be cut enough, and are never widened', () => {
    fc.assert(fc.property(fc.array(fc.nat(60), { minLength: 7, maxLength: 7 }), fc.integer({ min: 20, max: 200 }), (wide, room) => {
      const layout = layoutOf(wide, threads, room);
      layout.wide.forEach((width, i) => expect(width).toBeLessThanOrEqual(wide[layout.shown[i]!]!));
      const least = [0, 1, 2, 5, 6].map((i) => Math.min(wide[i]!, [wide[0]!, wide[1]!, 8, 0, 0, 12, 12][i]!));
      if (total(least) <= room) expect(total(layout.wide)).toBeLessThanOrEqual(room);
    }));
  });
});
