import type { Argument, Command, Option } from 'commander';
import { exampleLines, fieldsPrintedBy, leafCommands, taskPagesOf } from '../command-line/command.js';
import { globalOptions } from '../command-line/flags.js';
import { exitCodes, formattingText, refsText, variables } from './texts.js';

/** The date of the pages; it changes with each release only, to keep the pages stable. */
const day = '2026-11-21';

/**
 * The manual pages by name: one for the program and one per command, with the `man` macros, which every formatter
 * supports.
 */
export const manualPages = (root: Command, version: string): Readonly<Record<string, string>> => {
  const commands = leafCommands(root).flatMap((command) => [command, ...taskPagesOf(command)]);
  const page = pageWriter(version);
  return Object.fromEntries([
    ['colloquy', page('colloquy', root.description(), overview(commands))],
    ...commands.map((command) =>
      [manualPage(command), page(manualPage(command), command.summary(), details(command))] as const),
  ]);
};

const commandWords = (command: Command): string[] =>
  command.parent ? [...commandWords(command.parent), command.name()] : [command.name()];

const manualPage = (command: Command): string => commandWords(command).join('-');

const text = (words: string): string =>
  words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^([.'])/gm, '\\&$1');

const maxWidth = 74;

const filled = (words: string): string => words.split(' ').reduce((lines, word) => {
  const longer = `${lines.at(-1) ?? ''} ${word}`;
  return longer.length > maxWidth ? [...lines, word] : [...lines.slice(0, -1), longer.trimStart()];
}, ['']).map(text).join('\n');

const bold = (words: string): string => `\\fB${text(words)}\\fR`;

const pageWriter = (version: string) => (name: string, summary: string, sections: readonly string[]): string => [
  `.TH ${name.toUpperCase().replaceAll('-', '\\-')} 1 ${day} "colloquy ${version}" "Colloquy"`,
  '.SH NAME', `${text(name)} \\-`, filled(summary),
  ...sections, '',
].join('\n');

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`.SH ${title}`, ...lines];

const tagged = (tag: string, body: string): string[] => ['.TP', tag, filled(body)];

const overview = (commands: readonly Command[]): string[] => [
  ...section('SYNOPSIS', [`${bold('colloquy')} \\fInoun verb\\fR [\\fIoptions\\fR]`]),
  ...section('COMMANDS', commands.flatMap((command) =>
    tagged(bold(commandWords(command).slice(1).join(' ')), command.summary()))),
  ...section('OPTIONS OF EVERY COMMAND', globalOptions().flatMap(optionLines)),
  ...section('REFERENCES', literal(refsText)),
  ...section('FORMATS', literal(formattingText)),
  ...section('ENVIRONMENT', variables.flatMap(({ names, meaning }) => tagged(names.map(bold).join(', '), meaning))),
  ...section('EXIT STATUS', exitCodes.flatMap(({ exit, meaning }) => tagged(bold(String(exit)), meaning))),
  ...section('SEE ALSO', [commands.map((command) => `${bold(manualPage(command))}(1)`).join(',\n')]),
];

const details = (command: Command): string[] => {
  const everywhere = new Set(globalOptions());
  const own = command.options.filter((option) =>
    !everywhere.has(option) && option.flags !== '--version' && !option.hidden);
  const fields = fieldsPrintedBy(command);
  const described = command.registeredArguments.filter(({ description }) => description);
  return [
    ...section('SYNOPSIS', [[
      bold(commandWords(command).join(' ')), '[\\fIoptions\\fR]', ...command.registeredArguments.map(argumentText),
    ].join(' ')]),
    ...section('DESCRIPTION', [filled(sentence(command.description()))]),
    ...section('ARGUMENTS', described.flatMap((argument) =>
      tagged(`\\fI${text(argument.name())}\\fR`, withChoices(argument)))),
    ...section('OPTIONS', [
      ...own.flatMap(optionLines), ...own.length > 0 ? ['.PP'] : [],
      `${bold('colloquy')}(1) describes the options of every command.`,
    ]),
    ...section('FIELDS FOR \\-\\-JSON', fields.length === 0 ? [] : [filled(fields.join(', '))]),
    ...section('EXAMPLES', literal(exampleLines(command).join('\n'))),
    ...section('SEE ALSO', [`${bold('colloquy')}(1)`]),
  ];
};

const sentence = (words: string): string => `${words[0]!.toUpperCase()}${words.slice(1)}.`;

const argumentText = (argument: Argument): string => {
  const name = `\\fI${text(argument.name())}${argument.variadic ? '...' : ''}\\fR`;
  return argument.required ? name : `[${name}]`;
};

const optionLines = (option: Option): string[] => tagged(bold(option.flags), withChoices(option));

const withChoices = ({ description, argChoices }: Argument | Option): string =>
  argChoices ? `${description} (${argChoices.join(', ')})` : description;

const literal = (words: string): string[] => ['.nf', text(words.trim()).replace(/^$/gm, '.sp'), '.fi'];
