import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The memory use of the process in bytes, after garbage collection. */
export const memoryHeld = (): { readonly heap: number; readonly buffers: number } => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Another thread frees buffers after a collection; the next one waits for it.
  collect();
  collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed + external, buffers: arrayBuffers };
};
