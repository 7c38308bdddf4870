import type { RawList } from '../../../wire/raw-list.js';
import { plainJson, plainLine, plainText } from '../../../text/plain.js';
import type { App, Output } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { type FormatName, type GlobalFlags, namesIn, unknownFields } from '../../command-line/flags.js';
import { type Display, exact, jsonText, plainCell, selectorOf, type View } from './view.js';

/**
 * Null for the default. `--json` is short for `-o json`, and with field names it selects the fields or columns of any
 * other format but `id`; `--jq` implies JSON.
 * @throws Problem for conflicting formats
 */
export const chosenFormat = ({ json, jq, output }: GlobalFlags): FormatName | null => {
  if (json === undefined && jq === undefined) return output ?? null;
  if (output === undefined) return 'json';
  const { isJson, valueText, hasColumns } = formatNamed(output);
  if (isJson || (valueText && jq === undefined)) return output;
  if (hasColumns && jq === undefined && json !== '') return output;
  throw usage(`${jq === undefined ? '--json' : '--jq'} and -o ${output} cannot be combined`,
    jq === undefined && hasColumns ? 'name the columns to print: --json=id,body' : 'use only one of them');
};

/** By default a table at a terminal, and its rows alone in a pipe. @throws Problem */
export const formatOf = (flags: GlobalFlags, { isTerminal }: Pick<Output, 'isTerminal'>): FormatName =>
  chosenFormat(flags) ?? (isTerminal ? 'table' : 'tsv');

export const wantsJson = (flags: GlobalFlags): boolean => flags.jq !== undefined || wantsJsonErrors(flags);

/** `--jq` alone filters results only. */
export const wantsJsonErrors = ({ json, output }: GlobalFlags): boolean => json !== undefined
  || (output !== undefined && formatNamed(output).isJson === true);

/** Null for all fields. @throws Problem if there are only commas */
export const fieldsIn = ({ json }: GlobalFlags): readonly string[] | null => {
  if (json === undefined || json === '') return null;
  const fields = namesIn(json);
  if (fields.length > 0) return fields;
  throw usage(`--json=${json} has no field names`, 'use --json without a value to print all fields');
};

/** Null for all fields. @throws Problem for an unknown name */
export const selectedFields = (flags: GlobalFlags, known: readonly string[]): readonly string[] | null => {
  const fields = fieldsIn(flags);
  const unknown = fields?.filter((field) => !known.includes(field)) ?? [];
  if (unknown.length === 0) return fields;
  throw unknownFields(unknown, known);
};

export const printValue = async (app: App, flags: GlobalFlags, value: string): Promise<void> => {
  chosenFormat(flags);
  if (wantsJson(flags)) return printJson(app, flags, value);
  await app.out.write(`${app.out.isTerminal ? plainText(value) : value}\n`);
};

export const printJson = async (app: App, flags: GlobalFlags, value: unknown): Promise<void> => {
  if (flags.jq !== undefined) return (await compileJq(app, flags.jq, flags))(JSON.stringify(value));
  await app.out.write(`${jsonText(value, app.out)}\n`);
};

/**
 * Prints the value through jq, or in a format that takes any value; otherwise prints the text.
 * @throws Problem for a failing jq expression
 */
export const printAs = async (
  app: App, flags: GlobalFlags, value: unknown, otherwise: () => string | Promise<string>,
): Promise<void> => {
  const format = formatOf(flags, app.out);
  if (flags.jq !== undefined) {
    const inputs = format === 'ndjson' && Array.isArray(value) ? value as readonly unknown[] : [value];
    return (await compileJq(app, flags.jq, flags))(inputs.map((one) => JSON.stringify(one)).join('\n'));
  }
  const { valueText } = formatNamed(format);
  const text = await (valueText ? valueText(value, app.out) : otherwise());
  if (text !== '') await app.out.write(text);
};

type Jq = (json: string) => Promise<void>;

/**
 * jq itself runs as WebAssembly. Each result is a line, strings without quotes; on a terminal values are indented.
 * Messages of `debug` and `stderr` go to stderr.
 * @throws Problem for an invalid expression here, for a failing one when it runs
 */
export const compileJq = async (
  { out, err, deadline }: App, expression: string, { quiet }: GlobalFlags,
): Promise<Jq> => {
  if (readsEnvironment.test(expression.replace(/"(?:[^"\\]|\\.)*"/g, '""'))) {
    throw usage('a jq expression cannot read environment variables', 'let the shell put the value into the expression');
  }
  const jq = await (engine ??= load());
  const flags = out.isTerminal ? ['--indent', '2'] : ['-c'];
  const run = async (json: string) => {
    const { stdout, stderr, exitCode } = await withMemoryCheck(() =>
      deadline.limit(() => jq.raw(json, expression, flags)));
    return { text: resultText(stdout), stderr, hasFailed: exitCode !== 0 || /^jq: error/m.test(stderr) };
  };
  const { hasFailed, stderr } = await run('');
  if (hasFailed) throw usage(errorLines(stderr), syntaxHint);
  return async (json) => {
    const { text, stderr, hasFailed } = await run(json);
    if (text !== '') await out.write(out.isTerminal ? plainText(text) : text);
    if (hasFailed) throw usage(withoutPositions(stderr), inputHint);
    if (stderr !== '' && !quiet) await err.write(`${plainText(stderr)}\n`);
  };
};

/** In WebAssembly, the environment has made-up values. */
const readsEnvironment = /\$ENV\b|(?<![.\w$])env\s*(?:[.[|)]|$)/;

const syntaxHint = "use jq 1.8 syntax, and quote the expression for the shell: -q '.[].id'";

/** Only excerpts on lines of their own make sense. */
const errorLines = (stderr: string): string =>
  stderr.split('\n').filter((line) => line.startsWith('jq: error')).join('\n').replace(/:$/gm, '') || stderr;

/** Removes jq's line numbers, which do not refer to the user's text, and then the repeated messages. */
const withoutPositions = (stderr: string): string =>
  [...new Set(stderr.replace(/^(jq: error) \(at \/dev\/stdin:\d+\)/gm, '$1').split('\n'))].join('\n');

const inputHint =
  "write it for the output of --json: a list is one array (-q '.[].id'), with -o ndjson each record (-q .id)";

/** jq cannot continue after it has used its limited memory, so the next run gets a new instance. */
const withMemoryCheck = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    engine = undefined;
    if ((cause as Error).name !== 'RuntimeError') throw cause;
    throw usage('jq ran out of memory',
      'use -o ndjson to read one record at a time, and check the expression for endless recursion');
  }
};

/** Loaded once per process; jq keeps no state between runs. */
let engine: ReturnType<typeof load> | undefined;
const load = async () => (await import('jq-wasm/inline')).loadJq();

/** Before the command sends anything. @throws Problem */
export const checkJq = async (app: App, flags: GlobalFlags): Promise<void> => {
  if (flags.jq !== undefined) await compileJq(app, flags.jq, flags);
};

/** Removes the quotes of strings; only they start a line with a quote, because nested values are indented. */
const resultText = (stdout: string): string => stdout === '' ? '' : stdout.split('\n')
  .map((line) => `${line.startsWith('"') ? JSON.parse(line) as string : line}\n`).join('');

interface Format {
  /** Prints a value of any shape; absent for formats that print columns or ids. */
  readonly valueText?: (value: unknown, out: Output) => string | Promise<string>;
  /** Whether jq can write it, and errors are JSON too. */
  readonly isJson?: true;
  readonly hasColumns?: true;
  /** Whether spreadsheets open it, so that `--csv-safe` applies. */
  readonly isSpreadsheet?: true;
}

/** On one line, escaped on a terminal. */
export const jsonLine = (value: unknown, out: Output): string =>
  out.isTerminal ? plainJson(JSON.stringify(value)) : JSON.stringify(value);

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
    ...passesRawRecords(context) && {
      rawRecords: (items, index) => items.length > 0 && index > 0 ? [',', items.list()] : [items.list()],
    },
  };
};

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

/** A table is missing here: it needs all records to align its columns. */
export const writers: Readonly<Record<Exclude<FormatName, 'table'>, MakeWriter>> = {
  json, ndjson, yaml, csv, tsv: tabs, markdown, id: ({ view }) => lines((record) => plainLine(view.id(record))),
};

/** Spreadsheets run such cells as formulas, some in full width too, and remove quotes before them in TSV. */
const formula = /^["\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** With an apostrophe before cells that would run as a formula, as OWASP recommends. */
export const forSpreadsheets = (cells: readonly string[]): string[] =>
  cells.map((cell) => formula.test(cell) ? `'${cell}` : cell);

/** These three take cells of `plainCell`, which have no tabs and no line breaks. */
export const tabbed = (cells: readonly string[]): string => cells.join('\t');

/** RFC 4180, quoted if necessary. */
export const commaSeparated = (cells: readonly string[]): string =>
  cells.map((cell) => /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell).join(',');

export const markdownRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replace(/[\\|]/g, '\\$&')).join(' | ')} |`;
