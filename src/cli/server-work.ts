import type { App } from './app.js';
import { Problem } from './failures.js';
import type { GlobalFlags } from './flags/global.js';
import { plainLine } from './plain.js';
import { progressOn } from './terminal/progress.js';

/**
 * Does what a server begins with. Large worlds and stores take their time: a terminal is told what of.
 * @param what it is at, if that may be long
 * @throws Problem for a world, a store or an address that can't be used; other errors are faults
 */
export const worked = async <T>(
  app: App, flags: GlobalFlags, what: string | undefined, work: () => Promise<T>,
): Promise<T> => {
  const progress = progressOn(app, flags);
  if (what) await progress.tell(`${plainLine(what)} …`);
  try {
    return await work();
  } catch (error) {
    throw problemOf(error as Refusal) ?? error;
  } finally {
    await progress.done();
  }
};

type Refusal = Error & { hint?: string; code?: string; address?: string; port?: number };

const unusable: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program', EACCES: 'is not for this user to listen at',
  EADDRNOTAVAIL: 'is no address of this machine',
};

const problemOf = (error: Refusal): Problem | null => {
  const { name, message, hint, code = '', address, port } = error;
  if (name === 'WorldError' || name === 'StoreError' || name === 'ListenError') {
    return new Problem('usage', message, hint ?? null, { cause: error });
  }
  if (!Object.hasOwn(unusable, code)) return null;
  return new Problem('failure', `${address}:${port} ${unusable[code]} (${code})`,
    'choose another --host or --port; port 0 picks a free one', { cause: error });
};
