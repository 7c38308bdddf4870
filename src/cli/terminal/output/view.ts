import type { TSchema } from '@sinclair/typebox';
import type { App, Output } from '../../app.js';
import { asText, plainCode, plainJson, plainLine } from '../../../text/plain.js';
import { showsLinks, type Tone } from '../io/style.js';

export interface WebPages {
  readonly container: string;
  readonly noteable: string;
}

export interface Display {
  readonly isTerminal: boolean;
  /** Whether texts have marks such as [system]; at a terminal unless given. */
  readonly hasMarks?: boolean;
  readonly now: Date;
  readonly columns: number;
  readonly colors: Output['colors'];
  readonly links: boolean;
  readonly web: WebPages | null;
}

/** In a pipe, a table is as wide as COLUMNS or else its texts. */
export const displayFor = ({ out, env, now }: App, web: WebPages | null = null): Display => {
  const { isTerminal, colors } = out;
  const columns = isTerminal ? out.columns : widthIn(env) ?? Infinity;
  return { isTerminal, now: now(), columns, colors, links: showsLinks(env, out), web };
};

/** COLUMNS, which a shell sets for programs that do not write to its terminal. */
const widthIn = ({ COLUMNS = '' }: App['env']): number | null =>
  /^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : null;

/** The text is escaped when it is printed. */
export interface Column<T> {
  readonly name: string;
  readonly cell: (record: T, display: Display) => string;
  readonly tone?: (record: T) => Tone | null;
  readonly link?: (record: T, display: Display) => string | null;
  /** Minimum width on a narrow terminal; without it, the cell is not shortened. */
  readonly minWidth?: number;
  /** On a narrow terminal, columns with a number are hidden, the lowest first. */
  readonly hideOrder?: number;
  readonly isCode?: true;
  /** The part that stays when the cell is shortened; the start by default. */
  readonly keep?: 'end';
}

export interface View<T> {
  readonly columns: readonly Column<T>[];
  /** Columns that are printed only if `--json` names them. */
  readonly moreColumns?: readonly Column<T>[];
  readonly id: (record: T) => string;
  /** The shape of the record in the contract, which has the fields for `--json`. */
  readonly shape: TSchema;
  /** Fields that are computed if the service does not send them. */
  readonly computed?: Readonly<Record<string, (record: T) => unknown>>;
  /** Formats one record for a terminal, already escaped; without it, the fields are listed. */
  readonly text?: (record: T, display: Display) => Promise<string | undefined>;
  /** Formats that only some commands have, by name: the text of a record, empty to leave it out. */
  readonly ownFormats?: Readonly<Record<string, (record: T) => string>>;
  readonly emptyText: string;
}

export const fieldNames = (shape: TSchema): string[] =>
  Object.keys((shape as { properties?: object }).properties ?? {});

export const selectableNames = <T>({ shape, columns, moreColumns = [] }: View<T>): string[] =>
  [...new Set([...fieldNames(shape), ...[...columns, ...moreColumns].map(({ name }) => name)])];

/** Without what stands for missing fields (see `wholeRecords`). */
const receivedRecord = (record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  typeof record['toJSON'] === 'function' ? (record as { toJSON: () => Record<string, unknown> }).toJSON() : record;

export const pickFields = <T>(
  record: T, fields: readonly string[] | null, computed: View<T>['computed'] = {},
): unknown => {
  if (fields === null || typeof record !== 'object' || record === null) return record;
  const values = receivedRecord(record as Record<string, unknown>);
  return Object.fromEntries(fields.map((field) => [field, values[field] ?? computed[field]?.(record) ?? null]));
};

/** Cells for programs: full ids and timestamps, on a terminal too. */
export const exact = (display: Display): Display => ({ ...display, isTerminal: false });

/** The selected column; a field of the record takes precedence over a column of the same name. */
const columnNamed = <T>(name: string, { shape, columns, moreColumns = [], computed = {} }: View<T>): Column<T> => {
  const column = fieldNames(shape).includes(name) ? undefined
    : [...columns, ...moreColumns].find((one) => one.name === name);
  return column
    ?? { name, cell: (record) => asText((record as Record<string, unknown>)[name] ?? computed[name]?.(record)) };
};

export const withColumns = <T>(view: View<T>, names: readonly string[] | null): View<T> =>
  names === null ? view : { ...view, columns: names.map((name) => columnNamed(name, view)) };

/** @param names null for the whole record */
export const selectorOf = <T>(
  view: View<T>, display: Display, names: readonly string[] | null,
): (record: T) => unknown => {
  const fields = fieldNames(view.shape);
  const pick = (record: T) => pickFields(record, names, view.computed);
  if (names === null || names.every((name) => fields.includes(name))) return pick;
  const columns = withColumns(view, names).columns;
  return (record) => ({
    ...pick(record) as object,
    ...Object.fromEntries(columns.filter(({ name }) => !fields.includes(name))
      .map(({ name, cell }) => [name, cell(record, exact(display))])),
  });
};

/** Indented and escaped on a terminal, on one line elsewhere. */
export const jsonText = (value: unknown, out: Output): string =>
  out.isTerminal ? plainJson(JSON.stringify(value, null, 2)) : JSON.stringify(value);

/** The text is safe for a terminal, and on one line. */
export const plainCell = ({ isCode }: Pick<Column<never>, 'isCode'>, text: string): string =>
  isCode ? plainCode(text) : plainLine(text);
