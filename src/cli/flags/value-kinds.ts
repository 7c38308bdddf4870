import type { Argument, Command, Option } from 'commander';

/** What can be completed from what the program itself knows. */
export type Kind = 'ref' | 'thread' | 'epic' | 'child' | 'profile' | 'fields';

const ofArguments: Readonly<Record<string, Kind>> = {
  ref: 'ref', thread: 'thread', epic: 'epic', child: 'child', profile: 'profile',
};

const ofOptions: Readonly<Record<string, Kind>> = {
  '--profile': 'profile', '--thread': 'thread', '--before': 'child', '--after': 'child', '--json': 'fields',
};

/** What an argument of a command takes, where that can be completed. */
export const kindOfArgument = (argument: Argument | undefined): Kind | undefined =>
  argument && ofArguments[argument.name()];

/** What an option takes, where that can be completed. */
export const kindOfOption = ({ long }: Pick<Option, 'long'>): Kind | undefined => ofOptions[long ?? ''];

/** A command line that is being written: what stands before the last word, taken apart. */
export interface Written {
  readonly command: Command;
  /** Values of options by their long name, without dashes. */
  readonly flags: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  /** What the last word is to be; undefined where nothing is known of it. */
  readonly kind: Kind | undefined;
  /** The part of the last word that is to be completed: behind the `=` of an option. */
  readonly typed: string;
}

/** Takes a command line apart, its last word being the one to complete. */
export const written = (root: Command, line: readonly string[]): Written => {
  const last = line.at(-1) ?? '';
  const { waiting, ...place } = line.slice(0, -1).reduce(read, { command: root, flags: {}, words: [], waiting: null });
  if (waiting) return { ...place, kind: kindOfOption(waiting), typed: last };
  if (!last.startsWith('-')) {
    return { ...place, kind: kindOfArgument(place.command.registeredArguments[place.words.length]), typed: last };
  }
  const [name, value] = halves(last);
  const option = value === undefined ? undefined : optionOf(place.command, name);
  return { ...place, kind: option && kindOfOption(option), typed: value ?? last };
};

/** What was read so far; an option that wants its value is waiting for the next word. */
interface Reading extends Pick<Written, 'command' | 'flags' | 'words'> {
  readonly waiting: Option | null;
}

const read = (before: Reading, word: string): Reading => {
  const { command, flags, words, waiting } = before;
  const having = (option: Option, value: string): Reading =>
    ({ ...before, flags: { ...flags, [nameOf(option)]: value }, waiting: null });
  if (waiting) return having(waiting, word);
  if (word.startsWith('-') && word !== '-') {
    const [name, value] = halves(word);
    const option = optionOf(command, name);
    if (!option) return before;
    return option.required && value === undefined ? { ...before, waiting: option } : having(option, value ?? '');
  }
  const sub = words.length === 0 ? command.commands.find((one) => one.name() === word) : undefined;
  return sub ? { ...before, command: sub } : { ...before, words: [...words, word] };
};

const halves = (word: string): [string, string | undefined] => {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
};

const optionOf = (command: Command, name: string): Option | undefined =>
  command.options.find(({ long, short }) => long === name || short === name);

const nameOf = ({ long }: Option): string => long!.replace(/^--/, '');
