import type { Command, Option } from 'commander';
import { taskPagesOf } from '../../command-line/command.js';
import { kindOfArgument, kindOfOption } from '../../command-line/value-kinds.js';
import { topics } from '../topics.js';

export interface Flag {
  readonly names: readonly string[];
  readonly text: string;
  readonly takesValue: boolean;
  readonly isOptional: boolean;
  readonly choices: readonly string[];
  readonly isFile: boolean;
  readonly isDynamic: boolean;
}

export interface Node {
  readonly words: readonly string[];
  readonly flags: readonly Flag[];
  readonly hasCommands: boolean;
  readonly isDynamic: boolean;
  readonly next: readonly { readonly word: string; readonly text: string }[];
}

export interface Tree {
  readonly globals: readonly Flag[];
  /** Short names of the commands at the top. */
  readonly aliases: readonly { readonly alias: string; readonly word: string }[];
  readonly nodes: readonly Node[];
}

export const treeOf = (program: Command): Tree => {
  const globals = commandFlags(program);
  const known = new Set(flagNames(globals));
  const commandNodes = (command: Command, words: readonly string[]): Node[] => [
    {
      words,
      flags: commandFlags(command).filter(({ names }) => !names.some((name) => known.has(name))),
      hasCommands: command.commands.length > 0,
      isDynamic: command.registeredArguments.some((one) => kindOfArgument(one) !== undefined),
      next: command.commands.length > 0 ? command.commands.map((sub) => ({ word: sub.name(), text: sub.summary() }))
        : (command.registeredArguments[0]?.argChoices ?? []).map((word) => ({ word, text: '' })),
    },
    ...command.commands.flatMap((sub) => commandNodes(sub, [...words, sub.name()])),
    ...taskPagesOf(command).flatMap((page) => commandNodes(page, [...words, page.name()]))
      .map((node) => ({ ...node, isDynamic: false })),
  ];
  const [root, ...others] = commandNodes(program, []);
  const words = [...root!.next, ...topics.map(({ name, summary }) => ({ word: name, text: summary }))];
  const helpText = helpTextOf(program);
  const help: Node = { words: ['help'], flags: [], hasCommands: false, isDynamic: false, next: words };
  const aliases = program.commands.flatMap((one) => one.aliases().map((alias) => ({ alias, word: one.name() })));
  const first = { ...root!, next: [...root!.next, { word: 'help', text: helpText }] };
  return { globals, aliases, nodes: [first, ...others, help] };
};

/** commander does not list the help command. */
const helpTextOf = (program: Command): string =>
  program.createHelp().visibleCommands(program).find((command) => command.name() === 'help')?.description() ?? '';

export const flagNames = (flags: readonly Flag[]): string[] => flags.flatMap(({ names }) => names);

/** Flags whose value is the next word, in each command that has them. */
export const flagsWithValue = ({ globals, nodes }: Tree): string[] => {
  const flags = [...globals, ...nodes.flatMap((node) => node.flags)];
  const others = new Set(flagNames(flags.filter(({ takesValue }) => !takesValue)));
  return [...new Set(flagNames(flags.filter(({ takesValue }) => takesValue)))].filter((name) => !others.has(name));
};

export const commandPaths = (nodes: readonly Node[]): string[] =>
  nodes.map(({ words }) => words.join(' ')).filter((place) => place !== '');

const commandFlags = (command: Command): Flag[] => command.createHelp().visibleOptions(command).map(optionFlag);

const optionFlag = (option: Option): Flag => ({
  names: [option.short, option.long].filter((name) => name !== undefined),
  text: option.description,
  takesValue: option.required,
  isOptional: option.optional,
  choices: option.argChoices ?? [],
  isFile: /<path>/.test(option.flags),
  isDynamic: kindOfOption(option) !== undefined,
});
