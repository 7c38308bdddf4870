import type { TSchema } from '@sinclair/typebox';
import type { App } from '../app.js';
import { usage } from '../errors/failure.js';
import type { FormatName, GlobalFlags } from '../flags/global.js';
import { plainText } from '../io/plain.js';
import { compileJq, fieldsIn, fieldsOf, formatOf } from './format.js';
import { fieldNames, picked, placeFor, type View } from './view.js';
import { outputFormats, type WriterContext } from './writers.js';

/**
 * Prints one record: as text or field by field on a terminal, as one row in a pipe, whole in JSON and YAML. Made before
 * anything is sent, so that a format or field that does not exist stops a write.
 * @throws Problem
 */
export const recordPrinter = <T>(app: App, flags: GlobalFlags, view: View<T>): (record: T) => Promise<void> => {
  const { out } = app;
  const format = formatOf(flags);
  const fields = fieldsOf(flags, fieldNames(view.shape));
  return async (record) => {
    if (flags.jq !== undefined) return (await compileJq(app, flags.jq))(JSON.stringify(picked(record, fields)));
    await out.write(await oneText(format, record, { view, out, place: placeFor(app), fields }));
  };
};

/**
 * Prints what a service answered that has nothing to show: JSON and YAML say `null`, the rest says nothing.
 * @throws Problem for a format that can't be had, and for fields, of which there are none
 */
export const emptyPrinter = (app: App, flags: GlobalFlags): () => Promise<void> => {
  const { valueText } = outputFormats[formatOf(flags)];
  const [field] = fieldsIn(flags) ?? [];
  if (field !== undefined) {
    throw usage(`unknown field ${JSON.stringify(field)}: nothing is left of a deleted record`,
      'use --json without a value to print null');
  }
  return async () => {
    if (flags.jq !== undefined) return (await compileJq(app, flags.jq))('null');
    if (valueText) await app.out.write(await valueText(null, app.out));
  };
};

const oneText = async <T>(format: FormatName, record: T, scene: WriterContext<T>): Promise<string> => {
  const { out, view, place, fields } = scene;
  const { valueText, writer: writerFor } = outputFormats[format];
  if (valueText) return valueText(picked(record, fields), out);
  if (format === 'table' && out.isTerminal) return await view.text?.(record, place) ?? fieldByField(record, scene);
  const writer = await writerFor(scene);
  return writer.start + writer.record(record, 0) + writer.end(1);
};

const fieldByField = <T>(record: T, { view, place }: WriterContext<T>): string =>
  aligned(view.columns.map(({ name, cell }) => ({ field: name, value: cell(record, place) })));

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
  if (format === 'id') throw usage('the result has no id', 'use another format');
  return async (record) => {
    const shown = picked(record, fields) as object;
    if (flags.jq !== undefined) return (await compileJq(app, flags.jq))(JSON.stringify(shown));
    await app.out.write(await fieldText(app, format, shown, shape));
  };
};

const fieldText = async (app: App, format: FormatName, record: object, shape: TSchema): Promise<string> => {
  const { out } = app;
  const { valueText, writer: writerFor } = outputFormats[format];
  if (valueText) return valueText(record, out);
  const rows = Object.entries(record).map(([field, value]): Field => ({ field, value: asText(value) }));
  if (format === 'table' && out.isTerminal) return aligned(rows);
  const writer = await writerFor({ view: fieldView(shape), out, place: placeFor(app), fields: null });
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
