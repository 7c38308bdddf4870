import type { RawList } from '../../../wire/raw-list.js';
import type { Output } from '../../app.js';
import type { FormatName } from '../../command-line/flags.js';
import { plainLine } from '../../../text/plain.js';
import {
  commaSeparated, exact, forSpreadsheets, jsonLine, jsonText, markdownRow, plainCell, selectorOf, tabbed, type Display,
  type View,
} from './view.js';

export interface Frame {
  readonly start: string;
  readonly end: (count: number) => string;
}

export type OutputPieces = readonly (string | Uint8Array)[];

interface Writer<T> extends Frame {
  readonly record: (record: T, index: number) => string;
  /** As the service wrote them, if that is the format already. Valid until the next call. */
  readonly rawRecords?: (items: RawList, index: number) => OutputPieces;
}

export interface WriterContext<T> {
  readonly view: View<T>;
  readonly out: Output;
  readonly display: Display;
  readonly fields: readonly string[] | null;
  /** Whether cells that a spreadsheet would run as formulas are marked as text. */
  readonly csvSafe?: boolean;
}

type MakeWriter = <T>(context: WriterContext<T>) => Writer<T> | Promise<Writer<T>>;

export const writerOf = async <T>(
  format: Exclude<FormatName, 'table'>, context: WriterContext<T>,
): Promise<Writer<T>> => {
  const own = context.view.ownFormats?.[format];
  return own ? { start: '', record: own, end: () => '' } : writers[format](context);
};

const lines = <T>(record: (record: T) => string, start = ''): Writer<T> =>
  ({ start, record: (one) => `${record(one)}\n`, end: () => '' });

const selected = <T>({ view, display, fields }: WriterContext<T>) => selectorOf(view, display, fields);

const cells = <T>({ view, display, csvSafe }: WriterContext<T>, hasMarks = false) => {
  const shown = { ...exact(display), hasMarks };
  const row = (record: T): string[] =>
    view.columns.map((column) => plainCell(column, column.cell(record, shown)));
  return csvSafe ? (record: T) => forSpreadsheets(row(record)) : row;
};

const names = <T>({ view }: WriterContext<T>): string[] => view.columns.map((column) => column.name);

const json: MakeWriter = (context) => {
  const { out } = context;
  const select = selected(context);
  const indent = (text: string) => out.isTerminal ? `\n${text.replace(/^/gm, '  ')}` : text;
  return {
    start: '[',
    record: (record, index) => (index > 0 ? ',' : '') + indent(jsonText(select(record), out)),
    end: (count) => out.isTerminal && count > 0 ? '\n]\n' : ']\n',
    ...(passesRawRecords(context) && { rawRecords: rawListPart }),
  };
};

const rawListPart = (items: RawList, index: number): OutputPieces =>
  items.length > 0 && index > 0 ? [',', items.list()] : [items.list()];

const ndjson: MakeWriter = (context) => {
  const { out } = context;
  const select = selected(context);
  return {
    ...lines((record) => jsonLine(select(record), out)),
    ...(passesRawRecords(context) && { rawRecords: rawLines() }),
  };
};

/** Reuses the buffer of the previous page, which is already written: garbage collection of many comes late. */
const rawLines = () => {
  let room: Uint8Array = new Uint8Array();
  return (items: RawList): OutputPieces => {
    const lines = items.lines(room);
    room = new Uint8Array(lines.buffer);
    return [lines];
  };
};

const passesRawRecords = ({ out, fields }: WriterContext<never>): boolean => fields === null && !out.isTerminal;

const yaml: MakeWriter = async (context) => {
  const { yamlText } = await import('./yaml.js');
  const select = selected(context);
  const end = (count: number) => count === 0 ? '[]\n' : '';
  return { start: '', record: (record) => yamlText([select(record)]), end };
};

const markdown: MakeWriter = (context) => {
  const header = names(context);
  const row = cells(context, true);
  const head = `${markdownRow(header)}\n${markdownRow(header.map(() => '---'))}\n`;
  return lines((record) => markdownRow(row(record)), head);
};

const csv: MakeWriter = (context) => {
  const row = cells(context);
  return lines((record) => commaSeparated(row(record)), `${commaSeparated(names(context))}\n`);
};

const tabs: MakeWriter = (context) => {
  const row = cells(context);
  return lines((record) => tabbed(row(record)));
};

interface Format {
  /** Prints a value of any shape; absent for formats that print columns or ids. */
  readonly valueText?: (value: unknown, out: Output) => string | Promise<string>;
  /** Whether jq can write it, and errors are JSON too. */
  readonly isJson?: true;
  readonly hasColumns?: true;
  /** Whether spreadsheets open it, so that `--csv-safe` applies. */
  readonly isSpreadsheet?: true;
}

const jsonLines = (value: unknown, out: Output): string =>
  (Array.isArray(value) ? value : [value]).map((item: unknown) => `${jsonLine(item, out)}\n`).join('');

export const outputFormats: Readonly<Record<FormatName, Format>> = {
  table: { hasColumns: true },
  json: { valueText: (value, out) => `${jsonText(value, out)}\n`, isJson: true },
  ndjson: { valueText: jsonLines, isJson: true },
  yaml: { valueText: async (value) => (await import('./yaml.js')).yamlText(value) },
  csv: { hasColumns: true, isSpreadsheet: true },
  tsv: { hasColumns: true, isSpreadsheet: true },
  markdown: { hasColumns: true },
  id: {},
};

/** A command may have formats of its own, which have none of these properties. */
export const formatNamed = (name: string): Format =>
  Object.hasOwn(outputFormats, name) ? outputFormats[name as FormatName] : {};

/** A table is missing here: it needs all records to align its columns. */
export const writers: Readonly<Record<Exclude<FormatName, 'table'>, MakeWriter>> = {
  json, ndjson, yaml, csv, tsv: tabs, markdown, id: ({ view }) => lines((record) => plainLine(view.id(record))),
};
