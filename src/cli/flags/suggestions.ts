import { CommanderError, type Command } from 'commander';
import { nearestName } from '../../text/nearest.js';
import { isSecretName, redactedMark } from '../../wire/redact.js';
import { Problem, usage } from '../errors/failure.js';
import { fieldsPrintedBy } from './command.js';
import { globalOptions } from './global.js';
import { whatFollows } from './unfinished.js';
import { written } from './value-kinds.js';

/**
 * An error with more to say where words of a command line stand in the wrong place, are too many or too few, or those
 * of another program. Others stay as they are.
 * @param root the program that has read the command line
 */
export const orMisplaced = (error: unknown, root: Command, argv: readonly string[]): unknown => {
  if (!isAboutWords(error)) return error;
  const { command, words } = written(root, [...argv, '']);
  return valueApart(error, command, argv) ?? unknown(error, command)
    ?? tooFew(error, command, words) ?? tooMany(error, command, words, argv) ?? error;
};

const isAboutWords = (error: unknown): error is CommanderError | Problem =>
  error instanceof CommanderError ? error.exitCode !== 0 : error instanceof Problem && error.code === 'usage';

/** `--json id`, as other programs take it: here the word behind an optional value is one of the command's own. */
const valueApart = (error: Error, command: Command, argv: readonly string[]): Problem | null => {
  for (const { long, optional } of command.options) {
    const value = optional ? argv[argv.indexOf(long!) + 1] : undefined;
    const isApart = value !== undefined && argv.includes(long!)
      && (long === '--json' ? areFields(command, value) : isExcess(error) && !value.startsWith('-'));
    if (isApart) return usage(`${long} takes its value behind an equals sign`, `write it as ${long}=${value}`);
  }
  return null;
};

const areFields = (command: Command, value: string): boolean =>
  value.split(',').every((name) => fieldsPrintedBy(command).includes(name));

/** A word or flag that is not known, where it is known what stands for it, or what else there is. */
const unknown = (error: Error, command: Command): Problem | null => {
  const [, what, kind, name = ''] = /^error: (unknown (option|command) '(.*)')/s.exec(error.message) ?? [];
  if (what === undefined || !(error instanceof CommanderError)) return null;
  if (kind === 'option') return unknownOption(name, command);
  const usual = name === 'version' ? '--version' : usualCommand(command, name);
  if (usual !== null) return usage(what, `did you mean ${usual}?`);
  const isGuessed = error.message.includes('\n');
  return isGuessed || !command.parent ? null : usage(what, whatFollows(command));
};

/** Null where commander's own suggestion will do. A value is not repeated, because it may be a token. */
const unknownOption = (written: string, command: Command): Problem | null => {
  const longs = [...command.options, ...globalOptions()].flatMap(({ long }) => long ?? []);
  const name = nameIn(written, longs);
  const what = `unknown option '${name}'`;
  const [flags, word] = [usualFlags(command, name), usualWord(command, name)];
  if (word !== undefined) return usage(what, `the ${word} needs no flag; it goes: colloquy ${shapeOf(command)}`);
  if (flags.length > 0) return usage(what, `did you mean ${flags.join(' or ')}?`);
  if (name === written) return null;
  const near = nearestName(name, longs);
  return usage(what, near === null ? null : `did you mean ${near}?`);
};

/** The name of an option that was written with its value: behind `=`, or right behind a single letter. */
const nameIn = (written: string, longs: readonly string[]): string => {
  const name = written.split('=', 1)[0]!;
  return name.startsWith('--') || longs.includes(`-${name}`) ? name : name.slice(0, 2);
};

const tooFew = (error: Error, command: Command, words: readonly string[]): Problem | null => {
  const missing = hasCode(error, 'commander.missingArgument') ? command.registeredArguments[words.length] : undefined;
  if (!missing) return null;
  const choices = missing.argChoices ? `; choices: ${missing.argChoices.join(', ')}` : '';
  return usage(`<${missing.name()}> is missing`, `it goes: colloquy ${shapeOf(command)}${choices}`);
};

const tooMany = (
  error: Error, command: Command, words: readonly string[], argv: readonly string[],
): Problem | null => {
  const isMeantForSecret = (word: string) => isSecretName(argv[argv.indexOf(word) - 1] ?? '');
  const excess = words.slice(command.registeredArguments.length)
    .map((word) => isMeantForSecret(word) ? redactedMark : JSON.stringify(word));
  if (!isExcess(error) || excess.length === 0) return null;
  const text = command.options.some(({ long }) => long === '--message') ? '; the text of a note goes behind -m' : '';
  return usage(`${excess.join(' and ')} ${excess.length > 1 ? 'are' : 'is'} too much`,
    `it goes: colloquy ${shapeOf(command)}${text}`);
};

const isExcess = (error: Error): boolean => hasCode(error, 'commander.excessArguments');

const hasCode = (error: Error, code: string): boolean => error instanceof CommanderError && error.code === code;

/** How a command is called, its options aside: `discussions get [ref] [thread]`. */
const shapeOf = (command: Command): string => {
  const names = command.registeredArguments.map((one) => one.required ? `<${one.name()}>` : `[${one.name()}]`);
  const path = command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();
  return [path, ...names].join(' ');
};

/** What programs for the same purpose call it: words that hands bring along. The first that is here counts. */
const verbs = new Map(Object.entries({
  view: ['get', 'list'], show: ['get', 'list'], cat: ['get'], new: ['create', 'add'], post: ['add', 'create'],
  create: ['add'], comment: ['add', 'reply'], add: ['create', 'assign'], answer: ['reply'], update: ['edit', 'set'],
  change: ['edit', 'set'], modify: ['edit', 'set'], edit: ['set'],
  rm: ['delete', 'unassign', 'unset'], remove: ['delete', 'unassign', 'unset', 'logout'], delete: ['unassign', 'unset'],
  move: ['reorder'], close: ['resolve'], done: ['resolve'], open: ['unresolve'], reopen: ['unresolve'],
  whoami: ['status'], use: ['switch'], link: ['assign'], unlink: ['unassign'],
}));

const phrases = new Map(Object.entries({
  'login': 'auth login', 'logout': 'auth logout', 'whoami': 'auth status', 'status': 'auth status',
  'comment': 'notes add', 'reply': 'discussions reply', 'resolve': 'discussions resolve', 'list': 'discussions list',
  'thread': 'discussions', 'threads': 'discussions', 'mr': 'discussions list --mr 12', 'pr': 'discussions list --mr 12',
  'issue': 'discussions list --issue 7', 'snippet': 'discussions list --snippet 5',
  'commit': 'discussions list --commit', 'server': 'serve', 'discussions delete': 'notes delete',
  'discussions edit': 'notes edit', 'discussions add': 'notes add', 'notes get': 'discussions get',
  'notes reply': 'discussions reply',
}));

const flags = new Map(Object.entries({
  '--repo': ['--project'], '-R': ['--project'], '--fields': ['--json'], '--format': ['--output'],
  '--body': ['--message'], '-b': ['--message'], '--text': ['--message'], '--comment': ['--message'],
  '--page': ['--all', '--limit'], '--per-page': ['--limit'], '--paginate': ['--all'],
  '--state': ['--unresolved', '--resolved'], '--force': ['--yes'],
  '--verbose': ['--debug'], '-v': ['--version'], '-V': ['--version'], '--hostname': ['--url'], '--silent': ['--quiet'],
  '--pr': ['--mr'], '--merge-request': ['--mr'], '--sha': ['--commit'], '--user': ['--author'],
}));

/** Flags of others for what is a word of its own here. */
const words = new Map(Object.entries({ '-X': 'method', '--method': 'method', '--request': 'method' }));

/** The verb or command that stands for a word below a command; null where none is known. */
export const usualCommand = (below: Command, word: string): string | null => {
  const phrase = phrases.get(below.parent ? `${below.name()} ${word}` : word);
  if (phrase !== undefined) return phrase;
  const names = below.commands.map((command) => command.name());
  return (verbs.get(word) ?? []).find((verb) => names.includes(verb)) ?? null;
};

/** The flags of a command that stand for one of another program; none where none is known. */
export const usualFlags = ({ options }: Command, flag: string): readonly string[] =>
  (flags.get(flag) ?? []).filter((name) => options.some(({ long }) => long === name));

/** The word of a command that stands for a flag of another program; undefined where none is known. */
export const usualWord = ({ registeredArguments }: Command, flag: string): string | undefined =>
  registeredArguments.map((one) => one.name()).find((name) => name === words.get(flag));
