import { spawnSync } from 'node:child_process';

/** @returns stdout @throws Error with what the command printed */
export const run = (command, args, { cwd, shows = false } = {}) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd, encoding: 'utf8', stdio: ['ignore', shows ? 'inherit' : 'pipe', shows ? 'inherit' : 'pipe'],
  });
  if (status === 0) return (stdout ?? '').trim();
  throw error ?? new Error(`${[command, ...args].join(' ')} failed\n${stderr ?? ''}`.trim());
};

export const git = (folder, ...args) => run('git', args, { cwd: folder });
