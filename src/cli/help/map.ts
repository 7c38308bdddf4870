import type { Argument, Command, Option } from 'commander';
import type { App } from '../app.js';
import { commandPath, examplesOf, fieldsPrintedBy, isNamed, leafCommands } from '../command-line/command.js';
import { formats, globalOptions } from '../command-line/flags.js';
import { jsonText } from '../terminal/output/view.js';
import { exitCodes, variables } from './texts.js';
import { topics } from './topics.js';

export const printMap = async (app: App, root: Command, argv: readonly string[]): Promise<void> => {
  await app.out.write(`${jsonText(commandMap(root, commandIn(root, argv), app.program.version), app.out)}\n`);
};

const commandIn = (root: Command, argv: readonly string[]): Command => {
  let command = root;
  for (const word of argv.filter((one) => one !== 'help' && !one.startsWith('-'))) {
    command = command.commands.find((sub) => isNamed(sub, word)) ?? command;
  }
  return command;
};

const commandMap = (root: Command, below: Command, version: string) => {
  const globals = new Set(globalOptions());
  const isOwn = (option: Option) => !globals.has(option) && option.long !== '--version' && !option.hidden;
  return {
    name: root.name(), version, description: root.description(),
    commands: leafCommands(below).map((command) => ({
      name: commandPath(command), summary: command.summary(),
      arguments: command.registeredArguments.map(argumentOf),
      options: command.options.filter(isOwn).map(optionEntry),
      fields: fieldsPrintedBy(command), examples: examplesOf(command),
    })),
    aliases: Object.fromEntries(root.commands.flatMap((one) => one.aliases().map((alias) => [alias, one.name()]))),
    global_options: globalOptions().map(optionEntry),
    formats,
    exit_codes: exitCodes,
    environment: variables,
    topics: topics.map(({ name, summary }) => ({ name, summary })),
  };
};

const argumentOf = (argument: Argument) => ({
  name: argument.name(), description: argument.description, required: argument.required, variadic: argument.variadic,
  choices: argument.argChoices ?? null,
});

const optionEntry = (option: Option) => ({
  name: option.long ?? option.short!, short: option.short ?? null, description: option.description,
  type: optionType(option),
  value: option.required ? 'required' : option.optional ? 'after =' : 'none',
  choices: option.argChoices ?? null, default: option.defaultValue as unknown ?? null,
});

const optionType = ({ flags, argChoices, required, optional }: Option): string => {
  if (argChoices) return 'choice';
  if (!required && !optional) return 'boolean';
  const [, written = ''] = /[<[]([^>\]]+)[>\]]/.exec(flags) ?? [];
  return types[written] ?? 'string';
};

const types: Readonly<Record<string, string>> = {
  n: 'integer', ms: 'integer', iid: 'integer', seconds: 'number', path: 'path', url: 'url', 'true|false': 'boolean',
};
