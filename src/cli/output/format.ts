import type { GlobalFlags } from '../flags/global.js';
import { usage } from '../failures.js';

/** The output formats by their name on the command line. */
export const formats = ['table', 'json', 'ndjson', 'yaml', 'csv', 'markdown', 'id'] as const;
export type FormatName = (typeof formats)[number];

/** The format of a result. `--json` is short for `-o json`, and may name fields for any format of whole records. */
export const formatOf = ({ json, output }: GlobalFlags): FormatName => {
  if (json === undefined) return output ?? 'table';
  if (output === undefined || output === 'json') return 'json';
  if (output === 'ndjson' || output === 'yaml') return output;
  throw usage(`--json and -o ${output} ask for two formats`);
};

/**
 * The fields that `--json=f,f` names, or null for all.
 * @param known the fields that a record can have
 * @throws Problem when a field is unknown
 */
export const fieldsOf = ({ json }: GlobalFlags, known: readonly string[]): readonly string[] | null => {
  if (json === undefined || json === '') return null;
  const fields = json.split(',').map((field) => field.trim()).filter((field) => field !== '');
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown !== undefined) throw usage(`there is no field ${JSON.stringify(unknown)}`, `fields: ${known.join(', ')}`);
  return fields;
};
