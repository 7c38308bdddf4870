import { InvalidArgumentError, Option, type Command } from 'commander';
import { usage } from '../errors/failure.js';

/** What a thread or note is: every one is exactly one of these. */
export const types = ['thread', 'individual', 'diff', 'system'] as const;
export type Type = (typeof types)[number];

/** Which threads or notes of a list are wanted. */
export interface FilterFlags {
  readonly unresolved?: boolean;
  readonly resolved?: boolean;
  readonly author?: readonly string[];
  readonly mine?: boolean;
  readonly type?: readonly Type[];
  readonly path?: string;
  readonly since?: string;
  readonly until?: string;
  readonly match?: string;
  /** False with `--no-system`. */
  readonly system?: boolean;
}

const appended = (text: string, before: readonly string[] | undefined): string[] => [...(before ?? []), nonEmpty(text)];

/** A variable that a script forgot to set would find nothing, and nothing would be said. */
const nonEmpty = (text: string): string => {
  if (text.trim() === '') throw new InvalidArgumentError('omit the flag, or give it a value');
  return text;
};

/** No user's name has a blank or a comma: several at once would be taken for one that nobody has. */
const byAuthor = (text: string, before: readonly string[] | undefined): string[] => {
  if (/[\s,]/.test(text.trim())) throw new InvalidArgumentError('give one user per flag: --author ada --author bob');
  return appended(text, before);
};

const ofType = (text: string, before: readonly string[] | undefined): string[] => {
  if (!types.some((type) => type === text)) throw new InvalidArgumentError(`choices: ${types.join(', ')}`);
  return appended(text, before);
};

/** The options behind `FilterFlags`. */
export const withFilters = (command: Command): Command => {
  const options = [
    new Option('--unresolved', 'only unresolved threads or notes'),
    new Option('--resolved', 'only resolved threads or notes'),
    new Option('--author <name>', 'only those by this author; repeatable').argParser(byAuthor),
    new Option('--mine', 'only those by the owner of the token'),
    new Option('--type <type>', 'only those of this type; repeatable').choices(types).argParser(ofType),
    new Option('--path <path>', 'only those on this file, in this folder, or on files matching this glob')
      .argParser(nonEmpty),
    new Option('--since <when>', 'only those written since then: 2024-05-01, 2024-05-01T12:00Z, or 30m, 6h, 3d, 2w'),
    new Option('--until <when>', 'only those written until then'),
    new Option('--match <regexp>', 'only those whose text matches, RE2 syntax; start with (?i) to ignore case')
      .argParser(nonEmpty),
    new Option('--no-system', 'no notes written by the service itself'),
  ];
  for (const option of options) command.addOption(option.helpGroup('Filters:'));
  return command;
};

/** Filters that together let nothing through, or say the same thing twice. */
const conflicts: readonly (readonly [string, string, (flags: FilterFlags) => boolean])[] = [
  ['--unresolved', '--resolved', ({ unresolved, resolved }) => Boolean(unresolved && resolved)],
  ['--mine', '--author', ({ mine, author }) => Boolean(mine && author)],
  ['--no-system', '--type system', ({ system, type }) => system === false && Boolean(type?.includes('system'))],
];

/** Refuses filters that make no sense together. @throws Problem */
export const checkConflicts = (flags: FilterFlags): void => {
  const conflict = conflicts.find(([, , isGiven]) => isGiven(flags));
  if (conflict) throw usage(`${conflict[0]} and ${conflict[1]} cannot be combined`, 'use only one of them');
};
