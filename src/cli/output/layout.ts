import type { Column } from './view.js';

/** Which columns of a table are shown, by their places, and how wide each of them is. */
export interface Layout {
  readonly shown: readonly number[];
  readonly wide: readonly number[];
}

/** Columns between two cells. */
export const gap = 2;

/** To this the last column, which says most, is cut where the others take all the room. */
const leastOfLast = 12;

/**
 * Fits columns into the width of a terminal. What can be cut is cut, the last column first; before that says nothing
 * any more, columns that can be spared are left out.
 * @param natural how wide each column would be
 */
export const layoutOf = (
  natural: readonly number[], columns: readonly Pick<Column<never>, 'least' | 'spare'>[], room: number,
): Layout => {
  const last = columns.length - 1;
  const least = (i: number): number => Math.min(natural[i]!, columns[i]!.least ?? natural[i]!);
  const hardest = (i: number): number => Math.min(least(i), i === last ? leastOfLast : Infinity);
  let shown = columns.map((_, i) => i);
  for (const i of spared(columns)) {
    if (over(shown.map(hardest), room) <= 0) break;
    shown = shown.filter((other) => other !== i);
  }
  const wide = cut(shown.map((i) => natural[i]!), shown.map(least), room);
  return { shown, wide: cut(wide, shown.map((i, at) => Math.min(hardest(i), wide[at]!)), room) };
};

const spared = (columns: readonly Pick<Column<never>, 'spare'>[]): number[] => columns
  .flatMap(({ spare }, i) => spare === undefined ? [] : [{ spare, i }])
  .toSorted((a, b) => a.spare - b.spare).map(({ i }) => i);

const over = (wide: readonly number[], room: number): number =>
  wide.reduce((sum, width) => sum + width + gap, -gap) - room;

const cut = (wide: readonly number[], least: readonly number[], room: number): number[] => {
  let left = over(wide, room);
  return wide.toReversed().map((width, i) => {
    const less = Math.max(0, Math.min(left, width - least[least.length - 1 - i]!));
    left -= less;
    return width - less;
  }).toReversed();
};
