import { readdirSync, readFileSync } from 'node:fs';

/** Processor time of all threads of a process in milliseconds. Linux only. */
export const processorTime = (pid) => readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
  try {
    return sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return sum;
  }
}, 0);
