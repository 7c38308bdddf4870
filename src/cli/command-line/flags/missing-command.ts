import { CommanderError, type Command } from 'commander';
import { usage } from '../errors/failure.js';

/** Lists the subcommands; returns other errors unchanged. */
export const orMissingCommand = (error: unknown, root: Command, argv: readonly string[]): unknown => {
  if (!(error instanceof CommanderError) || error.code !== 'commander.help') return error;
  const last = lastCommand(root, argv);
  return usage(last.parent ? `missing command after ${last.name()}` : 'missing command', subcommandHint(last));
};

export const subcommandHint = ({ commands }: Command): string =>
  `use one of: ${commands.map((command) => command.name()).join(', ')}; --help shows more`;

/** Ignores flags and their values. */
const lastCommand = (root: Command, argv: readonly string[]): Command =>
  argv.reduce((found, word) => found.commands.find((command) => command.name() === word) ?? found, root);
