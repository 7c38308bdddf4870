import type { TSchema } from '@sinclair/typebox';
import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import { usage } from '../failures.js';
import { plainText } from '../plain.js';
import { fieldsOf, formatOf } from './format.js';
import { jsonLine, jsonText, picked } from './records.js';
import { fieldNames, type View } from './view.js';
import { writers } from './writers.js';

/** One field of a record, shown as a row of its own. */
interface Field { readonly field: string; readonly value: string }

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);

/** Prints a record that there is only one of: field by field for people and pipes, whole in JSON and YAML. */
export const printFields = async (app: App, flags: GlobalFlags, record: object, shape: TSchema): Promise<void> => {
  const { out } = app;
  const fields = fieldsOf(flags, fieldNames(shape));
  const format = formatOf(flags);
  if (format === 'id') throw usage('this has no id', 'choose another format');
  if (format === 'json') return out.write(`${jsonText(picked(record, fields), out)}\n`);
  if (format === 'ndjson') return out.write(`${jsonLine(picked(record, fields), out)}\n`);
  if (format === 'yaml') return out.write((await import('./yaml.js')).yamlText(picked(record, fields)));
  const rows = Object.entries(record).map(([field, value]): Field => ({ field, value: asText(value) }));
  if (format === 'table' && out.isTerminal) return out.write(aligned(rows));
  const place = { isTerminal: out.isTerminal, now: app.now() };
  const writer = await writers[format]({ view: fieldView(shape), out, place, fields: null });
  await out.write(writer.start + rows.map(writer.record).join('') + writer.end(rows.length));
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
