import type { Argument, Command, Help, HelpConfiguration, Option } from 'commander';
import { examplesOf, fieldsPrintedBy, flagsOf } from '../command-line/flags/command.js';
import { globalsHeading } from '../command-line/flags/global.js';

/** Usage and examples first, global options last and in full only with `--all`. */
export const helpStyle: HelpConfiguration = {
  minWidthToWrap: 20,
  subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
  formatHelp: (command, helper) => {
    const groups = optionGroups(command, helper);
    return [
      `Usage: ${helper.commandUsage(command)}\n`,
      ...examples(command),
      `${wrapped(helper.commandDescription(command), helper)}\n`,
      ...list('Arguments:', helper.visibleArguments(command),
        (one) => [one.name(), helper.argumentDescription(one)], helper),
      ...commands(command, helper),
      ...groups.filter(([heading]) => heading !== globalsHeading).flatMap((group) => optionList(group, helper)),
      ...fields(command, helper),
      ...groups.filter(([heading]) => heading === globalsHeading).flatMap((group) => globals(command, group, helper)),
    ].join('\n');
  },
};

type Group<T> = readonly [heading: string, items: readonly T[]];

const argumentTerm = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

const wrapped = (text: string, helper: Help, indent = 0): string =>
  helper.boxWrap(text, (helper.helpWidth ?? 80) - indent).replace(/^/gm, ' '.repeat(indent));

const examples = (command: Command): string[] => {
  const samples = examplesOf(command).map((sample) => /\bcolloquy /.test(sample) ? sample : `colloquy ${sample}`);
  return samples.length === 0 ? [] : [`Examples:\n${samples.map((sample) => `  ${sample}\n`).join('')}`];
};

const fields = (command: Command, helper: Help): string[] => {
  const names = fieldsPrintedBy(command);
  return names.length === 0 ? [] : [`Fields for --json:\n${wrapped(names.join(', '), helper, 2)}\n`];
};

const globals = (command: Command, group: Group<Option>, helper: Help): string[] =>
  flagsOf<object>(command).all ? optionList(group, helper)
    : [`${wrapped(`${globalsHeading} --url, --project, --json, … (list them with --help --all)`, helper)}\n`];

const commands = (command: Command, helper: Help): string[] => {
  const width = Math.min(column, helper.longestSubcommandTermLength(command, helper));
  return grouped(helper.visibleCommands(command), (one) => one.helpGroup() || 'Commands:').flatMap(([heading, items]) =>
    list(heading, items, (one) => [helper.subcommandTerm(one), helper.subcommandDescription(one)], helper, width));
};

/** Headings in the order in which they first occur. */
const grouped = <T>(items: readonly T[], headingOf: (item: T) => string): Group<T>[] => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(headingOf(item), [...groups.get(headingOf(item)) ?? [], item]);
  return [...groups];
};

const optionGroups = (command: Command, helper: Help): Group<Option>[] =>
  grouped(helper.visibleOptions(command), (option) => option.helpGroupHeading ?? 'Options:');

const optionList = ([heading, options]: Group<Option>, helper: Help): string[] =>
  list(heading, options, (one) => [helper.optionTerm(one), helper.optionDescription(one)], helper);

const column = 28;

const list = <T>(
  heading: string, items: readonly T[], rowOf: (item: T) => readonly [string, string], helper: Help, width = column,
): string[] => {
  const rows = items.map(rowOf).map(([term, text]) => helper.formatItem(term, width, text, helper));
  return rows.length === 0 ? [] : [`${heading}\n${rows.join('\n')}\n`];
};
