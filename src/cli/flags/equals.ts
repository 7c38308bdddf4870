import type { Command, Option } from 'commander';

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
