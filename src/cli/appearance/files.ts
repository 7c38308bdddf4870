import type { App } from '../app.js';
import { usage } from '../command-line/failure.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { consent, sayIfDryRun } from '../terminal/io/messages.js';
import { readProblem, writingTo } from '../terminal/io/streams.js';

export interface NewFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  /** A link in its place to a file outside this folder is replaced, even if that file has the same content. */
  readonly folder?: string;
}

/** Leaves files that have the content. @returns how many are written @throws Problem if one may not be replaced */
export const writeFiles = async (app: App, flags: GlobalFlags, files: readonly NewFile[]): Promise<number> => {
  const states = await Promise.all(files.map(async (file) => ({ file, state: await stateOf(app, file) })));
  const replaced = states.filter(({ state }) => state === 'different').map(({ file }) => file.path);
  const written = states.filter(({ state }) => state !== 'same').map(({ file }) => file);
  if (replaced.length > 0) await consent(app, flags, `replace ${replaced.join(' and ')}`);
  for (const { path, content } of written) {
    if (flags.dryRun) await sayIfDryRun(app, flags, `write ${path}`);
    else await writingTo(path, () => app.files.write(path, content));
  }
  return written.length;
};

const stateOf = async (app: App, { path, content, folder }: NewFile): Promise<'missing' | 'same' | 'different'> => {
  const wanted = Buffer.from(content);
  try {
    return wanted.equals(await app.files.readLimited(path, wanted.length, folder)) ? 'same' : 'different';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EFBIG' || code === 'EOUTSIDE') return 'different';
    if (code === 'ENOENT') return 'missing';
    throw usage(`cannot write ${path}: ${readProblem(error)}`, 'check the path');
  }
};
