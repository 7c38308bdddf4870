import { Argument, Command, Option } from 'commander';
import { globalOptions, type GlobalFlags } from './global.js';

/** Examples of verbs, kept beside the command until help and reference ask for them. */
const examples = new WeakMap<Command, readonly string[]>();

/** The fields of what verbs print, kept likewise. */
const printed = new WeakMap<Command, readonly string[]>();

/**
 * A verb with the flags that every command has.
 * @param samples two or three command lines, without the leading `colloquy`; where it stands further on, with it
 * @param fields of the records that it prints, for completion and help; none where it prints no records
 */
export const verb = (
  name: string, summary: string, samples: readonly string[], fields: readonly string[] = [],
): Command => {
  const command = new Command(name).summary(summary).description(summary);
  examples.set(command, samples);
  printed.set(command, fields);
  return valuesAfterEquals(command);
};

const finishing = new WeakSet<Command>();

/** Lets a command finish what it has begun when the program is to end: it hears of that by the signal. */
export const endingItself = (command: Command): Command => {
  finishing.add(command);
  return command;
};

/** Whether a command ends by itself when the program is to end. */
export const endsItself = (command: Command): boolean => finishing.has(command);

/** Puts the global flags behind a verb's own, so that help lists the particular first. */
export const withGlobals = (command: Command): Command => {
  for (const option of globalOptions()) command.addOption(option);
  return command;
};

/** The example lines of a verb. */
export const examplesOf = (command: Command): readonly string[] => examples.get(command) ?? [];

/** The fields of the records that a verb prints; none where it prints no records. */
export const fieldsPrintedBy = (command: Command): readonly string[] => printed.get(command) ?? [];

/**
 * All flags of a command that was parsed: its own over those written before it.
 * The type is the command's promise that its declared options fit it.
 */
export const flagsOf = <F>(command: Command): F & GlobalFlags => {
  const before = command.parent ? flagsOf<object>(command.parent) : {};
  return { ...before, ...command.opts() };
};

/** An action that is handed all flags of the command line, then its words in order; one left out is undefined. */
export const acting = <F>(act: (flags: F & GlobalFlags, ...words: string[]) => Promise<void>) =>
  (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    return act(flagsOf<F>(command), ...command.processedArgs as string[]);
  };

/** The options that name a noteable without a reference. */
export const withRefFlags = (command: Command): Command => {
  const options: readonly [string, string][] = [
    ['--mr <iid>', 'merge request'], ['--issue <iid>', 'issue'], ['--snippet <id>', 'snippet'],
    ['--epic <iid>', 'epic; id:501 for a global id'], ['--commit <sha>', 'commit'],
  ];
  for (const [flags, text] of options) command.addOption(new Option(flags, text).helpGroup('Instead of REF:'));
  return command;
};

/** The reference, which a flag or the CI job may stand in for. */
export const refArgument = (): Argument =>
  new Argument('[ref]', 'mr/12, issue/7, snippet/5, epic/3, commit/<sha>, a short form such as !12, or a URL');

/** The thread below the reference. */
export const threadArgument = (): Argument =>
  new Argument('[thread]', 'thread id, a prefix of it, or the id of one of its notes');

/** The note below the reference. */
const noteArgument = (): Argument => new Argument('[note]', 'note id; a URL with #note_<id> gives both');

/** A verb about one note: reference, note, and the thread for those who know it. */
export const noteVerb = (
  name: string, summary: string, samples: readonly string[], fields: readonly string[] = [],
): Command =>
  withRefFlags(verb(name, summary, samples, fields))
    .addArgument(refArgument())
    .addArgument(noteArgument())
    .option('--thread <id>', 'thread id of the note (skips the lookup)');

/** The parent epic of epic links. */
export const epicArgument = (): Argument => new Argument('<epic>', 'parent epic: &1, group&1, epic/1 or a URL');

/** The child epic of epic links. */
export const childArgument = (): Argument => new Argument('<child>', 'child epic: &4, group&4, id:501 or a URL');

/**
 * Makes options with an optional value take it after `=` only, so that the word behind `--json` stays an argument:
 * commander alone would read `list --json !12` as the fields `!12`.
 */
export const valuesAfterEquals = (command: Command): Command => {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (args) => parse(withEmptyValues(command.options, args, command.commands.length > 0));
  return command;
};

/** Puts an `=` behind every optional-value option that stands alone, and leaves values of other options as they are. */
const withEmptyValues = (options: readonly Option[], args: readonly string[], hasVerbs: boolean): string[] => {
  const done: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === '--' || (hasVerbs && !arg.startsWith('-'))) return [...done, ...args.slice(at)];
    const option = options.find((one) => one.long === arg || one.short === arg);
    done.push(option?.optional ? `${option.long}=` : arg);
    if (takesNext(options, arg) && at + 1 < args.length) done.push(args[++at]!);
  }
  return done;
};

/** Whether the next word is this one's value: a long or short option that needs one, or a cluster that ends in such. */
const takesNext = (options: readonly Option[], arg: string): boolean => {
  if (arg.startsWith('--')) return options.some((one) => one.long === arg && one.required);
  if (!/^-./.test(arg)) return false;
  for (let i = 1; i < arg.length; i++) {
    const option = options.find((one) => one.short === `-${arg[i]}`);
    if (!option) return false;
    if (option.required) return i === arg.length - 1;
  }
  return false;
};
