import { CommanderError, type Command } from 'commander';
import { usage } from '../errors/failure.js';

/** An error with more to say where a command line ended too soon: which words can follow. Others stay as they are. */
export const orUnfinished = (error: unknown, root: Command, argv: readonly string[]): unknown => {
  if (!(error instanceof CommanderError) || error.code !== 'commander.help') return error;
  const last = lastNamed(root, argv);
  return usage(last.parent ? `missing command after ${last.name()}` : 'missing command', whatFollows(last));
};

/** The words that can follow a command, as a hint. */
export const whatFollows = ({ commands }: Command): string =>
  `use one of: ${commands.map((command) => command.name()).join(', ')}; --help shows more`;

/** The command that the words lead to; flags and their values between them name none. */
const lastNamed = (root: Command, argv: readonly string[]): Command =>
  argv.reduce((at, word) => at.commands.find((command) => command.name() === word) ?? at, root);
