import type { TSchema } from '@sinclair/typebox';
import { asText, plainText } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { FormatName, GlobalFlags } from '../../command-line/flags.js';
import { say } from '../io/messages.js';
import { safeAddress } from '../io/style.js';
import {
  chosenFormat, fieldsIn, formatNamed, formatOf, printAs, selectedFields, type WriterContext, writerOf,
} from './format.js';
import {
  displayFor, fieldNames, pickFields, selectableNames, selectorOf, type View, type WebPages, withColumns,
} from './view.js';

/** @param web leads to the pages behind its links */
type PrintRecord<T> = (record: T, web?: WebPages | null) => Promise<void>;

/**
 * Text or fields on a terminal, one row in a pipe, the whole record in JSON and YAML.
 * @throws Problem for an unavailable format or unknown field; call it before a write is sent
 */
export const recordPrinter = <T>(app: App, flags: GlobalFlags, view: View<T>): PrintRecord<T> => {
  const { out } = app;
  const format = formatOf(flags, out);
  const fields = selectedFields(flags, selectableNames(view));
  return (record, web = null) => {
    const context: WriterContext<T> = { view, out, display: displayFor(app, web), fields };
    const value = selectorOf(view, context.display, fields)(record);
    return printAs(app, flags, value, () => recordText(format, record, context));
  };
};

/** `null` in JSON and YAML, else nothing. @throws Problem for an unavailable format, and if fields are selected */
export const emptyPrinter = (app: App, flags: GlobalFlags): () => Promise<void> => {
  chosenFormat(flags);
  const [field] = fieldsIn(flags) ?? [];
  if (field !== undefined) {
    throw usage(`unknown field ${JSON.stringify(field)}: nothing is left of a deleted record`,
      'use --json without a value to print null');
  }
  return () => printAs(app, flags, null, () => '');
};

const recordText = async <T>(format: FormatName, record: T, context: WriterContext<T>): Promise<string> => {
  const { view, display, fields } = context;
  const shown = { ...context, view: formatNamed(format).hasColumns ? withColumns(view, fields) : view };
  if (format === 'table') {
    return (fields === null ? await view.text?.(record, display) : undefined) ?? await fieldLines(record, shown);
  }
  const writer = await writerOf(format, shown);
  return writer.start + writer.record(record, 0) + writer.end(1);
};

const fieldLines = <T>(record: T, { view, display }: WriterContext<T>): Promise<string> =>
  alignedFields(display.columns, view.columns.map(({ name, cell }) => ({ field: name, value: cell(record, display) })));

interface Field { readonly field: string; readonly value: string }

/** One row per field, or the whole record. @throws Problem for an unavailable format or field, before any request */
export const fieldPrinter = (app: App, flags: GlobalFlags, shape: TSchema): (record: object) => Promise<void> => {
  const fields = selectedFields(flags, fieldNames(shape));
  const format = formatOf(flags, app.out);
  if (format === 'id') throw usage('the result has no id', 'use another format');
  return (record) => {
    const selected = pickFields(record, fields) as object;
    return printAs(app, flags, selected, () => fieldText(app, format, selected, shape));
  };
};

const fieldText = async (app: App, format: FormatName, record: object, shape: TSchema): Promise<string> => {
  const rows = Object.entries(record).map(([field, value]): Field => ({ field, value: listText(value) }));
  const display = displayFor(app);
  if (format === 'table') return alignedFields(display.columns, rows);
  const writer = await writerOf(format, { view: fieldView(shape), out: app.out, display, fields: null });
  return writer.start + rows.map(writer.record).join('') + writer.end(rows.length);
};

const listText = (value: unknown): string => Array.isArray(value) ? value.map(asText).join(', ') : asText(value);

const fieldView = (shape: TSchema): View<Field> => ({
  columns: [{ name: 'field', cell: ({ field }) => field }, { name: 'value', cell: ({ value }) => value }],
  id: ({ field }) => field, shape, emptyText: 'no fields',
});

/** Further lines of a value are indented to the second column, and long ones are wrapped. */
const alignedFields = async (columns: number, rows: readonly Field[]): Promise<string> => {
  const { wrapNote } = await import('../io/width.js');
  const width = Math.max(...rows.map(({ field }) => field.length)) + 2;
  return rows.map(({ field, value }) => {
    const text = wrapNote(plainText(value), columns - width);
    return `${field.padEnd(width)}${text.replaceAll('\n', `\n${' '.repeat(width)}`)}`.trimEnd() + '\n';
  }).join('');
};

/** In a pipe without a format, only the changed fields. */
export const changedPart = <T extends object>(
  { out }: App, { output, json, jq }: GlobalFlags, record: T, changed: readonly string[],
): Partial<T> =>
  out.isTerminal || (output ?? json ?? jq) !== undefined ? record : pickFields(record, changed) as Partial<T>;

/** @param message one line for stderr: `added note 5 to mr/1` @param address null if it is unknown */
export type PrintChange<T> = (message: string, record: T, address: string | null) => Promise<void>;

/**
 * On a terminal the message and the address (none in the sandbox). Else, or in a given format, the record, and on
 * stderr the address unless the message or what was printed of the record has it.
 */
export const changePrinter = <T>(
  app: App, flags: GlobalFlags, printerOn: (app: App) => (record: T) => Promise<void>,
): PrintChange<T> => {
  let printed = '';
  const write = async (text: string) => {
    printed += text;
    await app.out.write(text);
  };
  const printRecord = printerOn({ ...app, out: { ...app.out, write } });
  return async (message, record, address) => {
    const safe = address === null || flags.sandbox ? null : safeAddress(address);
    await say(app, flags, message);
    if (isBrief(app, flags)) {
      if (safe !== null) await app.out.write(`${safe}\n`);
      return;
    }
    await printRecord(record);
    const isShown = safe === null || `${message}\n${printed}`.includes(safe);
    if (!isShown && !flags.quiet && !isService(app, safe)) await app.err.write(`${safe}\n`);
  };
};

/** The appearance is everywhere on the service. */
const isService = ({ activity }: App, address: string): boolean =>
  activity.service !== null && address.replace(/\/$/, '') === activity.service.replace(/\/$/, '');

export const isBrief = ({ out }: App, { output, json, jq }: GlobalFlags): boolean =>
  out.isTerminal && output === undefined && json === undefined && jq === undefined;
