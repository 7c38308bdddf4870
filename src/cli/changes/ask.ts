import type { App } from '../app.js';
import { Problem } from '../command-line/failure.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { consent, say, sayIfDryRun } from '../terminal/io/messages.js';

export interface Question {
  readonly lines: readonly string[];
  /** As in "Refusing to …": `apply 2 changes to &1`. */
  readonly action: string;
  /** As for `consent`. */
  readonly flag?: Parameters<typeof consent>[3];
  /** The changes as `--json` lists them in a dry run, for an agent that knows their plan. */
  readonly changes?: readonly object[];
  /** @throws Problem if the service has changed since the plan was shown */
  readonly recheck?: () => Promise<void>;
}

/** ` on https://gitlab.example.com`: one user may have several services. */
export const onService = ({ activity: { service } }: App, { sandbox }: GlobalFlags): string =>
  sandbox ? ' in the sandbox' : service === null ? '' : ` on ${service}`;

/** In a dry run: `would assign &4 to &1 on https://gitlab.example.com`. */
export const sayPlanned = (app: App, flags: GlobalFlags, action: string): Promise<void> =>
  sayIfDryRun(app, flags, `${action}${onService(app, flags)}`);

/**
 * Names the service. Checks the plan again after a question.
 * @throws Problem without a terminal to ask at, or if the user declines
 */
export const agree = async (
  app: App, flags: GlobalFlags, { lines, action, flag, changes = [], recheck }: Question,
): Promise<void> => {
  for (const line of lines) await say(app, flags, line);
  await consent(app, flags, `${action}${onService(app, flags)}`, flag);
  if (flags.dryRun) return;
  app.agent?.approve(changes);
  if (!flags.yes) await recheck?.();
};

/** @param what `the hierarchy` @throws Problem if a second plan has other steps */
export const checkSameSteps = <S>(shown: readonly S[], now: readonly S[], what: string): void => {
  if (JSON.stringify(shown) === JSON.stringify(now)) return;
  throw new Problem('failure', `${what} has changed since the plan was shown`, 'run the command again');
};
