import type { Observer } from '../../client/middleware/events.js';
import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';

/** One line at the bottom of a terminal that tells how far long work has come. */
export interface Progress {
  /** Puts a text, one of our own, in place of the one before; what does not fit on the line is left out. */
  readonly show: (text: string) => Promise<void>;
  /** Takes the line away; to be called before anything else is written, and at the end. */
  readonly done: () => Promise<void>;
}

const silent: Progress = { show: async () => undefined, done: async () => undefined };

/**
 * Progress on stderr, where that is a terminal that can take a line back. `--quiet` silences it, and `--debug` tells
 * more than it could.
 */
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

/** Shows a text of our own in such a line for as long as the work takes. */
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

/** Shows on a terminal that files are on their way, for as long as they are. @param bytes how much they are */
export const withUploadProgress = <T>(
  app: App, flags: GlobalFlags, bytes: number, send: () => Promise<T>,
): Promise<T> =>
  withProgress(app, flags, `sending ${sizeOf(bytes)}`, send);

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Shows on a terminal that a call waits before it is sent again, and for how long, until it goes out. */
export const retryProgress = (app: App, flags: GlobalFlags): Observer => {
  const progress = progressOn(app, flags);
  const waiting = new Set<string>();
  return (event) => {
    if (event.type === 'retry') {
      waiting.add(event.request);
      void progress.show(`${causeOf(event.reason)}; retrying in ${secondsOf(event.wait)} s …`);
    }
    if (event.type === 'request' && waiting.delete(event.request)) void progress.done();
  };
};

const causeOf = (reason: string): string => /^status /.test(reason)
  ? `the service is busy (${reason.slice('status '.length)})` : `cannot reach the service (${reason})`;

const secondsOf = (wait: number): string => wait < 1000 ? (wait / 1000).toFixed(1) : String(Math.ceil(wait / 1000));
