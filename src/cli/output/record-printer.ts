import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import { aligned } from './field-printer.js';
import { usage } from '../failures.js';
import { fieldsIn, fieldsOf, formatOf, type FormatName } from './format.js';
import { jqOver } from './jq.js';
import { jsonLine, jsonText, picked } from './records.js';
import { fieldNames, placeFor, type View } from './view.js';
import { writers, type Scene } from './writers.js';

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
    if (flags.jq !== undefined) return (await jqOver(app, flags.jq))(JSON.stringify(picked(record, fields)));
    await out.write(await oneText(format, record, { view, out, place: placeFor(app), fields }));
  };
};

/**
 * Prints what a service answered that has nothing to show: JSON and YAML say `null`, the rest says nothing.
 * @throws Problem for a format that can't be had, and for fields, of which there are none
 */
export const emptyPrinter = (app: App, flags: GlobalFlags): () => Promise<void> => {
  const format = formatOf(flags);
  const [field] = fieldsIn(flags) ?? [];
  if (field !== undefined) {
    throw usage(`there is no field ${JSON.stringify(field)}: what is deleted has none`, '--json alone prints null');
  }
  return async () => {
    if (flags.jq !== undefined) return (await jqOver(app, flags.jq))('null');
    if (['json', 'ndjson', 'yaml'].includes(format)) await app.out.write('null\n');
  };
};

const oneText = async <T>(format: FormatName, record: T, scene: Scene<T>): Promise<string> => {
  const { out, view, place, fields } = scene;
  if (format === 'json') return `${jsonText(picked(record, fields), out)}\n`;
  if (format === 'ndjson') return `${jsonLine(picked(record, fields), out)}\n`;
  if (format === 'yaml') return (await import('./yaml.js')).yamlText(picked(record, fields));
  if (format === 'table' && out.isTerminal) return await view.text?.(record, place) ?? fieldByField(record, scene);
  const writer = await writers[format](scene);
  return writer.start + writer.record(record, 0) + writer.end(1);
};

const fieldByField = <T>(record: T, { view, place }: Scene<T>): string =>
  aligned(view.columns.map(({ name, cell }) => ({ field: name, value: cell(record, place) })));
