import { nearestName } from '../../text/nearest.js';
import type { App } from '../app.js';
import { usage } from '../errors/failure.js';
import type { FormatName, GlobalFlags } from '../flags/global.js';
import { plainText } from '../io/plain.js';
import { jsonText } from './view.js';
import { outputFormats } from './writers.js';

/**
 * The format of a result. `--json` is short for `-o json`, and may name fields for any format of whole records; a jq
 * expression reads JSON.
 * @throws Problem when two formats are asked for
 */
export const formatOf = ({ json, jq, output }: GlobalFlags): FormatName => {
  if (json === undefined && jq === undefined) return output ?? 'table';
  if (output === undefined) return 'json';
  const { isJson, valueText } = outputFormats[output];
  if (isJson || (valueText && jq === undefined)) return output;
  throw usage(`${jq === undefined ? '--json' : '--jq'} and -o ${output} cannot be combined`,
    'use only one of them');
};

/** Whether the result, and with it an error, is for a program that reads JSON. */
export const wantsJson = ({ json, jq, output }: GlobalFlags): boolean =>
  json !== undefined || jq !== undefined || (output !== undefined && outputFormats[output].isJson === true);

/** The words that `--json=f,f` holds, or null for all fields. @throws Problem for commas alone */
export const fieldsIn = ({ json }: GlobalFlags): readonly string[] | null => {
  if (json === undefined || json === '') return null;
  const fields = json.split(',').map((field) => field.trim()).filter((field) => field !== '');
  if (fields.length > 0) return fields;
  throw usage(`--json=${json} has no field names`, 'use --json without a value to print all fields');
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
  const near = nearestName(unknown, known);
  throw usage(`unknown field ${JSON.stringify(unknown)}`,
    `${near === null ? '' : `did you mean ${near}? `}fields: ${known.join(', ')}`);
};

/** Prints a single text: as JSON where that is asked for, else as it is, safe on a terminal. */
export const printValue = async (app: App, flags: GlobalFlags, value: string): Promise<void> => {
  formatOf(flags);
  const { out } = app;
  if (flags.jq !== undefined) return (await compileJq(app, flags.jq))(JSON.stringify(value));
  const text = wantsJson(flags) ? jsonText(value, out) : out.isTerminal ? plainText(value) : value;
  await out.write(`${text}\n`);
};

/** Runs the expression over JSON texts, one after another, and prints what comes out. */
export type Jq = (json: string) => Promise<void>;

/**
 * The jq expression of a command line, ready to run: jq itself, as WebAssembly. Every result is a line of its own,
 * texts without quotes; on a terminal values are indented. Messages of `debug` and `stderr` go to stderr.
 * @throws Problem in jq's own words, here for an expression that is none, in the run for one that fails
 */
export const compileJq = async ({ out, err }: App, expression: string): Promise<Jq> => {
  const jq = await (engine ??= load());
  const flags = out.isTerminal ? ['--indent', '2'] : ['-c'];
  const run = (json: string) => {
    const { stdout, stderr, exitCode } = catchingOutOfMemory(() => jq.raw(json, expression, flags));
    return { text: resultText(stdout), said: stderr, hasFailed: exitCode !== 0 || /^jq: error/m.test(stderr) };
  };
  const { hasFailed, said } = run('');
  if (hasFailed) throw usage(said, "use jq 1.8 syntax, and quote the expression for the shell: -q '.[].id'");
  return async (json) => {
    const { text, said, hasFailed } = run(json);
    if (text !== '') await out.write(out.isTerminal ? plainText(text) : text);
    if (hasFailed) throw usage(withoutPositions(said), inputHint);
    if (said !== '') await err.write(`${plainText(said)}\n`);
  };
};

/** jq counts lines of what it reads, which are none of the user's, and says the same for each of them. */
const withoutPositions = (said: string): string =>
  [...new Set(said.replace(/^(jq: error) \(at \/dev\/stdin:\d+\)/gm, '$1').split('\n'))].join('\n');

const inputHint =
  "write it for the output of --json: a list is one array (-q '.[].id'), with -o ndjson each record (-q .id)";

/** What jq may take of memory is bounded; it can't go on from there, so the next run gets another. */
const catchingOutOfMemory = <T>(work: () => T): T => {
  try {
    return work();
  } catch (cause) {
    engine = undefined;
    if ((cause as Error).name !== 'RuntimeError') throw cause;
    throw usage('jq ran out of memory',
      'use -o ndjson to read one record at a time, and check the expression for endless recursion');
  }
};

/** Loaded once in a process; it keeps nothing from one run to the next. */
let engine: ReturnType<typeof load> | undefined;
const load = async () => (await import('jq-wasm/inline')).loadJq();

/** Refuses an expression that is none before the command does anything. @throws Problem */
export const checkJq = async (app: App, { jq }: GlobalFlags): Promise<void> => {
  if (jq !== undefined) await compileJq(app, jq);
};

/** A result that is a text begins with its quote where no other line can: what is inside a value is indented. */
const resultText = (stdout: string): string => stdout === '' ? '' : stdout.split('\n')
  .map((line) => `${line.startsWith('"') ? JSON.parse(line) as string : line}\n`).join('');
