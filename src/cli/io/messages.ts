import type { App } from '../app.js';
import { Problem, usage } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import { plainLine, plainText } from './plain.js';

/** Prints a message on stderr that is neither result nor error; `--quiet` silences it. */
export const say = async (app: App, { quiet }: GlobalFlags, text: string): Promise<void> => {
  if (!quiet) await app.err.write(`${plainText(text)}\n`);
};

/** Whether prompts are possible: they are written to stderr and answered on stdin. */
export const canAsk = ({ stdin, err }: App, { input }: GlobalFlags): boolean =>
  stdin.isTerminal && err.isTerminal && input !== false;

/**
 * Asks for confirmation, unless `--yes` gives it.
 * @param action as in "Refusing to …": `delete note 5 of mr/1`
 * @throws Problem when there is no terminal to ask at, or the user declines
 */
export const consent = async (app: App, flags: GlobalFlags, action: string): Promise<void> => {
  if (flags.yes || flags.dryRun) return;
  if (!canAsk(app, flags)) throw usage(`refusing to ${action} without confirmation`, 'pass --yes to confirm');
  const question = `${action.charAt(0).toUpperCase()}${action.slice(1)}?`;
  if (!await app.ask.confirm(plainLine(question))) throw new Problem('cancelled', 'cancelled');
};
