import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the process holds, in bytes, once what is no longer referenced was collected. */
export const memoryHeld = (): { readonly heap: number; readonly buffers: number } => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed + external, buffers: arrayBuffers };
};
