import type { Argument, Command, Help, HelpConfiguration, Option } from 'commander';

/** How help is laid out: what can follow first, flags of every command last. */
export const helpStyle: HelpConfiguration = {
  /** Texts are wrapped beside their terms as long as so many columns are left. */
  minWidthToWrap: 20,
  subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
  formatHelp: (command, helper) => {
    const sections = [
      `Usage: ${helper.commandUsage(command)}\n`,
      `${helper.boxWrap(helper.commandDescription(command), helper.helpWidth ?? 80)}\n`,
      ...list('Arguments:', helper.visibleArguments(command),
        (one) => [one.name(), helper.argumentDescription(one)], helper),
      ...list('Commands:', helper.visibleCommands(command),
        (one) => [helper.subcommandTerm(one), helper.subcommandDescription(one)], helper),
      ...groupsOf(command, helper).flatMap(([heading, options]) =>
        list(heading, options, (one) => [helper.optionTerm(one), helper.optionDescription(one)], helper)),
    ];
    return sections.join('\n');
  },
};

const argumentTerm = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

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

const list = <T>(
  heading: string, items: readonly T[], rowOf: (item: T) => readonly [string, string], helper: Help,
): string[] => {
  const rows = items.map(rowOf).map(([term, text]) => helper.formatItem(term, column, text, helper));
  return rows.length === 0 ? [] : [`${heading}\n${rows.join('\n')}\n`];
};
