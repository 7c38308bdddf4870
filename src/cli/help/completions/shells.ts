import type { Command } from 'commander';

export const shells = {
  bash: { file: 'colloquy.bash', script: async () => (await import('./bash.js')).bash },
  zsh: { file: '_colloquy', script: async () => (await import('./zsh.js')).zsh },
  fish: { file: 'colloquy.fish', script: async () => (await import('./fish.js')).fish },
  powershell: { file: 'colloquy.ps1', script: async () => (await import('./powershell.js')).powershell },
} as const;
export type Shell = keyof typeof shells;

export const completionScript = async (shell: Shell, program: Command): Promise<string> => {
  const script = await shells[shell].script();
  const { treeOf } = await import('./tree.js');
  return script(treeOf(program));
};
