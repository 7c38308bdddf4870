import stringWidth from 'string-width';
import type { Output } from '../app.js';
import { plainLine } from '../plain.js';
import type { Place, View } from './view.js';

/** cli-table3 takes more than linear time, so longer tables are aligned here alone. */
const mostForLibrary = 100;

/** Records as an aligned table with a header, the last column cut to the width of the terminal. */
export const tableText = async <T>(
  records: readonly T[], view: View<T>, place: Place, out: Output,
): Promise<string> => {
  const header = view.columns.map((column) => column.name.toUpperCase());
  const rows = records.map((record) => view.columns.map((column) => plainLine(column.cell(record, place))));
  const cut = cutToWidth([header, ...rows], out.columns);
  const [bold, ...rest] = cut as [string[], ...string[][]];
  const { Chalk } = await import('chalk');
  const painted = bold.map((name) => new Chalk({ level: out.colors }).bold(name));
  return rest.length <= mostForLibrary ? withLibrary([painted, ...rest]) : aligned([painted, ...rest]);
};

const gap = 2;

/** Shortens the last column so that every row fits; earlier columns hold what identifies a row and stay whole. */
const cutToWidth = (rows: readonly string[][], columns: number): string[][] => {
  const fixed = widths(rows).slice(0, -1).reduce((sum, width) => sum + width + gap, 0);
  const room = Math.max(20, columns - fixed);
  return rows.map((row) => [...row.slice(0, -1), shortened(row.at(-1)!, room)]);
};

const segmenter = new Intl.Segmenter();

/** A text of at most so many terminal columns, never cut within a character. */
export const shortened = (text: string, room: number): string => {
  if (text.length <= room / 2 || stringWidth(text) <= room) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += stringWidth(segment);
    if (width > room - 1) break;
    kept += segment;
  }
  return `${kept}…`;
};

const withLibrary = async (rows: readonly string[][]): Promise<string> => {
  const { default: Table } = await import('cli-table3');
  const none = Object.fromEntries(sides.map((side) => [side, '']));
  const table = new Table({ chars: none, style: { 'padding-left': 0, 'padding-right': gap, head: [], border: [] } });
  table.push(...rows.map((row) => [...row]));
  return `${table.toString().replace(/[ ]+$/gm, '')}\n`;
};

const sides = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left',
  'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'];

const aligned = (rows: readonly string[][]): string => {
  const wide = widths(rows);
  const padded = (cell: string, i: number) => cell + ' '.repeat(wide[i]! + gap - stringWidth(cell));
  return rows.map((row) => `${row.map(padded).join('').trimEnd()}\n`).join('');
};

const widths = (rows: readonly string[][]): number[] =>
  rows[0]!.map((_, i) => rows.reduce((most, row) => Math.max(most, stringWidth(row[i]!)), 0));
