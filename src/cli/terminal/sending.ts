import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import { progressOn } from './progress.js';

/** Shows on a terminal that files are on their way, for as long as they are. @param bytes how much they are */
export const whileSending = async <T>(
  app: App, flags: GlobalFlags, bytes: number, send: () => Promise<T>,
): Promise<T> => {
  const progress = progressOn(app, flags);
  await progress.tell(`sending ${sizeOf(bytes)} …`);
  try {
    return await send();
  } finally {
    await progress.done();
  }
};

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
