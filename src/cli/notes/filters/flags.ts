import { InvalidArgumentError, Option, type Command } from 'commander';
import { usage } from '../../command-line/failure.js';
import { repeatable } from '../../command-line/flags.js';

const types = ['thread', 'individual', 'diff', 'system'] as const;
export type Type = (typeof types)[number];

export interface FilterFlags {
  readonly unresolved?: boolean;
  readonly resolved?: boolean;
  readonly author?: readonly string[];
  readonly mine?: boolean;
  readonly participant?: readonly string[];
  readonly mentions?: readonly string[];
  readonly waiting?: boolean;
  readonly type?: readonly Type[];
  readonly path?: string;
  readonly since?: string;
  readonly until?: string;
  readonly match?: string;
  readonly system?: boolean;
}

/** Usernames have no spaces or commas, so such a value is a list of names. */
const parseUser = (flag: string) => (text: string, before?: readonly string[]): readonly string[] => {
  if (/[\s,]/.test(text.trim())) throw new InvalidArgumentError(`give one user per flag: ${flag} ada ${flag} bob`);
  return repeatable(text, before);
};

const parseType = (text: string, before?: readonly string[]): readonly string[] => {
  if (!types.some((type) => type === text)) throw new InvalidArgumentError(`choose one of: ${types.join(', ')}`);
  return repeatable(text, before);
};

export const withFilters = (command: Command, without: readonly string[] = []): Command => {
  const options = [
    new Option('--unresolved', 'only unresolved threads or notes'),
    new Option('--resolved', 'only resolved threads or notes'),
    new Option('--author <name>', 'only those by this author, `me` for the owner of the token; repeatable')
      .argParser(parseUser('--author')),
    new Option('--mine', 'only those by the owner of the token'),
    new Option('--participant <name>', 'only threads that this user wrote in, `me` for yourself; repeatable')
      .argParser(parseUser('--participant')),
    new Option('--mentions <name>', 'only those that mention this user, `me` for yourself; repeatable')
      .argParser(parseUser('--mentions')),
    new Option('--waiting', 'only threads that you wrote in and where somebody else has the last word'),
    new Option('--type <type>', 'only those of this type; repeatable').choices(types).argParser(parseType),
    new Option('--path <path>', 'only those on this file, in this folder, or on files matching this glob'),
    new Option('--since <when>', 'only those written since then: 2024-05-01, 2024-05-01T12:00Z, or 30m, 6h, 3d, 2w'),
    new Option('--until <when>', 'only those written until then'),
    new Option('--match <regexp>', 'only those whose text matches, RE2 syntax; start with (?i) to ignore case'),
    new Option('--no-system', 'no notes written by the service itself'),
  ];
  for (const option of options.filter(({ long }) => !without.includes(long!))) {
    command.addOption(option.helpGroup('Filters:'));
  }
  return command;
};

export const isFiltered = (flags: FilterFlags): boolean =>
  flags.system === false || namesWithoutDefault.some((name) => flags[name] !== undefined);

export const noThreads = (flags: FilterFlags & { readonly new?: boolean }): string =>
  `no ${flags.new ? 'new ' : ''}threads${isFiltered(flags) ? ' pass the filters' : ''}`;

const namesWithoutDefault = [
  'unresolved', 'resolved', 'author', 'mine', 'participant', 'mentions', 'waiting', 'type', 'path', 'since',
  'until', 'match',
] as const satisfies readonly (keyof FilterFlags)[];

export const checkConflicts = ({ unresolved, resolved, mine, author, system, type }: FilterFlags): void => {
  const conflict = [
    unresolved && resolved && '--unresolved and --resolved', mine && author && '--mine and --author',
    system === false && type?.includes('system') && '--no-system and --type system',
  ].find(Boolean);
  if (conflict) throw usage(`${conflict} cannot be combined`, 'use only one of them');
};
