import { nearestName } from '../../text/nearest.js';
import type { App } from '../app.js';
import { usage } from '../errors/failure.js';
import type { FormatName, GlobalFlags } from '../flags/global.js';
import { plainText } from '../io/plain.js';
import { jsonText } from './view.js';
import { outputFormats } from './writers.js';

/**
 * The format of a result. `--json` is short for `-o json` and can select fields for other formats with whole records;
 * `--jq` implies JSON.
 * @throws Problem for conflicting formats
 */
export const formatOf = ({ json, jq, output }: GlobalFlags): FormatName => {
  if (json === undefined && jq === undefined) return output ?? 'table';
  if (output === undefined) return 'json';
  const { isJson, valueText } = outputFormats[output];
  if (isJson || (valueText && jq === undefined)) return output;
  throw usage(`${jq === undefined ? '--json' : '--jq'} and -o ${output} cannot be combined`,
    'use only one of them');
};

/** Whether results and errors are printed as JSON. */
export const wantsJson = ({ json, jq, output }: GlobalFlags): boolean =>
  json !== undefined || jq !== undefined || (output !== undefined && outputFormats[output].isJson === true);

/** The values in `--json=f,f`, or null for all fields. @throws Problem if there are only commas */
export const fieldsIn = ({ json }: GlobalFlags): readonly string[] | null => {
  if (json === undefined || json === '') return null;
  const fields = json.split(',').map((field) => field.trim()).filter((field) => field !== '');
  if (fields.length > 0) return fields;
  throw usage(`--json=${json} has no field names`, 'use --json without a value to print all fields');
};

/**
 * The fields in `--json=f,f`, or null for all. Spaces also separate fields, because PowerShell turns commas into spaces
 * when it calls the script that npm installs.
 * @param known the fields of the record, without spaces
 * @throws Problem for an unknown field
 */
export const fieldsOf = (flags: GlobalFlags, known: readonly string[]): readonly string[] | null => {
  const fields = fieldsIn(flags)?.flatMap((field) => field.split(/\s+/)) ?? null;
  const unknown = fields?.find((field) => !known.includes(field));
  if (unknown === undefined) return fields;
  const near = nearestName(unknown, known);
  throw usage(`unknown field ${JSON.stringify(unknown)}`,
    `${near === null ? '' : `did you mean ${near}? `}fields: ${known.join(', ')}`);
};

/** Prints one string: as JSON if requested, else as it is, escaped on a terminal. */
export const printValue = async (app: App, flags: GlobalFlags, value: string): Promise<void> => {
  formatOf(flags);
  const { out } = app;
  if (flags.jq !== undefined) return (await compileJq(app, flags.jq))(JSON.stringify(value));
  const text = wantsJson(flags) ? jsonText(value, out) : out.isTerminal ? plainText(value) : value;
  await out.write(`${text}\n`);
};

/** Prints a value as JSON, through the jq expression if there is one. @throws Problem for a failing expression */
export const printJson = async (app: App, { jq }: GlobalFlags, value: unknown): Promise<void> => {
  if (jq !== undefined) return (await compileJq(app, jq))(JSON.stringify(value));
  await app.out.write(`${jsonText(value, app.out)}\n`);
};

/** Runs a jq expression on a JSON text and prints the results. */
export type Jq = (json: string) => Promise<void>;

/**
 * Compiles a jq expression; jq itself runs as WebAssembly. Each result is printed on its own line, strings without
 * quotes; on a terminal values are indented. Messages of `debug` and `stderr` go to stderr.
 * @throws Problem with the message of jq, for an invalid expression here, for a failing one when it runs
 */
export const compileJq = async ({ out, err }: App, expression: string): Promise<Jq> => {
  const jq = await (engine ??= load());
  const flags = out.isTerminal ? ['--indent', '2'] : ['-c'];
  const run = (json: string) => {
    const { stdout, stderr, exitCode } = withMemoryCheck(() => jq.raw(json, expression, flags));
    return { text: resultText(stdout), stderr, hasFailed: exitCode !== 0 || /^jq: error/m.test(stderr) };
  };
  const { hasFailed, stderr } = run('');
  if (hasFailed) throw usage(stderr, "use jq 1.8 syntax, and quote the expression for the shell: -q '.[].id'");
  return async (json) => {
    const { text, stderr, hasFailed } = run(json);
    if (text !== '') await out.write(out.isTerminal ? plainText(text) : text);
    if (hasFailed) throw usage(withoutPositions(stderr), inputHint);
    if (stderr !== '') await err.write(`${plainText(stderr)}\n`);
  };
};

/** Removes jq's line numbers, which do not refer to the user's text, and then the repeated messages. */
const withoutPositions = (stderr: string): string =>
  [...new Set(stderr.replace(/^(jq: error) \(at \/dev\/stdin:\d+\)/gm, '$1').split('\n'))].join('\n');

const inputHint =
  "write it for the output of --json: a list is one array (-q '.[].id'), with -o ndjson each record (-q .id)";

/** jq cannot continue after it has used its limited memory, so the next run gets a new instance. */
const withMemoryCheck = <T>(work: () => T): T => {
  try {
    return work();
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

/** Rejects an invalid jq expression before the command sends anything. @throws Problem */
export const checkJq = async (app: App, { jq }: GlobalFlags): Promise<void> => {
  if (jq !== undefined) await compileJq(app, jq);
};

/** Removes the quotes of strings; only they start a line with a quote, because nested values are indented. */
const resultText = (stdout: string): string => stdout === '' ? '' : stdout.split('\n')
  .map((line) => `${line.startsWith('"') ? JSON.parse(line) as string : line}\n`).join('');
