import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import { plainText } from '../plain.js';
import { formatOf } from './format.js';
import { jsonText } from './records.js';

/** Prints a single text: as JSON where that is asked for, else as it is, safe on a terminal. */
export const printValue = async (app: App, flags: GlobalFlags, value: string): Promise<void> => {
  const format = formatOf(flags);
  const { out } = app;
  const isJson = format === 'json' || format === 'ndjson';
  const text = isJson ? jsonText(value, out) : out.isTerminal ? plainText(value) : value;
  await out.write(`${text}\n`);
};
