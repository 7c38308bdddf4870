import { CommanderError, type Command } from 'commander';
import { usage } from './failures.js';

/** An error with more to say where a command line ended too soon: which words can follow. Others stay as they are. */
export const orUnfinished = (error: unknown, root: Command, argv: readonly string[]): unknown => {
  if (!(error instanceof CommanderError) || error.code !== 'commander.help') return error;
  const last = lastNamed(root, argv);
  const words = last.commands.map((command) => command.name()).join(', ');
  return usage(`${last.parent ? `${last.name()} is` : 'the command is'} not complete`,
    `what can follow: ${words}; --help tells more`);
};

/** The command that the words lead to; flags and their values between them name none. */
const lastNamed = (root: Command, argv: readonly string[]): Command =>
  argv.reduce((at, word) => at.commands.find((command) => command.name() === word) ?? at, root);
