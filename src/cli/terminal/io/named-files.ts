import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { consent, sayIfDryRun } from './messages.js';
import { readProblem, writingTo } from './streams.js';

export interface NewFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  /** Of a file that the user did not name: a link in its place to a file outside this folder may be replaced. */
  readonly folder?: string;
}

/** Leaves files that have the content. @returns how many are written @throws Problem if one may not be replaced */
export const writeFiles = async (app: App, flags: GlobalFlags, files: readonly NewFile[]): Promise<number> => {
  const states = await Promise.all(files.map(async (file) => ({ file, state: await fileState(app, file) })));
  const replaced = states.filter(({ state }) => state === 'different').map(({ file }) => file.path);
  const written = states.filter(({ state }) => state !== 'same').map(({ file }) => file);
  if (replaced.length > 0) await consent(app, flags, `replace ${replaced.join(' and ')}`);
  for (const { path, content } of written) await writeNamed(app, flags, path, () => app.files.write(path, content));
  return written.length;
};

/**
 * Asks before the content is known, as to read it may take long. What an earlier run wrote is replaced without a
 * question. @param isEarlier of the first line @throws Problem if the file may not be replaced
 */
export const askToReplace = async (
  app: App, flags: GlobalFlags, path: string, isEarlier: (line: string) => boolean,
): Promise<void> => {
  if (await fileState(app, { path, content: '' }) !== 'different') return;
  const [line] = new TextDecoder().decode(await app.files.read(path)).split('\n', 1);
  if (!isEarlier(line!)) await consent(app, flags, `replace ${path}`);
};

export const writeNamed = async (
  app: App, flags: GlobalFlags, path: string, write: () => Promise<void>,
): Promise<void> => {
  if (flags.dryRun) await sayIfDryRun(app, flags, `write ${path}`);
  else await writingTo(path, write);
};

/** Pipes and devices take any content, and an empty file has nothing to lose. @throws Problem */
const fileState = async (app: App, { path, content, folder }: NewFile): Promise<'missing' | 'same' | 'different'> => {
  const wanted = Buffer.from(content);
  const kind = await app.files.kindOf(path);
  if (kind === 'stream') return 'missing';
  if (kind === 'link' && folder === undefined) {
    throw usage(`cannot write ${path}: it is a link`, 'name the file that it leads to');
  }
  try {
    const found = await app.files.readLimited(path, wanted.length, folder);
    if (wanted.equals(found)) return 'same';
    return found.length === 0 && kind !== 'link' ? 'missing' : 'different';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EFBIG' || code === 'EOUTSIDE') return 'different';
    if (code === 'ENOENT') return kind === 'link' ? 'different' : 'missing';
    throw usage(`cannot write ${path}: ${readProblem(error)}`, 'check the path');
  }
};
