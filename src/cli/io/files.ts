import { open, rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a whole file, readable by its owner only: readers see the previous content or all of the new one. An existing
 * unfinished file, or a link with its name, is not written to.
 */
export const writeWhole = (path: string, text: string): Promise<void> =>
  replaceFile(path, (unfinished) => writeFile(unfinished, text, { mode: 0o600, flag: 'wx' }));

/** The same for content that must survive a power cut. */
export const writeDurably = (path: string, content: string | Uint8Array): Promise<void> =>
  replaceFile(path, async (unfinished) => {
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
  });

/** Writes a whole text in parts, of which one at a time is in memory. Rejects with the error of the parts. */
export const writeInParts = (path: string, parts: AsyncIterable<string>): Promise<void> =>
  replaceFile(path, async (unfinished) => {
    const file = await open(unfinished, 'wx', 0o600);
    try {
      for await (const part of parts) await file.writeFile(part);
    } finally {
      await file.close();
    }
  });

const replaceFile = async (path: string, write: (unfinished: string) => Promise<void>): Promise<void> => {
  const unfinished = `${path}.part`;
  await rm(unfinished, { force: true });
  try {
    await write(unfinished);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
};
