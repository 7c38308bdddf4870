import type { App } from '../app.js';
import { Problem, usage } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import { plainLine, plainText } from './plain.js';

/** Tells the user something on stderr that is neither result nor error; `--quiet` silences it. */
export const say = async (app: App, { quiet }: GlobalFlags, text: string): Promise<void> => {
  if (!quiet) await app.err.write(`${plainText(text)}\n`);
};

/** Whether somebody is there to be asked: questions are written to stderr and answered on stdin. */
export const canAsk = ({ stdin, err }: App, { input }: GlobalFlags): boolean =>
  stdin.isTerminal && err.isTerminal && input !== false;

/**
 * Goes on only with consent: by `--yes`, or by an answer at the terminal.
 * @throws Problem when nobody can be asked, or the answer is no
 */
export const consent = async (app: App, flags: GlobalFlags, question: string): Promise<void> => {
  if (flags.yes || flags.dryRun) return;
  if (!canAsk(app, flags)) throw usage(`this needs a yes: ${question}`, '--yes says it');
  if (!await app.ask.confirm(plainLine(question))) throw new Problem('cancelled', 'cancelled');
};
