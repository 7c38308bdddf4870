import type { TSchema } from '@sinclair/typebox';
import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import { usage } from '../failures.js';
import { plainText } from '../plain.js';
import { fieldsOf, formatOf, type FormatName } from './format.js';
import { jqOver } from './jq.js';
import { jsonLine, jsonText, picked } from './records.js';
import { fieldNames, placeFor, type View } from './view.js';
import { writers } from './writers.js';

/** One field of a record, shown as a row of its own. */
interface Field { readonly field: string; readonly value: string }

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);

/**
 * Prints a record that there is only one of: field by field for people and pipes, whole in JSON and YAML.
 * @throws Problem for a format or field that can't be had, before anything is sent
 */
export const fieldPrinter = (app: App, flags: GlobalFlags, shape: TSchema): (record: object) => Promise<void> => {
  const fields = fieldsOf(flags, fieldNames(shape));
  const format = formatOf(flags);
  if (format === 'id') throw usage('this has no id', 'choose another format');
  return async (record) => {
    const shown = picked(record, fields) as object;
    if (flags.jq !== undefined) return (await jqOver(app, flags.jq))(JSON.stringify(shown));
    await app.out.write(await fieldText(app, format, shown, shape));
  };
};

const fieldText = async (app: App, format: FormatName, record: object, shape: TSchema): Promise<string> => {
  const { out } = app;
  if (format === 'json') return `${jsonText(record, out)}\n`;
  if (format === 'ndjson') return `${jsonLine(record, out)}\n`;
  if (format === 'yaml') return (await import('./yaml.js')).yamlText(record);
  const rows = Object.entries(record).map(([field, value]): Field => ({ field, value: asText(value) }));
  if (format === 'table' && out.isTerminal) return aligned(rows);
  const writer = await writers[format]({ view: fieldView(shape), out, place: placeFor(app), fields: null });
  return writer.start + rows.map(writer.record).join('') + writer.end(rows.length);
};

const fieldView = (shape: TSchema): View<Field> => ({
  columns: [{ name: 'field', cell: ({ field }) => field }, { name: 'value', cell: ({ value }) => value }],
  id: ({ field }) => field, shape, none: 'no fields',
});

/** Names and values in two columns; the further lines of a long text are indented to the second. */
export const aligned = (rows: readonly Field[]): string => {
  const width = Math.max(...rows.map(({ field }) => field.length)) + 2;
  return rows.map(({ field, value }) =>
    `${field.padEnd(width)}${plainText(value).replaceAll('\n', `\n${' '.repeat(width)}`)}`.trimEnd() + '\n').join('');
};
