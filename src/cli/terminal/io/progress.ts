import type { Observer } from '../../../client/events.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from './messages.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';

export interface Progress {
  /** Replaces the line, cut to the width of the terminal. The text is not escaped. */
  readonly show: (text: string) => Promise<void>;
  /** Clears the line; call it before other output and at the end. */
  readonly done: () => Promise<void>;
}

const silent: Progress = { show: async () => undefined, done: async () => undefined };

/** On stderr, if that is a terminal that can clear a line. */
export const progressOn = ({ err, env }: App, { quiet, debug }: GlobalFlags): Progress => {
  if (!err.isTerminal || quiet || debug || env['TERM'] === 'dumb') return silent;
  let isShown = false;
  return {
    show: async (text) => {
      isShown = true;
      await err.write(`\r${text.slice(0, err.columns - 1)}\x1b[K`);
    },
    done: async () => {
      if (isShown) await err.write('\r\x1b[K');
      isShown = false;
    },
  };
};

export const withProgress = async <T>(
  app: App, flags: GlobalFlags, text: string, work: () => Promise<T>,
): Promise<T> => {
  const progress = progressOn(app, flags);
  await progress.show(`${text} …`);
  try {
    return await work();
  } finally {
    await progress.done();
  }
};

/** @param bytes their size */
export const withUploadProgress = <T>(
  app: App, flags: GlobalFlags, bytes: number, send: () => Promise<T>,
): Promise<T> =>
  withProgress(app, flags, `sending ${sizeOf(bytes)}`, send);

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** In milliseconds. Longer waits are reported on a line of their own, even without a terminal. */
const longWait = 2_000;

export const waitReporter = (app: App, flags: GlobalFlags): Observer => {
  const progress = progressOn(app, flags);
  const { waits } = app.activity;
  const waiting = new Set<string>();
  return (event) => {
    if (event.type === 'retry') {
      waits.requests += event.attempt === 2 ? 1 : 0;
      waits.ms += event.wait;
      waiting.add(event.request);
      const text = `${event.request}: ${causeOf(event.reason)}; next attempt in ${secondsOf(event.wait)} s`
        + ` (${event.attempt} of ${event.attempts})`;
      if (event.wait <= longWait) return void progress.show(plainLine(text));
      waits.isReported = true;
      void progress.show('').then(() => progress.done()).then(() => say(app, flags, plainLine(text)));
    }
    if (event.type === 'request' && waiting.delete(event.request)) void progress.done();
  };
};

export const noteReporter = (app: App, flags: GlobalFlags): Observer => {
  const progress = progressOn(app, flags);
  return (event) => {
    if (event.type === 'check' && event.wait > 0) {
      void progress.show(plainLine(`${event.request}: ${causeOf(event.reason)}; looking for the note in `
        + `${secondsOf(event.wait)} s`));
    }
    if (event.type === 'changed') {
      void say(app, flags, `left note ${event.note}: it has the marker of note ${event.kept}, but another text`);
    }
    if (event.type === 'duplicate') void say(app, flags, `deleted note ${event.note}, a copy of note ${event.kept}`);
  };
};

export const reportWaits = async (app: App, flags: GlobalFlags): Promise<void> => {
  const { requests, ms, isReported } = app.activity.waits;
  if (!isReported) return;
  await say(app, flags, `${counted(requests, 'request was', 'requests were')} repeated;`
    + ` waited ${secondsOf(ms)} s in all`);
};

const causeOf = (reason: string): string => /^status /.test(reason)
  ? reason.slice('status '.length) : `cannot reach the service (${reason})`;

const secondsOf = (wait: number): string => wait < 1000 ? (wait / 1000).toFixed(1) : String(Math.ceil(wait / 1000));
