import { isatty, type WriteStream } from 'node:tty';
import type { App, Input, Output } from '../app.js';
import { StdoutClosed, usage } from '../errors/failure.js';
import { colorsOf, withoutColorVariables } from './style.js';

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
    colors: colorsOf(env, terminal !== null, terminal?.getColorDepth(withoutColorVariables(env)) ?? 1),
  };
};

/** Only an error of stdout itself says so: a connection to a service breaks with the same code. */
const isClosed = (file: 1 | 2, { code }: NodeJS.ErrnoException): boolean => file === 1 && code === 'EPIPE';

/** Nobody reads what is said beside the result: no reason to fail. */
export const ignoringErrors = (output: Output): Output =>
  ({ ...output, write: (text) => output.write(text).catch(() => undefined) });

/** The bytes of a file that the user named; `-` is standard input. @throws Problem when it can't be read */
export const readBytes = async ({ files, stdin }: App, path: string): Promise<Uint8Array> => {
  if (path === '-') return stdin.read();
  try {
    return await files.read(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw usage(`cannot read ${path || 'an empty path'}: ${reasons[code] ?? code}`, 'check the path');
  }
};

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file', EISDIR: 'it is a folder', EACCES: 'permission denied',
};

/** The text of a file that the user named. @throws Problem when it can't be read or is not UTF-8 */
export const readText = async (app: App, path: string): Promise<string> => utf8(await readBytes(app, path), path);

/** Bytes as text. @throws Problem when they are not UTF-8 */
export const utf8 = (bytes: Uint8Array, path: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage(`${path === '-' ? 'standard input' : path} is not UTF-8 text`,
      'convert it to UTF-8 first');
  }
};

/** The text of a PEM file that a flag or setting names. @throws Problem when it can't be read or is none */
export const readPem = async (app: App, path: string): Promise<string> => {
  const text = await readText(app, path);
  if (/^-----BEGIN [A-Z0-9 ]+-----$/m.test(text.replaceAll('\r', ''))) return text;
  throw usage(`${path} is not a PEM file`, 'use a text file with a line like -----BEGIN CERTIFICATE-----');
};

/**
 * Standard input that is read once: a second reader would get nothing, and an empty text takes away what a field held.
 * @throws Problem at the second reading
 */
export const readOnce = (input: Input): Input => {
  let isRead = false;
  return {
    ...input,
    read: async () => {
      if (isRead) throw usage('standard input can be used only once', 'put one of the inputs into a file');
      isRead = true;
      return input.read();
    },
  };
};
