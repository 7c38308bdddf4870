import { isatty, type WriteStream } from 'node:tty';
import type { App, Output } from '../app.js';
import { StdoutClosed } from '../errors/failure.js';
import { colorsOf, withoutSwitches } from './style.js';

/**
 * Standard output or standard error.
 *
 * Node makes a stream when it is asked for it the first time: that is left until something is written, unless it leads
 * to a terminal, whose size has to be known. One that does not know its size says 0. A stream that breaks is told by
 * the failed write, so its event is heard and let go.
 * @param open gives the stream
 */
export const outputTo = (file: 1 | 2, open: () => WriteStream, env: App['env']): Output => {
  const opened = () => {
    const stream = open();
    return stream.listenerCount('error') === 0 ? stream.on('error', () => undefined) : stream;
  };
  const write = (content: string | Uint8Array) => new Promise<void>((resolve, reject) => {
    opened().write(content, (error) => {
      if (error) reject(isClosed(file, error) ? new StdoutClosed('stdout is closed', { cause: error }) : error);
      else resolve();
    });
  });
  const terminal = isatty(file) ? opened() : null;
  return {
    write, writeBytes: write,
    isTerminal: terminal !== null,
    columns: terminal?.columns || 80,
    rows: terminal?.rows || 24,
    colors: colorsOf(env, terminal !== null, terminal?.getColorDepth(withoutSwitches(env)) ?? 1),
  };
};

/** Only an error of stdout itself says so: a connection to a service breaks with the same code. */
const isClosed = (file: 1 | 2, { code }: NodeJS.ErrnoException): boolean => file === 1 && code === 'EPIPE';

/** Nobody reads what is said beside the result: no reason to fail. */
export const lenient = (output: Output): Output =>
  ({ ...output, write: (text) => output.write(text).catch(() => undefined) });
