import { Command, CommanderError } from 'commander';
import { nearestName } from '../../text/messages.js';
import { redactedMark } from '../../wire/secrets/known.js';
import { isSecretName } from '../../wire/secrets/names.js';
import { commandPath, fieldsPrintedBy, valuesAfterEquals } from './command.js';
import { Problem, usage } from './failure.js';
import { areFields, globalOptions, unknownFields } from './flags.js';
import { parseLine } from './value-kinds.js';

/** For misplaced, missing or excess words, and for words of other programs. Returns other errors unchanged. */
export const withUsageHint = (
  error: unknown, root: Command, argv: readonly string[], nouns: Nouns = [],
): unknown => {
  if (!isUsageError(error)) return error;
  const { command, words } = parseLine(root, [...argv, '']);
  const option = command.commands.length > 0 ? undefined : firstUnknownOption(command, argv);
  if (option !== undefined) return unknownOption(option, command);
  return separatedValue(error, command, argv) ?? unknown(error, command, words, nouns)
    ?? missingArgument(error, command, words) ?? missingOption(error, command)
    ?? excessArguments(error, command, words, argv) ?? error;
};

/** The nouns of the program with their verbs, which are loaded on use. */
type Nouns = readonly { readonly name: string; readonly verbs: Readonly<Record<string, unknown>> }[];

const isUsageError = (error: unknown): error is CommanderError | Problem =>
  error instanceof CommanderError ? error.exitCode !== 0 : error instanceof Problem && error.code === 'usage';

/** Other programs accept the value in the next word: here that word is an argument of the command. */
const separatedValue = (error: Error, command: Command, argv: readonly string[]): Problem | null => {
  for (const { long, optional } of command.options) {
    const value = optional && argv.includes(long!) ? argv[argv.indexOf(long!) + 1] : undefined;
    if (value === undefined || value.startsWith('-')) continue;
    const misspelled = long === '--json' ? misspelledField(value, command) : null;
    if (misspelled !== null) return misspelled;
    const isValue = long !== '--json' || fieldsPrintedBy(command).length === 0;
    if (isValue && isExcessError(error)) {
      return usage(`${long} takes its value after an equals sign`, `write it as ${long}=${value}`);
    }
  }
  return null;
};

const misspelledField = (word: string, command: Command): Problem | null => {
  const known = fieldsPrintedBy(command);
  return areFields(word, known) || nearestName(word, known) === null ? null : unknownFields([word], known);
};

const unknown = (error: Error, command: Command, words: readonly string[], nouns: Nouns): Problem | null => {
  const [, kind, name = ''] = /^error: unknown (option|command) '(.*)'/s.exec(error.message) ?? [];
  if (kind === undefined || !(error instanceof CommanderError)) return null;
  if (kind === 'option') return unknownOption(name, command);
  const what = `unknown command ${JSON.stringify(name)}`;
  const meant = name === 'version' ? '--version'
    : command.parent ? commandFor(command, name) : firstWordFor(words, nouns) ?? commandFor(command, name);
  if (meant !== null) return usage(what, `did you mean ${meant}?`);
  return command.parent ? usage(what, subcommandHint(command)) : null;
};

/** The program may have found another mistake before, such as a missing option that this one was meant to be. */
const firstUnknownOption = (command: Command, argv: readonly string[]): string | undefined => {
  const names = valuesAfterEquals(new Command()).exitOverride().configureOutput({ writeErr: () => undefined });
  for (const { flags } of command.options) names.option(flags);
  try {
    const { unknown: others } = names.parseOptions([...argv]);
    const end = others.indexOf('--');
    const words = end < 0 ? others : others.slice(0, end);
    return words.find((word) => /^-./.test(word) && !/^(?:-h|--help|-\d.*)$/.test(word));
  } catch {
    return undefined;
  }
};

/** The value is not repeated, because it may be a token. */
const unknownOption = (written: string, command: Command): Problem => {
  const longs = ['--help', ...[...command.options, ...globalOptions()].flatMap(({ long }) => long ?? [])]
    .filter((long) => !neverSuggested.includes(long));
  const name = nameIn(written, longs);
  const what = `unknown option ${JSON.stringify(name)}`;
  const absent = absentFlags.get(`${commandPath(command)} ${name}`) ?? absentFlags.get(name);
  if (absent !== undefined) return usage(what, absent);
  const flags = (flagAliases.get(name) ?? [])
    .filter((flag) => command.options.some(({ long }) => long === flag.split(' ', 1)[0]));
  const word = command.registeredArguments.map((one) => one.name())
    .find((argument) => argumentAliases.get(name)?.includes(argument));
  if (word !== undefined) return usage(what, `pass the ${word} as an argument; usage: colloquy ${usageOf(command)}`);
  if (flags.length > 0) return usage(what, `did you mean ${flags.join(' or ')}?`);
  const near = nearestName(name.slice(2), longs.map((long) => long.slice(2)), 1 / 3);
  return usage(what, near === null ? null : `did you mean --${near}?`);
};

/** They skip a question or a check: nobody should pass one because it was suggested. */
const neverSuggested = ['--yes', '--move', '--force'];

const nameIn = (written: string, longs: readonly string[]): string => {
  const name = written.split('=', 1)[0]!;
  return name.startsWith('--') || longs.includes(`-${name}`) ? name : name.slice(0, 2);
};

const missingArgument = (error: Error, command: Command, words: readonly string[]): Problem | null => {
  const missing = hasCode(error, 'commander.missingArgument') ? command.registeredArguments[words.length] : undefined;
  if (!missing) return null;
  const what = `missing argument <${missing.name()}>`;
  if (commandPath(command) === 'api' && isPath(words[0], command.registeredArguments[0]?.argChoices)) {
    return usage(what, `did you mean api GET ${words[0]}?`);
  }
  const choices = missing.argChoices ? `; choose one of: ${missing.argChoices.join(', ')}` : '';
  return usage(what, `usage: colloquy ${usageOf(command)}${choices}`);
};

/** Others are methods, or would have to be quoted. */
const isPath = (word = '', methods: readonly string[] = []): boolean =>
  /^[\w./:%-]+$/.test(word) && !methods.includes(word.toUpperCase());

const excessArguments = (
  error: Error, command: Command, words: readonly string[], argv: readonly string[],
): Problem | null => {
  const isMeantForSecret = (word: string) => isSecretName(argv[argv.indexOf(word) - 1] ?? '');
  const excess = words.slice(command.registeredArguments.length)
    .map((word) => isMeantForSecret(word) ? redactedMark : JSON.stringify(word));
  if (!isExcessError(error) || excess.length === 0) return null;
  const text = command.options.some(({ long }) => long === '--message') ? '; pass the text of a note with -m' : '';
  const what = `unexpected ${excess.length === 1 ? 'argument' : 'arguments'} ${excess.join(' and ')}`;
  const option = command.options.find(({ long, required }) => required && long === `--${words[0]}`);
  if (option && excess.length === 2) return usage(what, `did you mean ${option.long} ${excess[1]}?`);
  return usage(what, `usage: colloquy ${usageOf(command)}${text}`);
};

const missingOption = (error: Error, command: Command): Problem | null => {
  const missing = hasCode(error, 'commander.missingMandatoryOptionValue')
    ? command.options.find(({ flags }) => error.message.includes(`'${flags}'`)) : undefined;
  if (!missing) return null;
  return usage(`required option "${missing.flags}" not specified`, `pass ${missing.flags}: ${missing.description}`);
};

const isExcessError = (error: Error): boolean => hasCode(error, 'commander.excessArguments');

const hasCode = (error: Error, code: string): boolean => error instanceof CommanderError && error.code === code;

const usageOf = (command: Command): string => {
  const names = command.registeredArguments.map((one) => one.required ? `<${one.name()}>` : `[${one.name()}]`);
  return [commandPath(command), ...names].join(' ');
};

/** In other programs; the first one that exists here is suggested. */
const commandAliases = new Map(Object.entries({
  view: ['get', 'list'], show: ['get', 'list'], cat: ['get'], new: ['create', 'add'], post: ['add', 'create'],
  create: ['add'], comment: ['add', 'reply'], add: ['create', 'assign'], answer: ['reply'], update: ['edit', 'set'],
  change: ['edit', 'set'], modify: ['edit', 'set'], edit: ['set'],
  rm: ['delete', 'unassign', 'unset'], remove: ['delete', 'unassign', 'unset', 'logout'], delete: ['unassign', 'unset'],
  move: ['reorder'], close: ['resolve'], done: ['resolve'], open: ['unresolve'], reopen: ['unresolve'],
  whoami: ['status'], use: ['switch'], link: ['assign'], unlink: ['unassign'], hierarchy: ['tree'], children: ['list'],
}));

const phraseAliases = new Map(Object.entries({
  'login': 'auth login', 'logout': 'auth logout', 'whoami': 'auth status', 'status': 'auth status',
  'comment': 'notes add', 'reply': 'discussions reply', 'resolve': 'discussions resolve', 'list': 'discussions list',
  'thread': 'discussions', 'threads': 'discussions', 'mr': 'discussions list --mr 12', 'pr': 'discussions list --mr 12',
  'issue': 'discussions list --issue 7', 'snippet': 'discussions list --snippet 5',
  'commit': 'discussions list --commit', 'server': 'serve', 'discussions delete': 'notes delete',
  'discussions edit': 'notes edit', 'discussions add': 'notes add', 'notes get': 'discussions get',
  'notes reply': 'discussions reply', 'epics move': 'epics assign --move', 'note': 'notes add',
  'gate': 'help gate', 'findings': 'help findings', 'ci': 'help ci', 'pipeline': 'help ci', 'pipelines': 'help ci',
  'fault': 'help faults', 'faults': 'help faults',
}));

const flagAliases = new Map(Object.entries({
  '--repo': ['--project'], '-R': ['--project'], '--fields': ['--json'], '--format': ['--output'],
  '--body': ['--message'], '-b': ['--message'], '--text': ['--message'], '--comment': ['--message'],
  '--file': ['--body-file', '--path'], '--from-file': ['--body-file'],
  '--page': ['--all', '--limit'], '--per-page': ['--limit'], '--paginate': ['--all'],
  '--state': ['--unresolved', '--resolved'],
  '--verbose': ['--debug'], '-v': ['--version'], '-V': ['--version'], '--hostname': ['--url'], '--silent': ['--quiet'],
  '--pr': ['--mr'], '--merge-request': ['--mr'], '--sha': ['--commit'], '--user': ['--author'],
  '--no-retry': ['--retries 0'], '--no-retries': ['--retries 0'], '--retry': ['--retries'], '--unique': ['--key'],
  '--host': ['--url'], '--server': ['--url'], '--private-token': ['--token'],
  '--markdown': ['--output markdown'], '--csv': ['--output csv'], '--yaml': ['--output yaml'],
}));

/** Flags of similar commands and of other programs. */
const absentFlags = new Map(Object.entries({
  'epics apply --save-plan': 'epics apply has no saved plans; --dry-run shows the changes',
  'appearance set --save-plan': 'use `colloquy appearance apply FILE --save-plan PLAN`: it saves a plan',
  'serve --gitlab-version': 'did you mean --service-version?',
  'notes add --edit-last': 'use `colloquy notes upsert --key KEY`: it updates its own comment',
  '--no-color': 'set NO_COLOR=1 to print without colors', '--no-pager': 'set PAGER=cat to print without a pager',
}));

/** Flags of other programs that are arguments here. */
const argumentAliases = new Map(Object.entries({
  '-X': ['method'], '--method': ['method'], '--request': ['method'], '--thread': ['thread'], '--discussion': ['thread'],
  '--note': ['note'], '--file': ['report', 'file'], '--report': ['report'],
}));

export const commandFor = (below: Command, word: string): string | null => {
  const phrase = phraseAliases.get(below.parent ? `${below.name()} ${word}` : word);
  if (phrase !== undefined) return phrase;
  const names = below.commands.map((command) => command.name());
  return (commandAliases.get(word) ?? []).find((verb) => names.includes(verb)) ?? nearestName(word, names);
};

/** For a noun in the singular, and for a verb of one noun. */
const firstWordFor = (words: readonly string[], nouns: Nouns): string | null => {
  const [first = '', verb = ''] = words;
  const object = phraseForObject(words, nouns);
  if (object !== null) return object;
  const noun = nouns.find(({ name }) => name === `${first}s` || name === phraseAliases.get(first));
  if (noun && Object.hasOwn(noun.verbs, verb)) return `${noun.name} ${verb}`;
  if (phraseAliases.has(first)) return null;
  const withVerb = nouns.filter(({ verbs }) => Object.hasOwn(verbs, first));
  return withVerb.length === 1 ? `${withVerb[0]!.name} ${first}` : null;
};

/** For an object with a verb, as in `mr view 12` of other programs. */
const phraseForObject = ([first, verb, id]: readonly string[], nouns: Nouns): string | null => {
  const kind = first === 'pr' ? 'mr' : first ?? '';
  if (!Object.hasOwn(exampleIds, kind) || verb === undefined) return null;
  const ref = `${kind}/${id !== undefined && /^\w+$/.test(id) ? id : exampleIds[kind]}`;
  const phrase = phraseAliases.get(verb);
  if (/^(discussions|notes) /.test(phrase ?? '')) return `${phrase} ${ref}`;
  const discussions = nouns.find(({ name }) => name === 'discussions')?.verbs ?? {};
  return Object.hasOwn(discussions, verb) ? `discussions ${verb} ${ref}` : null;
};

/** By the word of a reference. */
const exampleIds: Readonly<Record<string, string>> = { mr: '12', issue: '7', snippet: '5', epic: '3', commit: 'SHA' };

export const subcommandHint = ({ commands }: Command): string =>
  `use one of: ${commands.map((command) => command.name()).join(', ')}; --help shows more`;
