import type { Argument, Command, Option } from 'commander';
import { kindOfArgument, kindOfOption } from '../flags/value-kinds.js';
import { topics } from '../help/topics.js';

/** A flag as shells need it. */
export interface Flag {
  readonly names: readonly string[];
  readonly text: string;
  readonly takesValue: boolean;
  /** The value stands behind `=` and may be left out. */
  readonly isOptional: boolean;
  readonly choices: readonly string[];
  readonly isFile: boolean;
  /** Values are known to the program: `__complete` names them. */
  readonly isAsked: boolean;
}

/** A command as shells need it: the words that lead to it, and what may follow beside the flags of every command. */
export interface Node {
  readonly words: readonly string[];
  readonly text: string;
  readonly flags: readonly Flag[];
  readonly hasCommands: boolean;
  /** An argument of it is known to the program: `__complete` names what fits. */
  readonly isAsked: boolean;
  /** Commands below it, or the choices of its first argument. */
  readonly next: readonly { readonly word: string; readonly text: string }[];
}

/** A program as shells need it. */
export interface Tree {
  /** The flags that every command understands. */
  readonly globals: readonly Flag[];
  /** Every command, parents before children. */
  readonly nodes: readonly Node[];
}

/** The tree of a program with every verb loaded. What the root understands, every command does. */
export const treeOf = (program: Command): Tree => {
  const globals = flagsOf(program);
  const known = new Set(namesOf(globals));
  const nodesOf = (command: Command, words: readonly string[]): Node[] => [
    {
      words, text: command.summary(),
      flags: flagsOf(command).filter(({ names }) => !names.some((name) => known.has(name))),
      hasCommands: command.commands.length > 0,
      isAsked: command.registeredArguments.some((one) => kindOfArgument(one) !== undefined),
      next: command.commands.length > 0 ? command.commands.map((sub) => ({ word: sub.name(), text: sub.summary() }))
        : choicesOf(command.registeredArguments[0]),
    },
    ...command.commands.flatMap((sub) => nodesOf(sub, [...words, sub.name()])),
  ];
  const [root, ...others] = nodesOf(program, []);
  const words = [...root!.next, ...topics.map(({ name, summary }) => ({ word: name, text: summary }))];
  const helpText = helpTextOf(program);
  const help: Node = { words: ['help'], text: helpText, flags: [], hasCommands: false, isAsked: false, next: words };
  return { globals, nodes: [{ ...root!, next: [...root!.next, { word: 'help', text: helpText }] }, ...others, help] };
};

/** The summary of the help command, which commander does not list among the commands. */
const helpTextOf = (program: Command): string =>
  program.createHelp().visibleCommands(program).find((command) => command.name() === 'help')?.description() ?? '';

/** The names of some flags, short and long. */
export const namesOf = (flags: readonly Flag[]): string[] => flags.flatMap(({ names }) => names);

/** The names of all flags of a program whose value is the next word, each once. */
export const takingNext = ({ globals, nodes }: Tree): string[] =>
  [...new Set(namesOf([...globals, ...nodes.flatMap(({ flags }) => flags)].filter(({ takesValue }) => takesValue)))];

/** The words of every command as one text each: `notes add`. */
export const placesOf = (nodes: readonly Node[]): string[] =>
  nodes.map(({ words }) => words.join(' ')).filter((place) => place !== '');

const choicesOf = (argument: Argument | undefined) => (argument?.argChoices ?? []).map((word) => ({ word, text: '' }));

const flagsOf = (command: Command): Flag[] => command.createHelp().visibleOptions(command).map(flagOf);

const flagOf = (option: Option): Flag => ({
  names: [option.short, option.long].filter((name) => name !== undefined),
  text: option.description,
  takesValue: option.required,
  isOptional: option.optional,
  choices: option.argChoices ?? [],
  isFile: /<path>/.test(option.flags),
  isAsked: kindOfOption(option) !== undefined,
});
