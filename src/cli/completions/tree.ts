import type { Argument, Command, Option } from 'commander';

/** A flag as shells need it. */
export interface Flag {
  readonly names: readonly string[];
  readonly text: string;
  readonly takesValue: boolean;
  /** The value stands behind `=` and may be left out. */
  readonly isOptional: boolean;
  readonly choices: readonly string[];
  readonly isFile: boolean;
}

/** A command as shells need it: the words that lead to it, and what may follow. */
export interface Node {
  readonly words: readonly string[];
  readonly text: string;
  readonly flags: readonly Flag[];
  readonly hasCommands: boolean;
  /** Commands below it, or the choices of its first argument. */
  readonly next: readonly { readonly word: string; readonly text: string }[];
}

/** Every command of a loaded tree, parents before children. */
export const nodesOf = (command: Command, words: readonly string[] = []): Node[] => [
  {
    words, text: command.summary(), flags: command.createHelp().visibleOptions(command).map(flagOf),
    hasCommands: command.commands.length > 0,
    next: command.commands.length > 0 ? command.commands.map((sub) => ({ word: sub.name(), text: sub.summary() }))
      : choicesOf(command.registeredArguments[0]),
  },
  ...command.commands.flatMap((sub) => nodesOf(sub, [...words, sub.name()])),
];

/** The names of some flags, short and long. */
export const namesOf = (flags: readonly Flag[]): string[] => flags.flatMap(({ names }) => names);

/** The words of every command as one text each: `notes add`. */
export const placesOf = (nodes: readonly Node[]): string[] =>
  nodes.map(({ words }) => words.join(' ')).filter((place) => place !== '');

const choicesOf = (argument: Argument | undefined) => (argument?.argChoices ?? []).map((word) => ({ word, text: '' }));

const flagOf = (option: Option): Flag => ({
  names: [option.short, option.long].filter((name) => name !== undefined),
  text: option.description,
  takesValue: option.required,
  isOptional: option.optional,
  choices: option.argChoices ?? [],
  isFile: /<path>/.test(option.flags),
});
