import { CommanderError, type Command } from 'commander';
import { usage } from '../errors/failure.js';

/** Replaces the error for a missing subcommand with one that lists the subcommands; returns other errors unchanged. */
export const orMissingCommand = (error: unknown, root: Command, argv: readonly string[]): unknown => {
  if (!(error instanceof CommanderError) || error.code !== 'commander.help') return error;
  const last = lastCommand(root, argv);
  return usage(last.parent ? `missing command after ${last.name()}` : 'missing command', subcommandHint(last));
};

/** The subcommands of a command, as a hint. */
export const subcommandHint = ({ commands }: Command): string =>
  `use one of: ${commands.map((command) => command.name()).join(', ')}; --help shows more`;

/** The deepest command in the arguments, ignoring flags and their values. */
const lastCommand = (root: Command, argv: readonly string[]): Command =>
  argv.reduce((found, word) => found.commands.find((command) => command.name() === word) ?? found, root);
