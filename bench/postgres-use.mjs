/** What PostgreSQL and servers use of the machine, read from Linux. */
import { readdirSync, readFileSync } from 'node:fs';
import { processorTime } from './processor.mjs';

const read = (pid, file) => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};
const pids = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name));
const parentOf = (pid) => read(pid, 'stat').split(') ')[1]?.split(' ')[1];

/** The processes of the PostgreSQL that listens on a port: the first one, and all it started. */
export const postgresOn = (port) => {
  const isFirst = (pid) => /postgres/.test(read(pid, 'comm')) && read(pid, 'cmdline').includes(`-p\0${port}\0`);
  const first = pids().find(isFirst);
  return { first, all: () => [first, ...pids().filter((pid) => parentOf(pid) === first)] };
};

/** Processor time of processes together, in milliseconds. */
export const timeOf = (processes) => processes.reduce((sum, pid) => sum + processorTime(pid), 0);

/** Memory of processes in MB, what several share counted once. */
export const memoryOf = (processes) => processes.reduce((sum, pid) =>
  sum + Number(/^Pss:\s+(\d+)/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024, 0);

/** Lets processes run for a part of the time only, in turns of a fifth of a second. */
export const holdTo = (share, processes) => {
  const turns = processes.map((pid, i) => setTimeout(() => {
    const turn = () => {
      process.kill(pid, 'SIGCONT');
      turns[i] = setTimeout(() => {
        process.kill(pid, 'SIGSTOP');
        turns[i] = setTimeout(turn, 200 * (1 - share));
      }, 200 * share);
    };
    turn();
  }, 100 * i));
  return () => {
    for (const turn of turns) clearTimeout(turn);
    for (const pid of processes) process.kill(pid, 'SIGCONT');
  };
};
