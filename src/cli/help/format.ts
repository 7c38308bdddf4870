import type { Argument, Command, Help, HelpConfiguration, Option } from 'commander';
import { groupedBy } from '../../text/groups.js';
import {
  commandPath, exampleLines, examplesOf, fieldsPrintedBy, flagsOf, taskPagesOf,
} from '../command-line/command.js';
import { globalsHeading } from '../command-line/flags.js';

/** One screen: description, usage, examples, arguments, options by group, fields; with `--all` everything. */
export const helpStyle: HelpConfiguration = {
  minWidthToWrap: 20,
  subcommandTerm: (command) =>
    [[command.name(), ...command.aliases()].join(', '), ...command.registeredArguments.map(argumentTerm)].join(' '),
  formatHelp: (given, helper) => {
    const command = taskPagesOf(given).find((one) => one.name() === given.args[0]) ?? given;
    if (flagsOf<object>(command).all) return page(command, helper, []);
    const rare = rarestFirst.filter((name) =>
      command.options.some((option) => option.long === name && !option.hidden && !isMain(command, option)));
    for (let left = 0; left < rare.length; left++) {
      const text = page(command, helper, rare.slice(0, left));
      if (text.split('\n').length <= screen) return text;
    }
    return page(command, helper, rare);
  },
};

const screen = 40;

/** Options that leave the short help, one by one, until it fits on a screen. */
const rarestFirst = [
  'base-sha', 'start-sha', 'head-sha', 'diff', 'commit-id', 'image-size', 'image-at', 'old-path', 'position',
  'mr', 'issue', 'snippet', 'epic', 'commit', 'created-at', 'recover', 'visible-key', 'csv-safe', 'neutral',
  'raw-text', 'newer-than', 'overflow', 'reporter', 'pattern', 'allow-empty', 'allow-failed-run', 'type',
  'mentions', 'participant', 'until', 'match', 'if-unanchored', 'root', 'prefix', 'strip', 'accept-by', 'author',
  'system', 'keep-sections', 'waiting', 'no-system', 'mark-read', 'resolved', 'max', 'web', 'delete-if-empty',
  'new', 'durability', 'backup', 'accept-tokens', 'reject-unread', 'allowed-host', 'fault-seed', 'like', 'tls-cert',
  'tls-key', 'allow-hooks-to', 'allow-remote', 'ready-file', 'latency', 'quick-actions', 'rate-limit', 'host',
  'service-version', 'tier', 'watch', 'log', 'level', 'resolvable', 'line', 'editor', 'suggest', 'key', 'changed',
].map((name) => `--${name}`);

/** @param hidden long names of the options that the page only names */
const page = (command: Command, helper: Help, hidden: readonly string[]): string => {
  const groups = optionGroups(command, helper)
    .map(([heading, options]) => [heading, options.filter(({ long }) => !hidden.includes(long!))] as const);
  return [
    `${wrapped(helper.commandDescription(command), helper)}\n`,
    `Usage: ${helper.commandUsage(command)}\n`,
    ...examples(command),
    ...list('Arguments:', helper.visibleArguments(command),
      (one) => [one.name(), helper.argumentDescription(one)], helper),
    ...commands(command, helper),
    ...groups.filter(([heading]) => heading !== globalsHeading)
      .flatMap((group) => optionList(group, helper, !flagsOf<object>(command).all)),
    ...hidden.length === 0 ? []
      : [`${wrapped(`More options: ${hidden.join(', ')} (--help --all explains them)`, helper)}\n`],
    ...fields(command, helper),
    ...groups.filter(([heading]) => heading === globalsHeading).flatMap((group) => globals(command, group, helper)),
  ].join('\n');
};

const describedOption = (option: Option, helper: Help, isShort: boolean): string => {
  const { description, argChoices, defaultValue, defaultValueDescription } = option;
  const shown = isShort && argChoices && argChoices.length > manyChoices
    ? [...argChoices.slice(0, manyChoices), '…'] : argChoices;
  const choices = shown ? [inBraces(shown, Math.max(16, (helper.helpWidth ?? 80) - column - 4))] : [];
  const usual = typeof defaultValue === 'string' || typeof defaultValue === 'number' ? String(defaultValue) : undefined;
  const standard = defaultValueDescription ?? usual;
  return [description, ...choices, ...standard === undefined ? [] : [`(default: ${standard})`]].join(' ');
};

/** More of them are cut off in the short help. */
const manyChoices = 12;

type Group<T> = readonly [heading: string, items: readonly T[]];

const argumentTerm = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

const wrapped = (text: string, helper: Help, indent = 0): string =>
  helper.boxWrap(text, (helper.helpWidth ?? 80) - indent).replace(/^/gm, ' '.repeat(indent));

const inBraces = (choices: readonly string[], width: number): string => {
  const lines = [''];
  for (const choice of `{${choices.join('|')}}`.split(/(?<=\|)/)) {
    if ((lines.at(-1) + choice).length > width) lines.push(choice);
    else lines.push(lines.pop()! + choice);
  }
  return lines.join(' ');
};

const examples = (command: Command): string[] => {
  const lines = exampleLines(command);
  return lines.length === 0 ? [] : [`Examples:\n${lines.map((line) => `  ${line}\n`).join('')}`];
};

const fields = (command: Command, helper: Help): string[] => {
  const names = fieldsPrintedBy(command);
  if (names.length === 0) return [];
  const shown = flagsOf<object>(command).all ? names : usual(names);
  const more = shown.length < names.length ? ', … (--help --all lists them all)' : '';
  return [`Fields for --json:\n${wrapped(shown.join(', ') + more, helper, 2)}\n`];
};

/** Twelve at most, without those that few records have. */
const usual = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !special.has(name)).slice(0, 12);

const special = new Set([
  'type', 'attachment', 'noteable_id', 'resolved_by', 'commit_id', 'suggestions', 'confidential', 'internal',
  'commands_changes', 'project_id', 'imported', 'imported_from', 'note', 'outdated', 'current_path',
]);

const globals = (command: Command, [heading, options]: Group<Option>, helper: Help): string[] => {
  const shown = options.filter((option) => canApply(command, option));
  if (flagsOf<object>(command).all) return optionList([heading, shown], helper, false);
  const first = best.filter((name) => shown.some(({ long }) => long === name)).slice(0, 3).join(', ');
  return [`${wrapped(`${heading} ${first}, … (list them with --help --all)`, helper)}\n`];
};

const best = ['--url', '--project', '--json', '--output', '--quiet'];

const commands = (command: Command, helper: Help): string[] => {
  const width = Math.min(column, helper.longestSubcommandTermLength(command, helper));
  const groups = groupedBy(helper.visibleCommands(command), (one) => one.helpGroup() || 'Commands:');
  return [...groups].flatMap(([heading, items]) =>
    list(heading, items, (one) => [helper.subcommandTerm(one), helper.subcommandDescription(one)], helper, width));
};

const optionGroups = (command: Command, helper: Help): Group<Option>[] => {
  const options = helper.visibleOptions(command);
  const main = options.filter((option) => isMain(command, option))
    .sort((a, b) => Number(b.mandatory) - Number(a.mandatory));
  const others = options.filter((option) => !main.includes(option));
  const isShort = !flagsOf<object>(command).all && main.length > 0;
  const headingOf = ({ helpGroupHeading: heading = 'Options:' }: Option) =>
    isShort && heading !== globalsHeading ? 'Options:' : heading;
  return [['Main options:', main], ...groupedBy(others, headingOf)];
};

/** Whether the option is required, used by an example on the same page, or about the confirmation of the command. */
const isMain = (command: Command, { mandatory, long, short, helpGroupHeading }: Option): boolean => {
  if (ofChanges.has(long!) && asking.has(commandPath(command))) return true;
  if (helpGroupHeading === globalsHeading) return false;
  const words = examplesOf(command).flatMap((example) => ownWords(example));
  return mandatory || words.some((word) => word === short || word.split('=', 1)[0] === long);
};

/** The words behind `colloquy`, without those of other programs. */
const ownWords = (example: string): string[] =>
  (/\bcolloquy (.*)/.exec(example)?.[1] ?? example).split(/ (?:[|>]|&&|--) /, 1)[0]!.split(' ');

const optionList = ([heading, options]: Group<Option>, helper: Help, isShort: boolean): string[] =>
  list(heading, options, (one) => [helper.optionTerm(one), describedOption(one, helper, isShort)], helper);

const column = 28;

const list = <T>(
  heading: string, items: readonly T[], rowOf: (item: T) => readonly [string, string], helper: Help, width = column,
): string[] => {
  const rows = items.map(rowOf).map(([term, text]) => helper.formatItem(term, width, text, helper));
  return rows.length === 0 ? [] : [`${heading}\n${rows.join('\n')}\n`];
};

/** Commands that send no requests. */
const local: ReadonlySet<string> = new Set([
  'saved list', 'saved show', 'saved delete', 'auth switch', 'config get', 'config set', 'config unset', 'config list',
  'config path', 'completion',
]);

/** Commands that send no changes of their own and ask for no confirmation. */
const reading: ReadonlySet<string> = new Set([
  'discussions list', 'discussions get', 'discussions view', 'discussions check', 'discussions inbox',
  'discussions watch', 'discussions lines', 'notes list', 'saved list', 'saved show', 'appearance get',
  'appearance diff', 'appearance preview', 'epics list', 'epics tree', 'auth status', 'auth token',
  'config get', 'config list', 'config path', 'completion', 'doctor', 'serve', 'mcp',
]);

/** Commands that ask for confirmation. */
const asking: ReadonlySet<string> = new Set([
  'discussions resolve', 'discussions review', 'discussions drafts', 'notes edit', 'notes delete', 'saved delete',
  'appearance apply', 'appearance banner', 'appearance undo', 'epics apply', 'epics assign', 'epics unassign',
  'auth logout',
]);

const ofRequests = new Set([
  '--url', '--token', '--project', '--group', '--timeout', '--retries', '--sandbox', '--ca-cert', '--client-cert',
  '--client-key',
]);
const ofChanges = new Set(['--yes', '--dry-run']);
const ofLists = new Set(['--all', '--limit']);

/** Commands that print lists, beside those whose cells can be made safe for spreadsheets. */
const listing: ReadonlySet<string> = new Set(['api', 'discussions view']);

/** Whether a global option can have an effect on the command, which takes it in any case. */
const canApply = (command: Command, { long }: Option): boolean => {
  const path = commandPath(command);
  if (ofRequests.has(long!)) return !local.has(path);
  if (ofChanges.has(long!)) return !reading.has(path);
  return !ofLists.has(long!) || listing.has(path) || command.options.some((own) => own.long === '--csv-safe');
};
