/** Resource use of PostgreSQL and servers, read from /proc on Linux. */
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

/** The processes of the PostgreSQL server on a port: the first one and its children. */
export const postgresOn = (port) => {
  const isFirst = (pid) => /postgres/.test(read(pid, 'comm')) && read(pid, 'cmdline').includes(`-p\0${port}\0`);
  const first = pids().find(isFirst);
  return { first, all: () => [first, ...pids().filter((pid) => parentOf(pid) === first)] };
};

/** Total processor time of processes, in milliseconds. */
export const timeOf = (processes) => processes.reduce((sum, pid) => sum + processorTime(pid), 0);

/** Total memory of processes in MB, with shared memory counted once. */
export const memoryOf = (processes) => processes.reduce((sum, pid) =>
  sum + Number(/^Pss:\s+(\d+)/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024, 0);

/** Limits processes to a share of the time, in periods of a fifth of a second. */
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
