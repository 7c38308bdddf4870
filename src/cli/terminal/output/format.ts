import type { App, Output } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import { type FormatName, type GlobalFlags, namesIn, unknownFields } from '../../command-line/flags.js';
import { plainText } from '../../../text/plain.js';
import { jsonText } from './view.js';
import { formatNamed } from './writers.js';

/**
 * Null for the default. `--json` is short for `-o json`, and with field names it selects the fields or columns of any
 * other format but `id`; `--jq` implies JSON.
 * @throws Problem for conflicting formats
 */
export const chosenFormat = ({ json, jq, output }: GlobalFlags): FormatName | null => {
  if (json === undefined && jq === undefined) return output ?? null;
  if (output === undefined) return 'json';
  const { isJson, valueText, hasColumns } = formatNamed(output);
  if (isJson || (valueText && jq === undefined)) return output;
  if (hasColumns && jq === undefined && json !== '') return output;
  throw usage(`${jq === undefined ? '--json' : '--jq'} and -o ${output} cannot be combined`,
    jq === undefined && hasColumns ? 'name the columns to print: --json=id,body' : 'use only one of them');
};

/** By default a table at a terminal, and its rows alone in a pipe. @throws Problem */
export const formatOf = (flags: GlobalFlags, { isTerminal }: Pick<Output, 'isTerminal'>): FormatName =>
  chosenFormat(flags) ?? (isTerminal ? 'table' : 'tsv');

export const wantsJson = (flags: GlobalFlags): boolean => flags.jq !== undefined || wantsJsonErrors(flags);

/** `--jq` alone filters results only. */
export const wantsJsonErrors = ({ json, output }: GlobalFlags): boolean => json !== undefined
  || (output !== undefined && formatNamed(output).isJson === true);

/** Null for all fields. @throws Problem if there are only commas */
export const fieldsIn = ({ json }: GlobalFlags): readonly string[] | null => {
  if (json === undefined || json === '') return null;
  const fields = namesIn(json);
  if (fields.length > 0) return fields;
  throw usage(`--json=${json} has no field names`, 'use --json without a value to print all fields');
};

/** Null for all fields. @throws Problem for an unknown name */
export const selectedFields = (flags: GlobalFlags, known: readonly string[]): readonly string[] | null => {
  const fields = fieldsIn(flags);
  const unknown = fields?.filter((field) => !known.includes(field)) ?? [];
  if (unknown.length === 0) return fields;
  throw unknownFields(unknown, known);
};

export const printValue = async (app: App, flags: GlobalFlags, value: string): Promise<void> => {
  chosenFormat(flags);
  if (wantsJson(flags)) return printJson(app, flags, value);
  await app.out.write(`${app.out.isTerminal ? plainText(value) : value}\n`);
};

/** @throws Problem for a failing jq expression */
export const printJson = async (app: App, flags: GlobalFlags, value: unknown): Promise<void> => {
  if (flags.jq !== undefined) return (await compileJq(app, flags.jq, flags))(JSON.stringify(value));
  await app.out.write(`${jsonText(value, app.out)}\n`);
};

type Jq = (json: string) => Promise<void>;

/**
 * jq itself runs as WebAssembly. Each result is a line, strings without quotes; on a terminal values are indented.
 * Messages of `debug` and `stderr` go to stderr.
 * @throws Problem for an invalid expression here, for a failing one when it runs
 */
export const compileJq = async ({ out, err }: App, expression: string, { quiet }: GlobalFlags): Promise<Jq> => {
  const jq = await (engine ??= load());
  const flags = out.isTerminal ? ['--indent', '2'] : ['-c'];
  const run = (json: string) => {
    const { stdout, stderr, exitCode } = withMemoryCheck(() => jq.raw(json, expression, flags));
    return { text: resultText(stdout), stderr, hasFailed: exitCode !== 0 || /^jq: error/m.test(stderr) };
  };
  const { hasFailed, stderr } = run('');
  if (hasFailed) throw usage(errorLines(stderr), syntaxHint);
  return async (json) => {
    const { text, stderr, hasFailed } = run(json);
    if (text !== '') await out.write(out.isTerminal ? plainText(text) : text);
    if (hasFailed) throw usage(withoutPositions(stderr), inputHint);
    if (stderr !== '' && !quiet) await err.write(`${plainText(stderr)}\n`);
  };
};

const syntaxHint = "use jq 1.8 syntax, and quote the expression for the shell: -q '.[].id'";

/** Only excerpts on lines of their own make sense. */
const errorLines = (stderr: string): string =>
  stderr.split('\n').filter((line) => line.startsWith('jq: error')).join('\n').replace(/:$/gm, '') || stderr;

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

/** Before the command sends anything. @throws Problem */
export const checkJq = async (app: App, flags: GlobalFlags): Promise<void> => {
  if (flags.jq !== undefined) await compileJq(app, flags.jq, flags);
};

/** Removes the quotes of strings; only they start a line with a quote, because nested values are indented. */
const resultText = (stdout: string): string => stdout === '' ? '' : stdout.split('\n')
  .map((line) => `${line.startsWith('"') ? JSON.parse(line) as string : line}\n`).join('');
