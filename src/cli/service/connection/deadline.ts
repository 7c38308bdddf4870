import type { Command } from 'commander';
import { readDuration } from '../../../wire/time-text.js';
import { clearTimeout, longestTimer, setTimeout } from '../../../wire/timers.js';
import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import { commandPath } from '../../command-line/command.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { lastFailure } from '../../terminal/io/messages.js';
import { isCi } from '../settings/settings.js';

export class DeadlinePassed extends Problem {}

/** A job that nobody watches must end, whatever the service sends. */
const defaultInCi = '10m';

/** These have no default: they end on a signal, or at a time that the user sets. */
const lasting: ReadonlySet<string> = new Set([
  'serve', 'mcp', 'discussions watch', 'appearance preview', 'appearance banner',
]);

/** The commands that an agent calls are part of one run. */
export const startDeadline = (
  { deadline, env, agent, activity }: App, command: Command, flags: Pick<GlobalFlags, 'deadline'>,
): void => {
  const isDefault = isCi(env) && agent === undefined && !lasting.has(commandPath(command));
  const text = flags.deadline ?? (isDefault ? defaultInCi : undefined);
  if (text === undefined) return;
  const hint = flags.deadline === undefined ? `pass a longer --deadline: it is ${defaultInCi} in CI by default`
    : 'pass a longer --deadline';
  deadline.set(readDuration(text)!, () =>
    new DeadlinePassed('unavailable', `the command did not end within ${text}${lastFailure(activity)}`, hint));
};

/** The time of the work is not counted; after it, the whole time starts again. */
export const withoutDeadline = async <T>({ deadline }: App, work: () => Promise<T>): Promise<T> => {
  deadline.stop();
  try {
    return await work();
  } finally {
    deadline.restart();
  }
};

/** It does not keep the process alive. */
export const createDeadline = (abort: (reason: Error) => void): App['deadline'] => {
  let timer: NodeJS.Timeout | undefined;
  let start = () => undefined as void;
  const stop = () => { clearTimeout(timer); };
  return {
    set: (milliseconds, reason) => {
      start = () => {
        stop();
        timer = setTimeout(() => { abort(reason()); }, Math.min(milliseconds, longestTimer)).unref();
      };
      start();
    },
    restart: () => { start(); },
    stop,
  };
};
