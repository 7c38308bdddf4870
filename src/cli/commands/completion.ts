import { Argument, type Command } from 'commander';
import type { App } from '../app.js';
import { completionScript, shells, type Shell } from '../help/completions/shells.js';
import { defineCommand } from '../command-line/command.js';

export const completionCommand = (app: App, summary: string, every: () => Promise<Command>): Command =>
  defineCommand('completion', summary, [
    '# Load the completions of bash into this shell\nsource <(colloquy completion bash)',
    '# Load those of zsh\nsource <(colloquy completion zsh)',
    '# Load those of fish\ncolloquy completion fish | source',
  ])
    .addArgument(new Argument('<shell>', 'shell to complete for').choices(Object.keys(shells)))
    .action(async (shell: Shell) => { await app.out.write(await completionScript(shell, await every())); });
