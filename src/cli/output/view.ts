import type { TSchema } from '@sinclair/typebox';
import type { App, Output } from '../app.js';
import { plainJson, plainLine } from '../io/plain.js';
import { showsLinks, type Tone } from '../io/style.js';

/** Where the web pages of what is shown are, without trailing slash. */
export interface WebPages {
  /** The project's or group's page, below which uploads are. */
  readonly container: string;
  /** The page of the noteable itself. */
  readonly noteable: string;
}

/** What a cell may depend on beside its record. */
export interface Place {
  readonly isTerminal: boolean;
  readonly now: Date;
  readonly columns: number;
  readonly colors: Output['colors'];
  /** Whether a link can stand behind words. */
  readonly links: boolean;
  /** Null where it is not known. */
  readonly web: WebPages | null;
}

/** The place that a result is printed at. */
export const placeFor = ({ out, env, now }: App, web: WebPages | null = null): Place => {
  const { isTerminal, columns, colors } = out;
  return { isTerminal, now: now(), columns, colors, links: showsLinks(env, out), web };
};

/** One column of a table. The text may be a stranger's: it is made safe where it is printed. */
export interface Column<T> {
  readonly name: string;
  readonly cell: (record: T, place: Place) => string;
  /** How the cell stands out on a terminal; the text alone has to say it all. */
  readonly tone?: (record: T) => Tone | null;
  /** The web page behind the cell. */
  readonly link?: (record: T, place: Place) => string | null;
  /** To how many columns the cell may be cut on a narrow terminal; whole without it. */
  readonly least?: number;
  /** On a terminal that has no room for all, columns with a number are left out, the lowest first. */
  readonly spare?: number;
  /** What is left of a cell that is cut: its start, unless this says so. */
  readonly keeps?: 'end';
}

/** How records of one kind are shown. */
export interface View<T> {
  readonly columns: readonly Column<T>[];
  readonly id: (record: T) => string;
  /** The record's shape in the contract: it says which fields `--json` may name. */
  readonly shape: TSchema;
  /** One record on a terminal, as text that is already safe; without it the record is shown field by field. */
  readonly text?: (record: T, place: Place) => Promise<string>;
  /** What a list's emptiness is called: `no threads`. */
  readonly none: string;
}

/** The fields that a record of a shape can have. */
export const fieldNames = (shape: TSchema): string[] =>
  Object.keys((shape as { properties?: object }).properties ?? {});

/** A record with the named fields alone, in the order they were named. */
export const picked = (record: unknown, fields: readonly string[] | null): unknown => {
  if (fields === null || typeof record !== 'object' || record === null) return record;
  const values = record as Record<string, unknown>;
  return Object.fromEntries(fields.map((field) => [field, values[field] ?? null]));
};

/** A value as JSON: indented on a terminal and safe there, on one line in a pipe. */
export const jsonText = (value: unknown, out: Output): string =>
  out.isTerminal ? plainJson(JSON.stringify(value, null, 2)) : JSON.stringify(value);

/** A value on one line whatever the output is, safe on a terminal. */
export const jsonLine = (value: unknown, out: Output): string =>
  out.isTerminal ? plainJson(JSON.stringify(value)) : JSON.stringify(value);

/** A spreadsheet takes a cell for a formula that starts so; some take the wide characters too. */
const formula = /^[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** Cells with an apostrophe before those that a spreadsheet would run as a formula, as OWASP recommends. */
export const forSpreadsheets = (cells: readonly string[]): string[] =>
  cells.map(plainLine).map((cell) => formula.test(cell) ? `'${cell}` : cell);

/** Cells as one line of tab-separated text. */
export const tabbed = (cells: readonly string[]): string => cells.map(plainLine).join('\t');

/** Cells as one line of CSV (RFC 4180), quoted where need be. */
export const commaSeparated = (cells: readonly string[]): string =>
  cells.map(plainLine).map((cell) => /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell).join(',');

/** Cells as one row of a Markdown table. */
export const markdownRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => plainLine(cell).replace(/[\\|]/g, '\\$&')).join(' | ')} |`;
