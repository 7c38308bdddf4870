import type { App } from '../app.js';
import { usage } from '../errors/failure.js';
import { nearest } from '../errors/nearest.js';
import type { FormatName, GlobalFlags } from '../flags/global.js';
import { plainText } from '../io/plain.js';
import { jqOver } from './jq.js';
import { jsonText } from './view.js';

/**
 * The format of a result. `--json` is short for `-o json`, and may name fields for any format of whole records; a jq
 * expression reads JSON.
 * @throws Problem when two formats are asked for
 */
export const formatOf = ({ json, jq, output }: GlobalFlags): FormatName => {
  if (json === undefined && jq === undefined) return output ?? 'table';
  if (output === undefined || output === 'json') return 'json';
  if (output === 'ndjson' || (output === 'yaml' && jq === undefined)) return output;
  throw usage(`${jq === undefined ? '--json' : '--jq'} and -o ${output} ask for two formats`,
    'leave one of them out');
};

/** Whether the result, and with it an error, is for a program that reads JSON. */
export const wantsJson = ({ json, jq, output }: GlobalFlags): boolean =>
  json !== undefined || jq !== undefined || output === 'json' || output === 'ndjson';

/** The words that `--json=f,f` holds, or null for all fields. @throws Problem for commas alone */
export const fieldsIn = ({ json }: GlobalFlags): readonly string[] | null => {
  if (json === undefined || json === '') return null;
  const fields = json.split(',').map((field) => field.trim()).filter((field) => field !== '');
  if (fields.length > 0) return fields;
  throw usage(`--json=${json} names no field`, '--json alone prints all of them');
};

/**
 * The fields that `--json=f,f` names, or null for all. Spaces part them too: PowerShell makes them of commas where a
 * script, as npm installs it, stands before the program.
 * @param known the fields that a record can have, none with a space
 * @throws Problem when a field is unknown
 */
export const fieldsOf = (flags: GlobalFlags, known: readonly string[]): readonly string[] | null => {
  const fields = fieldsIn(flags)?.flatMap((field) => field.split(/\s+/)) ?? null;
  const unknown = fields?.find((field) => !known.includes(field));
  if (unknown === undefined) return fields;
  const near = nearest(unknown, known);
  throw usage(`there is no field ${JSON.stringify(unknown)}`,
    `${near === null ? '' : `did you mean ${near}? `}fields: ${known.join(', ')}`);
};

/** Prints a single text: as JSON where that is asked for, else as it is, safe on a terminal. */
export const printValue = async (app: App, flags: GlobalFlags, value: string): Promise<void> => {
  formatOf(flags);
  const { out } = app;
  if (flags.jq !== undefined) return (await jqOver(app, flags.jq))(JSON.stringify(value));
  const text = wantsJson(flags) ? jsonText(value, out) : out.isTerminal ? plainText(value) : value;
  await out.write(`${text}\n`);
};
