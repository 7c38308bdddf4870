import { Argument, type Command } from 'commander';
import type { App } from '../app.js';
import { verb } from '../flags/command.js';
import type { Shell } from '../completions/shells.js';

const names: readonly Shell[] = ['bash', 'zsh', 'fish', 'powershell'];

export const completionCommand = (app: App, summary: string): Command =>
  verb('completion', summary,
    ['source <(colloquy completion bash)', 'source <(colloquy completion zsh)', 'colloquy completion fish | source'])
    .addArgument(new Argument('<shell>', 'name of the shell').choices([...names]))
    .action((shell: Shell) => completion(app, shell));

/** Loads every verb to see its flags, and no more than that. */
const completion = async (app: App, shell: Shell): Promise<void> => {
  const { wholeProgram } = await import('../program.js');
  const { completionScript } = await import('../completions/shells.js');
  await app.out.write(completionScript(shell, await wholeProgram(app)));
};
