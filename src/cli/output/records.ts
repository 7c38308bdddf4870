import { plainJson, plainLine } from '../plain.js';
import type { Output } from '../app.js';

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
