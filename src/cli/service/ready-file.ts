import { isObject, jsonOrNull } from '../../wire/json.js';
import type { App } from '../app.js';
import { usage } from '../command-line/failure.js';
import { unwritable } from '../terminal/io/streams.js';
import type { UsableServer } from './server-lines.js';

type Ready = Pick<UsableServer, 'url' | 'tokens'>;

export const readyText = ({ program: { pid } }: App, { url, tokens }: Ready): string =>
  `${JSON.stringify({ url, pid, tokens })}\n`;

interface ReadyFile {
  readonly write: (ready: Ready) => Promise<void>;
  /** Unless another server has written it since. */
  readonly remove: () => Promise<void>;
}

const none: ReadyFile = { write: async () => undefined, remove: async () => undefined };

/**
 * Removes the file that an earlier server left: it would say too early that this one is ready.
 * @throws Problem for a file with something else
 */
export const readyFile = async (app: App, path: string | undefined): Promise<ReadyFile> => {
  if (path === undefined) return none;
  const { files, program } = app;
  const kind = await files.kindOf(path);
  if (kind === 'file' || kind === 'link') await removeEarlier(app, path, kind);
  return {
    write: (ready) => files.write(path, readyText(app, ready))
      .catch((cause: unknown) => { throw unwritable(path, cause); }),
    remove: async () => {
      if (kind !== 'stream' && pidIn(await textOf(app, path)) === program.pid) await files.remove(path);
    },
  };
};

const removeEarlier = async (app: App, path: string, kind: 'file' | 'link'): Promise<void> => {
  const text = kind === 'file' ? await textOf(app, path) : null;
  if (text !== '' && pidIn(text) === null) {
    throw usage(`refusing to replace ${path}: ${kind === 'link' ? 'it is a link' : 'no server wrote it'}`,
      'name a new file with --ready-file, or remove this one');
  }
  await app.files.remove(path);
};

/** Null if it cannot be read, or is larger than what a server writes. */
const textOf = ({ files }: App, path: string): Promise<string | null> =>
  files.readLimited(path, largest).then((bytes) => Buffer.from(bytes).toString(), () => null);

/** In bytes: for the tokens of a hundred thousand users. */
const largest = 10_000_000;

/** Of the server that wrote the text; null for another text. */
const pidIn = (text: string | null): number | null => {
  const value = text === null ? null : jsonOrNull(text);
  if (!isObject(value) || Object.keys(value).join() !== 'url,pid,tokens') return null;
  return typeof value['pid'] === 'number' && isObject(value['tokens']) ? value['pid'] : null;
};
