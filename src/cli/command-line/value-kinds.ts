import type { Argument, Command, Option } from 'commander';
import { fieldsPrintedBy, isNamed, takesFields } from './command.js';

type Kind = 'ref' | 'thread' | 'note' | 'author' | 'file' | 'epic' | 'child' | 'profile' | 'fields';

const kindsByArgument: Readonly<Record<string, Kind>> = {
  ref: 'ref', thread: 'thread', note: 'note', epic: 'epic', child: 'child', profile: 'profile', file: 'file',
};

const kindsByOption: Readonly<Record<string, Kind>> = {
  '--profile': 'profile', '--thread': 'thread', '--author': 'author', '--file': 'file',
  '--before': 'child', '--after': 'child', '--json': 'fields',
};

export const kindOfArgument = (argument: Argument | undefined): Kind | undefined =>
  argument && kindsByArgument[argument.name()];

export const kindOfOption = ({ long }: Pick<Option, 'long'>): Kind | undefined => kindsByOption[long ?? ''];

export interface ParsedLine {
  readonly command: Command;
  readonly flags: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  readonly kind: Kind | undefined;
  readonly typed: string;
}

export const parseLine = (root: Command, line: readonly string[]): ParsedLine => {
  const last = line.at(-1) ?? '';
  const start: ParseState = { command: root, flags: {}, words: [], waiting: null, open: null };
  const { waiting, open, ...place } = line.slice(0, -1).reduce(readWord, start);
  if (waiting) return { ...place, kind: kindOfOption(waiting), typed: last };
  if (open && startsField(place.command, open, last)) return { ...place, kind: 'fields', typed: last };
  if (!last.startsWith('-')) {
    return { ...place, kind: kindOfArgument(argumentAt(place.command, place.words.length)), typed: last };
  }
  const [name, value] = splitAtEquals(last);
  const option = value === undefined ? undefined : optionNamed(place.command, name);
  return { ...place, kind: option && kindOfOption(option), typed: value ?? last };
};

const argumentAt = ({ registeredArguments: all }: Command, index: number): Argument | undefined =>
  all[index] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);

const startsField = (command: Command, option: Option, typed: string): boolean => takesFields(command, option, typed)
  || (kindOfOption(option) === 'fields' && typed !== ''
    && fieldsPrintedBy(command).some((name) => name.startsWith(typed)));

interface ParseState extends Pick<ParsedLine, 'command' | 'flags' | 'words'> {
  readonly waiting: Option | null;
  readonly open: Option | null;
}

const readWord = (before: ParseState, word: string): ParseState => {
  const { command, flags, words, waiting, open } = before;
  const having = (option: Option, value: string): ParseState =>
    ({ ...before, flags: { ...flags, [option.long!.replace(/^--/, '')]: value }, waiting: null, open: null });
  if (waiting) return having(waiting, word);
  if (open && takesFields(command, open, word)) return having(open, word);
  if (word.startsWith('-') && word !== '-') {
    const [name, value] = splitAtEquals(word);
    const option = optionNamed(command, name);
    if (!option) return { ...before, open: null };
    if (value === undefined && option.required) return { ...before, waiting: option, open: null };
    return { ...having(option, value ?? ''), open: value === undefined && option.optional ? option : null };
  }
  const sub = words.length === 0 ? command.commands.find((one) => isNamed(one, word)) : undefined;
  return sub ? { ...before, command: sub, open: null } : { ...before, words: [...words, word], open: null };
};

const splitAtEquals = (word: string): [string, string | undefined] => {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
};

const optionNamed = (command: Command, name: string): Option | undefined =>
  command.options.find(({ long, short }) => long === name || short === name);
