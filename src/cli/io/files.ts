import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a whole file, readable by its owner only: readers see the previous content or all of the new one. An existing
 * unfinished file, or a link with its name, is not written to.
 */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  const unfinished = `${path}.part`;
  await rm(unfinished, { force: true });
  await writeFile(unfinished, text, { mode: 0o600, flag: 'wx' });
  try {
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
};
