import { asText } from '../../../text/plain.js';
import { linked, painter, safeAddress, type Paint, type Tone } from '../io/style.js';
import { isNarrow, shortened, shortenedAtStart, visible, widthOf } from '../io/width.js';
import { plainCell, type Column, type Display, type View } from './view.js';

interface Cell {
  readonly text: string;
  readonly tone: Tone | null;
  readonly link: string | null;
}

export type Row = readonly Cell[];

export const recordRow = <T>(record: T, { columns }: View<T>, display: Display): Row => columns.map((column) => {
  const link = display.links ? column.link?.(record, display) ?? null : null;
  return {
    text: plainCell(column, visible(asText(column.cell(record, display)), display.columns)),
    tone: column.tone?.(record) ?? null,
    link: link === null ? null : safeAddress(link),
  };
});

/** cli-table3 takes more than linear time and pads every row to the longest, so larger tables are aligned here. */
const maxRowsForLibrary = 100;
const maxTextForLibrary = 500;

/** Formats rows as an aligned table with a header, shortened to the width of the terminal. */
export const tableText = async <T>(rows: readonly Row[], { columns }: View<T>, display: Display): Promise<string> => {
  const header = columns.map(({ name }): Cell => ({ text: name.toUpperCase(), tone: 'strong', link: null }));
  const all = [header, ...rows];
  const layout = layoutOf(widthsOf(all), columns, display.columns);
  const fitted = shortenedRows(layout, columns, all);
  const paint = await painter(display.colors);
  return isForLibrary(fitted) ? withLibrary(fitted, paint) : aligned(fitted, paint);
};

/** cli-table3 measures characters by an older Unicode version and does not support links. */
const isForLibrary = (rows: readonly Row[]): boolean =>
  rows.length <= maxRowsForLibrary
    && rows.every((row) => row.every(({ text, link }) =>
      link === null && text.length <= maxTextForLibrary && isNarrow(text)));

const shortenedRows = <T>({ shown, widths }: Layout, columns: readonly Column<T>[], rows: readonly Row[]): Row[] =>
  rows.map((row) => shown.map((i, at) => {
    const cell = row[i]!;
    const text = (columns[i]!.keep === 'end' ? shortenedAtStart : shortened)(cell.text, widths[at]!);
    return text === cell.text ? cell : { ...cell, text };
  }));

const withLibrary = async (rows: readonly Row[], paint: Paint): Promise<string> => {
  const { default: Table } = await import('cli-table3');
  const chars = Object.fromEntries(sides.map((side) => [side, '']));
  const table = new Table({ chars, style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [] } });
  table.push(...rows.map((row) => row.map(({ tone, text }) => paint(tone, text))));
  return `${table.toString().replace(/(?<! ) +$/gm, '')}\n`;
};

const sides = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left',
  'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'];

const aligned = (rows: readonly Row[], paint: Paint): string => {
  const widths = widthsOf(rows);
  return rows.map((row) => {
    const last = row.findLastIndex(({ text }) => text !== '');
    return `${row.slice(0, last + 1).map((cell, i) =>
      styled(cell, paint) + (i < last ? ' '.repeat(widths[i]! + gap - widthOf(cell.text)) : '')).join('')}\n`;
  }).join('');
};

const styled = ({ text, tone, link }: Cell, paint: Paint): string => {
  const painted = paint(tone, text);
  return link === null || text === '' ? painted : linked(painted, link);
};

const widthsOf = (rows: readonly Row[]): number[] =>
  rows[0]!.map((_, i) => rows.reduce((widest, row) => Math.max(widest, widthOf(row[i]!.text)), 0));

interface Layout {
  readonly shown: readonly number[];
  readonly widths: readonly number[];
}

const gap = 2;

const minOfLast = 12;

/** Shortens columns, the last one first, and hides optional ones if that is not enough. @param natural full widths */
export const layoutOf = (
  natural: readonly number[], columns: readonly Pick<Column<never>, 'minWidth' | 'hideOrder'>[], room: number,
): Layout => {
  const last = columns.length - 1;
  const preferred = (i: number): number => Math.min(natural[i]!, columns[i]!.minWidth ?? natural[i]!);
  const minimum = (i: number): number => Math.min(preferred(i), i === last ? minOfLast : Infinity);
  let shown = columns.map((_, i) => i);
  for (const i of optionalColumns(columns)) {
    if (excess(shown.map(minimum), room) <= 0) break;
    shown = shown.filter((other) => other !== i);
  }
  const widths = reduced(shown.map((i) => natural[i]!), shown.map(preferred), room);
  return { shown, widths: reduced(widths, shown.map((i, at) => Math.min(minimum(i), widths[at]!)), room) };
};

const optionalColumns = (columns: readonly Pick<Column<never>, 'hideOrder'>[]): number[] => columns
  .flatMap(({ hideOrder }, i) => hideOrder === undefined ? [] : [{ hideOrder, i }])
  .toSorted((a, b) => a.hideOrder - b.hideOrder).map(({ i }) => i);

const excess = (widths: readonly number[], room: number): number =>
  widths.reduce((sum, width) => sum + width + gap, -gap) - room;

const reduced = (widths: readonly number[], minimums: readonly number[], room: number): number[] => {
  let remaining = excess(widths, room);
  return widths.toReversed().map((width, i) => {
    const reduction = Math.max(0, Math.min(remaining, width - minimums[minimums.length - 1 - i]!));
    remaining -= reduction;
    return width - reduction;
  }).toReversed();
};
