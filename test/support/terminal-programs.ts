import { spawnSync } from 'node:child_process';

const programs = [['tmux', '-V'], ['script', '--version']] as const;

/** The programs on this machine that can provide a terminal. */
export const terminalPrograms = (): readonly ('tmux' | 'script')[] =>
  programs.filter(([program, flag]) => spawnSync(program, [flag]).status === 0).map(([program]) => program);
