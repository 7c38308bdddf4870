import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import { plainText } from '../plain.js';
import { formatOf, wantsJson } from './format.js';
import { jqOver } from './jq.js';
import { jsonText } from './records.js';

/** Prints a single text: as JSON where that is asked for, else as it is, safe on a terminal. */
export const printValue = async (app: App, flags: GlobalFlags, value: string): Promise<void> => {
  formatOf(flags);
  const { out } = app;
  if (flags.jq !== undefined) return (await jqOver(app, flags.jq))(JSON.stringify(value));
  const text = wantsJson(flags) ? jsonText(value, out) : out.isTerminal ? plainText(value) : value;
  await out.write(`${text}\n`);
};
