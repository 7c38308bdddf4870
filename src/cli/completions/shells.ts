import type { Command } from 'commander';
import { bash } from './bash.js';
import { fish } from './fish.js';
import { powershell } from './powershell.js';
import { treeOf, type Tree } from './tree.js';
import { zsh } from './zsh.js';

/** The shells that can be completed for, with the file each script is kept in. */
export const shells = {
  bash: { file: 'colloquy.bash', script: bash },
  zsh: { file: '_colloquy', script: zsh },
  fish: { file: 'colloquy.fish', script: fish },
  powershell: { file: 'colloquy.ps1', script: powershell },
} as const satisfies Readonly<Record<string, { file: string; script: (tree: Tree) => string }>>;
export type Shell = keyof typeof shells;

/** The completion script of a shell for a program with every verb loaded. */
export const completionScript = (shell: Shell, program: Command): string => shells[shell].script(treeOf(program));
