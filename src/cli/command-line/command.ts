import { Argument, Command, Option } from 'commander';
import type { NoteableKind } from '../../contract/conventions.js';
import { areFields, type GlobalFlags, globalOptions, withCheckedValue } from './flags.js';
import { refKinds, wordForms } from './ref.js';

const examplesByCommand = new WeakMap<Command, readonly string[]>();

const printedFields = new WeakMap<Command, readonly string[]>();

/**
 * @param samples may omit `colloquy` at the start, and have a comment on a line before it
 * @param fields of printed records; empty if there are none
 */
export const defineCommand = (
  name: string, summary: string, samples: readonly string[], fields: readonly string[] = [],
): Command => {
  const command = new Command(name).summary(summary).description(summary);
  examplesByCommand.set(command, samples);
  printedFields.set(command, fields);
  return valuesAfterEquals(command);
};

const gracefulCommands = new WeakSet<Command>();

/** The command listens to the abort signal itself, and finishes its work. */
export const withGracefulEnd = (command: Command): Command => {
  gracefulCommands.add(command);
  return command;
};

export const endsGracefully = (command: Command): boolean => gracefulCommands.has(command);

const taskPages = new WeakMap<Command, readonly Command[]>();

/** Commands that only help shows, each for a first argument that makes the command do something else. */
export const withTaskPages = (command: Command, ...pages: readonly Command[]): Command => {
  for (const page of pages) page.parent = command;
  taskPages.set(command, pages);
  return command;
};

/** Those that do something, not the nouns above them. */
export const leafCommands = (command: Command): readonly Command[] =>
  command.commands.length > 0 ? command.commands.flatMap(leafCommands) : [command];

export const taskPagesOf = (command: Command): readonly Command[] => taskPages.get(command) ?? [];

export const inGroup = (heading: string, command: Command, add: (command: Command) => Command): Command => {
  const before = command.options.length;
  for (const option of add(command).options.slice(before)) option.helpGroup(heading);
  return command;
};

const clearable = new WeakSet<Option>();

/** An empty value of these options has a meaning, such as a text to clear. */
export const withEmptyValues = (command: Command, ...names: readonly string[]): Command => {
  for (const option of command.options) if (names.includes(option.long!)) clearable.add(option);
  return command;
};

/**
 * Also checks the values of the command's own options. The global ones come after them, so that help lists them last;
 * the command may replace some.
 */
export const withGlobals = (command: Command): Command => {
  for (const option of command.options) withCheckedValue(option, clearable.has(option));
  const own = new Set(command.options.map(({ long }) => long));
  for (const option of globalOptions()) if (!own.has(option.long)) command.addOption(option);
  return command;
};

export const examplesOf = (command: Command): readonly string[] =>
  (examplesByCommand.get(command) ?? []).map((sample) => sample.replace(/^# .*\n/, ''));

export const isNamed = (command: Command, word: string): boolean =>
  command.name() === word || command.aliases().includes(word);

/** As a shell takes them, the lines of comments included. */
export const exampleLines = (command: Command): readonly string[] =>
  (examplesByCommand.get(command) ?? []).flatMap((sample) => sample.split('\n')).map((line) =>
    line.startsWith('# ') || /\bcolloquy /.test(line) ? line : `colloquy ${line}`);

export const fieldsPrintedBy = (command: Command): readonly string[] => printedFields.get(command) ?? [];

/** Includes those before the command's name. The type argument must match the declared options: it is not checked. */
export const flagsOf = <F>(command: Command): F & GlobalFlags => {
  const before = command.parent ? flagsOf<object>(command.parent) : {};
  return { ...before, ...command.opts() };
};

/** The flags come first, then the arguments; an omitted one is undefined, the words of a repeatable one come last. */
export const handler = <F>(act: (flags: F & GlobalFlags, ...words: string[]) => Promise<void>) =>
  (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    return act(flagsOf<F>(command), ...command.processedArgs.flat() as string[]);
  };

/** The words of a command without the name of the program: `notes add`. */
export const commandPath = (command: Command): string =>
  command.parent?.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();

/** @param kinds that the command can work with; it takes the others to say why it cannot, and help leaves them out */
export const withRefFlags = (
  command: Command, kinds = Object.keys(refKinds) as readonly NoteableKind[],
): Command => {
  for (const kind of Object.keys(refKinds) as NoteableKind[]) {
    command.addOption(refOption(kind).hideHelp(!kinds.includes(kind)));
  }
  return command;
};

/** For a command on one object, whose other arguments follow the reference. */
export const withRef = (command: Command, kinds?: readonly NoteableKind[]): Command =>
  withRefFlags(command, kinds).addArgument(refArgument());

/** Help leaves out options that the command takes only to say why it cannot work with them. */
export const hideOptions = (command: Command, ...names: readonly string[]): Command => {
  for (const option of command.options) if (names.includes(option.long!)) option.hideHelp();
  return command;
};

export const refOption = (kind: NoteableKind): Option => {
  const { word, placeholder, help } = refKinds[kind];
  return new Option(`--${word} ${placeholder}`, help).helpGroup('Instead of REF:');
};

/** Optional because a flag, the CI job or the branch can provide it. */
export const refArgument = (): Argument =>
  new Argument('[ref]', `${wordForms}, a short form such as !12, or a URL`);

export const threadArgument = (): Argument =>
  new Argument('[thread]', 'thread id, a prefix of it, or the id of one of its notes');

export const threadArguments = (): Argument =>
  new Argument('[thread...]', 'thread ids, prefixes of them, or ids of their notes');

export const defineNoteCommand = (
  name: string, summary: string, samples: readonly string[], fields: readonly string[] = [],
  kinds?: readonly NoteableKind[],
): Command =>
  withRef(defineCommand(name, summary, samples, fields), kinds)
    .addArgument(new Argument('[note]', 'note id; a URL with #note_<id> replaces both'))
    .option('--thread <id>', 'thread id of the note (skips the lookup)');

export const epicArgument = (name: '<epic>' | '[epic]' = '<epic>'): Argument =>
  new Argument(name, 'parent epic: &1, group&1, epic/1 or a URL');

export const childArguments = (): Argument =>
  new Argument('<child...>', 'child epics: &4, group&4, id:501 or a URL');

export const optionalChildArgument = (): Argument =>
  new Argument('[child]', 'child epic: &4, group&4, id:501 or a URL');

/** commander would read `list --json !12` as the fields `!12`: only names of fields may be the next word. */
export const valuesAfterEquals = (command: Command): Command => {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (args) => parse(withJoinedValues(command, args));
  return command;
};

const withJoinedValues = (command: Command, args: readonly string[]): string[] => {
  const { options, commands } = command;
  const done: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === '--' || (commands.length > 0 && !arg.startsWith('-'))) return [...done, ...args.slice(at)];
    const option = options.find((one) => one.long === arg || one.short === arg);
    if (option?.optional) done.push(`${option.long}=${takesFields(command, option, args[at + 1]) ? args[++at]! : ''}`);
    else done.push(arg);
    if (takesNextWord(options, arg) && at + 1 < args.length) done.push(args[++at]!);
  }
  return done;
};

/** The word is a value if it names fields that the command prints. */
export const takesFields = (command: Command, { long }: Option, word: string | undefined): boolean =>
  long === '--json' && word !== undefined && areFields(word, fieldsPrintedBy(command));

const takesNextWord = (options: readonly Option[], arg: string): boolean => {
  if (arg.startsWith('--')) return options.some((one) => one.long === arg && one.required);
  if (!/^-./.test(arg)) return false;
  for (let i = 1; i < arg.length; i++) {
    const option = options.find((one) => one.short === `-${arg[i]}`);
    if (!option) return false;
    if (option.required) return i === arg.length - 1;
  }
  return false;
};
