import type { App } from '../app.js';
import type { GlobalFlags } from '../flags/global.js';
import { whileTold } from './progress.js';

/** Shows on a terminal that files are on their way, for as long as they are. @param bytes how much they are */
export const whileSending = <T>(app: App, flags: GlobalFlags, bytes: number, send: () => Promise<T>): Promise<T> =>
  whileTold(app, flags, `sending ${sizeOf(bytes)}`, send);

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
