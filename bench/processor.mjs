import { readdirSync, readFileSync } from 'node:fs';

/** Processor time that a process has taken in all its threads, in milliseconds. Linux alone tells it. */
export const processorTime = (pid) => readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
  try {
    return sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return sum;
  }
}, 0);
