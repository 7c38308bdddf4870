import type { App, Input } from '../app.js';
import { usage } from '../errors/failure.js';

/** The bytes of a file that the user named; `-` is standard input. @throws Problem when it can't be read */
export const readBytes = async ({ files, stdin }: App, path: string): Promise<Uint8Array> => {
  if (path === '-') return stdin.read();
  try {
    return await files.read(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw usage(`${path || 'an empty path'} can't be read: ${reasons[code] ?? code}`, 'check the path');
  }
};

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'no right to read it',
};

/** The text of a file that the user named. @throws Problem when it can't be read or is not UTF-8 */
export const readText = async (app: App, path: string): Promise<string> => utf8(await readBytes(app, path), path);

/** Bytes as text. @throws Problem when they are not UTF-8 */
export const utf8 = (bytes: Uint8Array, path: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage(`${path === '-' ? 'standard input' : path} is not UTF-8 text`,
      'text is taken as UTF-8: convert it first');
  }
};

/** The text of a PEM file that a flag or setting names. @throws Problem when it can't be read or is none */
export const readPem = async (app: App, path: string): Promise<string> => {
  const text = await readText(app, path);
  if (/^-----BEGIN [A-Z0-9 ]+-----$/m.test(text.replaceAll('\r', ''))) return text;
  throw usage(`${path} holds nothing in PEM form`, 'it is a text with a line like -----BEGIN CERTIFICATE-----');
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
      if (isRead) throw usage('two things are to come from standard input', 'put one of them into a file');
      isRead = true;
      return input.read();
    },
  };
};
