import { spawnSync } from 'node:child_process';

const timed = '"$@" >/dev/null && times';

const seconds = (text) => {
  const [, minutes, rest] = /^(\d+)m([\d.]+)s$/.exec(text);
  return Number(minutes) * 60 + Number(rest);
};

/**
 * Runs a program through bash, which counts the processor time of its children; this adds a millisecond or two to every
 * case.
 * @returns milliseconds: wall clock, and user and system processor time
 */
export const costOf = (command, args, env) => {
  const start = performance.now();
  const child = spawnSync('bash', ['-c', timed, 'bash', command, ...args], { env, encoding: 'utf8' });
  const wall = performance.now() - start;
  if (child.status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${child.status}: ${child.stderr}`);
  const [user, system] = child.stdout.trim().split('\n')[1].split(' ').map(seconds);
  return { wall, cpu: (user + system) * 1000 };
};
