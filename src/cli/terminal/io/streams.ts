import { isatty, type WriteStream } from 'node:tty';
import { readReasons } from '../../../text/messages.js';
import type { App, Output } from '../../app.js';
import { Problem, StdoutClosed, usage } from '../../command-line/failure.js';
import { colorsOf, withoutColorVariables } from './style.js';

/**
 * Opens the stream at the first text, unless it is a terminal, whose size is needed (0 if unknown). An empty one is
 * written when all before it is. Write errors reject the write, so the stream's error event is ignored.
 */
export const outputTo = (file: 1 | 2, open: () => WriteStream, env: App['env']): Output => {
  let isOpen = false;
  let isClosed = false;
  const opened = () => {
    const stream = open();
    isOpen = true;
    return stream.listenerCount('error') === 0 ? stream.on('error', () => undefined) : stream;
  };
  const writeBytes = (content: string | Uint8Array) => new Promise<void>((resolve, reject) => {
    if (isClosed || content === '' && !isOpen) return resolve();
    opened().write(content, (error: NodeJS.ErrnoException | null | undefined) => {
      isClosed ||= error?.code === 'EPIPE';
      if (error && !isClosed) reject(error);
      else resolve();
    });
  });
  const terminal = isatty(file) ? opened() : null;
  return {
    write: (text) => writeBytes(file === 2 ? inertInLog(text, env) : text), writeBytes, isClosed: () => isClosed,
    isTerminal: terminal !== null,
    columns: terminal?.columns || 80,
    rows: terminal?.rows || 24,
    colors: colorsOf(env, terminal !== null, terminal?.getColorDepth(withoutColorVariables(env)) ?? 1),
  };
};

/** Runners of GitHub and Azure carry out commands in the log of a job: `::` at the start of a line, `##[` anywhere. */
export const inertInLog = (text: string, env: App['env']): string => !env['GITHUB_ACTIONS'] && !env['TF_BUILD'] ? text
  : text.replace(/##(?=(?:vso)?\[)/gi, '#\\u0023').replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1\\u003a');

/** For text that is read in a log too; rows, JSON and documents for programs stay as they are. */
export const inertOutput = ({ out, env }: App): Output =>
  ({ ...out, write: (text) => out.write(inertInLog(text, env)) });

/**
 * For what would only go on to print. A command that checks or changes something ends with its result, read or not.
 * @throws StdoutClosed if nobody reads the output
 */
export const throwIfClosed = ({ isClosed }: Output): void => {
  if (isClosed()) throw new StdoutClosed();
};

/** A full stderr is no reason to fail. */
export const ignoringErrors = (output: Output): Output =>
  ({ ...output, write: (text) => output.write(text).catch(() => undefined) });

/** In bytes: of a file, a pipe or standard input. */
export const largestInput = 268_435_456;

/** @param path `-` for standard input @param from the setting that names it @throws Problem if it cannot be read */
export const readBytes = async ({ files, stdin, signal }: App, path: string, from?: string): Promise<Uint8Array> => {
  const project = path === '-' || from !== undefined ? undefined : await files.projectOf(path);
  try {
    if (path === '-') return await stdin.read();
    return project === undefined ? await files.read(path) : await files.readLimited(path, largestInput, project);
  } catch (error) {
    if (error instanceof Problem || signal.aborted) throw error;
    throw unreadable(error, path, project, largestInput, from);
  }
};

/** @param path `-` for standard input @throws Problem if it is larger, not a regular file, or cannot be read */
export const readLimited = async ({ files, stdin }: App, path: string, most: number): Promise<Uint8Array> => {
  if (path === '-') {
    const bytes = await stdin.read();
    if (bytes.length > most) throw usage(`standard input is larger than ${most} bytes`, 'pass a smaller text');
    return bytes;
  }
  const project = await files.projectOf(path);
  return files.readLimited(path, most, project)
    .catch((error: unknown) => { throw unreadable(error, path, project, most); });
};

/** @param project in whose folder the file must be: a merge request can add links to whatever the job can read */
const unreadable = (
  error: unknown, path: string, project: string | undefined, most: number, from = 'the path',
): Problem => {
  if (project !== undefined && notInProject.has((error as NodeJS.ErrnoException).code ?? '')) {
    return usage(`cannot read ${path}: in CI it must be a regular file inside ${project}`,
      'let the job write the file, or name one outside of the project');
  }
  const name = path === '-' ? 'standard input' : path || 'an empty path';
  return usage(`cannot read ${name}: ${readProblem(error, most)}`, `check ${from}`);
};

const notInProject = new Set(['EOUTSIDE', 'ENOTFILE', 'ENXIO']);

export const readProblem = (error: unknown, most = 0): string => {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return code === 'EFBIG' ? `it is larger than ${most} bytes` : reasons[code] ?? code;
};

const reasons: Readonly<Record<string, string>> = {
  ...readReasons,
  ENOTFILE: 'it is not a regular file', ENXIO: 'it is not a regular file', EOUTSIDE: 'it is outside the folder',
};

export const writingTo = async (path: string, write: () => Promise<void>): Promise<void> => {
  try {
    await write();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    const text = `cannot write ${path}: ${writeProblem(error)}`;
    if (Object.hasOwn(fullReasons, code)) {
      throw new Problem('failure', text, code === 'EFBIG' ? 'write less, or raise the limit' : 'free some space');
    }
    if (!Object.hasOwn(writeReasons, code)) throw error;
    throw usage(text, 'check the path');
  }
};

/** For a file that the program will need, before it starts. */
export const unwritable = (path: string, cause: unknown): Problem =>
  new Problem('usage', `cannot write ${path}: ${writeProblem(cause)}`,
    'use a path in an existing folder that you can write to', { cause });

export const writeProblem = (error: unknown): string => {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  return writeReasons[code] ?? fullReasons[code] ?? code;
};

const fullReasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full', EDQUOT: 'the disk quota is exceeded', EFBIG: 'the file is larger than the system allows',
};

const writeReasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such folder', ENOTDIR: 'no such folder', EISDIR: 'it is a folder', EACCES: 'permission denied',
  EROFS: 'the disk is read-only', ENXIO: 'no program reads the pipe',
};

/** @throws Problem if the file cannot be read or is not UTF-8 */
export const readText = async (app: App, path: string): Promise<string> => utf8(await readBytes(app, path), path);

export const utf8 = (bytes: Uint8Array, path: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage(`${path === '-' ? 'standard input' : path} is not UTF-8 text`,
      'convert it to UTF-8 first');
  }
};

/**
 * @param from the flag or setting that names the file
 * @throws Problem if it cannot be read, is not PEM, has no such part, or is a key with a passphrase
 */
export const readPem = async (app: App, path: string, from: string): Promise<string> => {
  const text = utf8(await readBytes(app, path, from), path);
  const [, ...kinds] = `\n${text.replaceAll('\r', '')}`.split(/\n-----BEGIN ([A-Z0-9 ]+)-----(?=\n|$)/);
  const part = /-key\b/.test(from) ? 'private key' : 'certificate';
  const mark = part.toUpperCase();
  if (kinds.length === 0) {
    throw usage(`${path} is not a PEM file`, `set ${from} to a text file with a line like -----BEGIN ${mark}-----`);
  }
  if (!kinds.some((kind) => kind.endsWith(mark))) {
    throw usage(`${path} has no ${part}`, `set ${from} to the file with the ${part}`);
  }
  if (part === 'private key' && /^(-----BEGIN ENCRYPTED |Proc-Type: 4,ENCRYPTED)/m.test(text)) {
    throw usage(`the private key in ${path} has a passphrase`,
      `set ${from} to a copy without one, which \`openssl pkey -in KEY -out COPY\` writes`);
  }
  return text;
};
