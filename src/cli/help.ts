import type { Argument, Command, Help, HelpConfiguration, Option } from 'commander';

/** How help is laid out: what can follow first, flags of every command last. */
export const helpStyle: HelpConfiguration = {
  subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
  formatHelp: (command, helper) => {
    const sections = [
      `Usage: ${helper.commandUsage(command)}\n`,
      `${helper.commandDescription(command)}\n`,
      ...list('Arguments:', helper.visibleArguments(command).map((one) => [one.name(), helper.argumentDescription(one)]), helper),
      ...list('Commands:', helper.visibleCommands(command).map((one) => [helper.subcommandTerm(one), one.summary() || one.description()]), helper),
      ...groupsOf(command, helper).flatMap(([heading, options]) =>
        list(heading, options.map((one) => [helper.optionTerm(one), helper.optionDescription(one)]), helper)),
    ];
    return sections.join('\n');
  },
};

const argumentTerm = (argument: Argument): string => argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

/** Options by their heading, in the order in which headings first occur; nouns have none but those of every command. */
const groupsOf = (command: Command, helper: Help): [string, Option[]][] => {
  const groups = new Map<string, Option[]>();
  for (const option of helper.visibleOptions(command)) {
    const heading = option.helpGroupHeading ?? 'Options:';
    groups.set(heading, [...groups.get(heading) ?? [], option]);
  }
  return [...groups];
};

const column = 28;

const list = (heading: string, rows: readonly (readonly [string, string])[], helper: Help): string[] =>
  rows.length === 0 ? [] : [`${heading}\n${rows.map(([term, text]) => helper.formatItem(term, column, text, helper)).join('\n')}\n`];
