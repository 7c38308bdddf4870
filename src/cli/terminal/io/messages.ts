import { plainLine, plainText } from '../../../text/plain.js';
import type { App, Output } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';

export const say = async (app: App, { quiet }: GlobalFlags, text: string): Promise<void> => {
  if (!quiet) await app.err.write(`${await wrappedText(app.err, plainText(text))}\n`);
};

export const wrappedText = async (output: Output, text: string): Promise<string> =>
  mayBeLonger(output, text) ? (await import('./width.js')).wrapLines(text, output.columns) : text;

/** Characters are up to two columns wide. */
const mayBeLonger = ({ isTerminal, columns }: Output, text: string): boolean =>
  isTerminal && text.split('\n').some((line) => line.length * 2 > columns);

/** Wrapped like a message; in the pager if it is longer than the terminal. */
export const showHelp = async (app: App, flags: Pick<GlobalFlags, 'input'>, text: string): Promise<void> => {
  const isLong = mayBeLonger(app.out, text);
  await showText(app, flags, isLong ? (await import('./width.js')).wrapHelp(text, app.out.columns) : text);
};

/** Prompts are written to stderr and answered on stdin. */
export const canAsk = ({ stdin, err }: App, { input }: GlobalFlags): boolean =>
  stdin.isTerminal && err.isTerminal && input !== false;

/**
 * @param action `delete note 5 of mr/1` @param flag confirms without a terminal; on a terminal `--yes` does too
 * @throws Problem without a terminal to ask at, or if the user declines
 */
export const consent = async (
  app: App, flags: GlobalFlags, action: string, flag: '--yes' | '--move' = '--yes',
): Promise<void> => {
  if (flags.dryRun) return sayIfDryRun(app, flags, action);
  if (flags.yes && (flag === '--yes' || canAsk(app, flags))) return;
  if (!canAsk(app, flags)) {
    throw usage(`refusing to ${action} without ${flag === '--yes' ? 'confirmation' : flag}`, `pass ${flag} to confirm`);
  }
  const question = `${action.charAt(0).toUpperCase()}${action.slice(1)}?`;
  if (!await app.ask.confirm(plainLine(question))) throw new Problem('cancelled', 'cancelled');
};

/** @param action `assign &4 to &1` */
export const sayIfDryRun = async (app: App, flags: GlobalFlags, action: string): Promise<void> => {
  if (flags.dryRun) await say(app, flags, `would ${action}`);
};

/** Prints directly if the text fits, if the pager does not start, and with `--no-input`. */
export const showText = async (app: App, { input }: Pick<GlobalFlags, 'input'>, text: string): Promise<void> => {
  const { out, tools } = app;
  const isLong = out.isTerminal && input !== false && await isLonger(text, out.rows, out.columns);
  const pager = isLong ? await pagerOf(app) : null;
  if (pager === null || !await tools.page(pager, text)) await out.write(text);
};

const pagerOf = async ({ env, tools }: App): Promise<string | null> => {
  const named = env['COLLOQUY_PAGER'] ?? env['PAGER'];
  if (named === undefined) return mayUseDefault(env) && await tools.has('less') ? 'less' : null;
  return ['', 'cat'].includes(named.trim()) ? null : named.trim();
};

/** Nobody answers a pager in a CI job, and `less` cannot work on a terminal that cannot move its cursor. */
const mayUseDefault = (env: App['env']): boolean => !env['CI'] && env['TERM'] !== 'dumb';

const isLonger = async (text: string, rows: number, columns: number): Promise<boolean> => {
  const { widthOf } = await import('./width.js');
  let left = rows - 1;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    left -= line.length > columns ? Math.ceil(widthOf(line) / columns) : 1;
    if (left < 0) return true;
  }
  return false;
};
