import type { App } from '../app.js';
import { usage } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import { plainText } from '../io/plain.js';

/** Runs the expression over JSON texts, one after another, and prints what comes out. */
export type Jq = (json: string) => Promise<void>;

/**
 * The jq expression of a command line, ready to run: jq itself, as WebAssembly. Every result is a line of its own,
 * texts without quotes; on a terminal values are indented. Messages of `debug` and `stderr` go to stderr.
 * @throws Problem in jq's own words, here for an expression that is none, in the run for one that fails
 */
export const jqOver = async ({ out, err }: App, expression: string): Promise<Jq> => {
  const jq = await (engine ??= load());
  const flags = out.isTerminal ? ['--indent', '2'] : ['-c'];
  const run = (json: string) => {
    const { stdout, stderr, exitCode } = orTooMuch(() => jq.raw(json, expression, flags));
    return { text: resultText(stdout), said: stderr, hasFailed: exitCode !== 0 || /^jq: error/m.test(stderr) };
  };
  const { hasFailed, said } = run('');
  if (hasFailed) throw usage(said, "jq 1.8 reads it; quotes keep the shell away: -q '.[].id'");
  return async (json) => {
    const { text, said, hasFailed } = run(json);
    if (text !== '') await out.write(out.isTerminal ? plainText(text) : text);
    if (hasFailed) throw usage(plainly(said), atWork);
    if (said !== '') await err.write(`${plainText(said)}\n`);
  };
};

/** jq counts lines of what it reads, which are none of the user's, and says the same for each of them. */
const plainly = (said: string): string =>
  [...new Set(said.replace(/^(jq: error) \(at \/dev\/stdin:\d+\)/gm, '$1').split('\n'))].join('\n');

const atWork =
  "it runs over what --json prints: a list is one array (-q '.[].id'), or with -o ndjson each record (-q .id)";

/** What jq may take of memory is bounded; it can't go on from there, so the next run gets another. */
const orTooMuch = <T>(work: () => T): T => {
  try {
    return work();
  } catch (cause) {
    engine = undefined;
    if ((cause as Error).name !== 'RuntimeError') throw cause;
    throw usage('jq ran out of memory',
      'with -o ndjson it reads one record at a time; an expression that calls itself has to end');
  }
};

/** Loaded once in a process; it keeps nothing from one run to the next. */
let engine: ReturnType<typeof load> | undefined;
const load = async () => (await import('jq-wasm/inline')).loadJq();

/** Refuses an expression that is none before the command does anything. @throws Problem */
export const checkJq = async (app: App, { jq }: GlobalFlags): Promise<void> => {
  if (jq !== undefined) await jqOver(app, jq);
};

/** A result that is a text begins with its quote where no other line can: what is inside a value is indented. */
const resultText = (stdout: string): string => stdout === '' ? '' : stdout.split('\n')
  .map((line) => `${line.startsWith('"') ? JSON.parse(line) as string : line}\n`).join('');
