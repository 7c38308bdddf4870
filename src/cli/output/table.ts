import { asText, plainLine } from '../io/plain.js';
import { linked, painter, safeAddress, type Paint, type Tone } from '../io/style.js';
import { isNarrow, shortened, shortenedAtStart, visible, widthOf } from '../io/width.js';
import type { Column, Place, View } from './view.js';

/** A cell that is safe on a terminal. */
interface Cell {
  readonly text: string;
  readonly tone: Tone | null;
  readonly link: string | null;
}

/** One row of a table, made of a record that need not be kept. */
export type Row = readonly Cell[];

/** The row of a record. */
export const rowOf = <T>(record: T, { columns }: View<T>, place: Place): Row => columns.map((column) => {
  const link = place.links ? column.link?.(record, place) ?? null : null;
  return {
    text: plainLine(visible(asText(column.cell(record, place)), place.columns)),
    tone: column.tone?.(record) ?? null,
    link: link === null ? null : safeAddress(link),
  };
});

/** cli-table3 takes more than linear time, so longer tables are aligned here alone. */
const maxRowsForLibrary = 100;

/** Rows as an aligned table with a header, cut to the width of the terminal. */
export const tableText = async <T>(rows: readonly Row[], { columns }: View<T>, place: Place): Promise<string> => {
  const header = columns.map(({ name }): Cell => ({ text: name.toUpperCase(), tone: 'strong', link: null }));
  const all = [header, ...rows];
  const layout = layoutOf(widths(all), columns, place.columns);
  const cut = cutTo(layout, columns, all);
  const paint = await painter(place.colors);
  return isForLibrary(cut) ? withLibrary(cut, paint) : aligned(cut, paint);
};

/** The library's measure of characters is an older one, and it knows nothing of links. */
const isForLibrary = (rows: readonly Row[]): boolean =>
  rows.length <= maxRowsForLibrary
    && rows.every((row) => row.every(({ text, link }) => link === null && isNarrow(text)));

const cutTo = <T>({ shown, wide }: Layout, columns: readonly Column<T>[], rows: readonly Row[]): Row[] =>
  rows.map((row) => shown.map((i, at) => {
    const cell = row[i]!;
    const text = (columns[i]!.keeps === 'end' ? shortenedAtStart : shortened)(cell.text, wide[at]!);
    return text === cell.text ? cell : { ...cell, text };
  }));

const withLibrary = async (rows: readonly Row[], paint: Paint): Promise<string> => {
  const { default: Table } = await import('cli-table3');
  const none = Object.fromEntries(sides.map((side) => [side, '']));
  const table = new Table({ chars: none, style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [] } });
  table.push(...rows.map((row) => row.map(({ tone, text }) => paint(tone, text))));
  return `${table.toString().replace(/[ ]+$/gm, '')}\n`;
};

const sides = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left',
  'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'];

const aligned = (rows: readonly Row[], paint: Paint): string => {
  const wide = widths(rows);
  return rows.map((row) => {
    const last = row.findLastIndex(({ text }) => text !== '');
    return `${row.slice(0, last + 1).map((cell, i) =>
      styled(cell, paint) + (i < last ? ' '.repeat(wide[i]! + gap - widthOf(cell.text)) : '')).join('')}\n`;
  }).join('');
};

const styled = ({ text, tone, link }: Cell, paint: Paint): string => {
  const painted = paint(tone, text);
  return link === null || text === '' ? painted : linked(painted, link);
};

const widths = (rows: readonly Row[]): number[] =>
  rows[0]!.map((_, i) => rows.reduce((most, row) => Math.max(most, widthOf(row[i]!.text)), 0));

/** Which columns of a table are shown, by their places, and how wide each of them is. */
export interface Layout {
  readonly shown: readonly number[];
  readonly wide: readonly number[];
}

/** Columns between two cells. */
export const gap = 2;

/** To this the last column, which says most, is cut where the others take all the room. */
const minOfLast = 12;

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
  const hardest = (i: number): number => Math.min(least(i), i === last ? minOfLast : Infinity);
  let shown = columns.map((_, i) => i);
  for (const i of dropOrder(columns)) {
    if (over(shown.map(hardest), room) <= 0) break;
    shown = shown.filter((other) => other !== i);
  }
  const wide = cut(shown.map((i) => natural[i]!), shown.map(least), room);
  return { shown, wide: cut(wide, shown.map((i, at) => Math.min(hardest(i), wide[at]!)), room) };
};

const dropOrder = (columns: readonly Pick<Column<never>, 'spare'>[]): number[] => columns
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
