import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The memory use of the process in bytes, after garbage collection. */
export const memoryHeld = (): { readonly heap: number; readonly buffers: number } => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed + external, buffers: arrayBuffers };
};
