import { asText, plainLine } from '../plain.js';
import { linked, safeAddress } from '../terminal/links.js';
import { painter, type Paint, type Tone } from '../terminal/tones.js';
import { isNarrow, shortened, shortenedAtStart, visible, widthOf } from '../terminal/width.js';
import { gap, layoutOf, type Layout } from './layout.js';
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
const mostForLibrary = 100;

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
  rows.length <= mostForLibrary && rows.every((row) => row.every(({ text, link }) => link === null && isNarrow(text)));

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
      dressed(cell, paint) + (i < last ? ' '.repeat(wide[i]! + gap - widthOf(cell.text)) : '')).join('')}\n`;
  }).join('');
};

const dressed = ({ text, tone, link }: Cell, paint: Paint): string => {
  const painted = paint(tone, text);
  return link === null || text === '' ? painted : linked(painted, link);
};

const widths = (rows: readonly Row[]): number[] =>
  rows[0]!.map((_, i) => rows.reduce((most, row) => Math.max(most, widthOf(row[i]!.text)), 0));
