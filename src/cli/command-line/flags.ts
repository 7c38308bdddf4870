import { type Command, InvalidArgumentError, Option } from 'commander';
import { tiers, type TokenType, tokenTypes, versionPattern } from '../../contract/conventions.js';
import type { Parameter } from '../../contract/endpoint.js';
import { nearestName } from '../../text/messages.js';
import { readDuration } from '../../wire/time-text.js';
import { profileKeys } from '../app.js';
import { type Problem, usage } from './failure.js';

export const count = (flag: string) => (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError(`give ${flag} a whole number from 1`);
  return Number(text);
};

/** A parser of values that are used as they were written. @param hint says which are valid */
export const checkedBy = (isValid: (text: string) => boolean, hint: string) => (text: string): string => {
  if (isValid(text)) return text;
  throw new InvalidArgumentError(hint);
};

const durationForms = 'use a duration such as 90s, 10m or 1h30m';
export const duration = checkedBy((text) => readDuration(text) !== undefined, durationForms);
const positiveDuration = checkedBy((text) => (readDuration(text) ?? 0) > 0, durationForms);

/** From seconds with up to three decimals. @throws Problem */
export const milliseconds = (text: string, flag: string): number => {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || Number(text) === 0) {
    throw usage(`invalid value ${JSON.stringify(text)} for ${flag}`, 'use seconds, such as 30 or 0.5');
  }
  return Math.round(Number(text) * 1000);
};

/** From 0. @throws Problem */
export const wholeNumber = (text: string, flag: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw usage(`invalid value ${JSON.stringify(text)} for ${flag}`, 'use a whole number');
  return Number(text);
};

export const perMinute = (text: string): number => count('--rate-limit')(text.replace(/\/min(ute)?$/, ''));

export interface GlobalFlags {
  readonly url?: string;
  readonly token?: string;
  readonly tokenType?: TokenType;
  readonly profile?: string;
  readonly project?: string;
  readonly group?: string;
  /** Field names separated by commas; empty for all fields. */
  readonly json?: string;
  readonly jq?: string;
  readonly output?: FormatName;
  readonly all?: boolean;
  readonly limit?: number;
  readonly input?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
  readonly timeout?: string;
  readonly deadline?: string;
  readonly retries?: string;
  readonly sandbox?: boolean;
  readonly caCert?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
}

/** Where requests go, and how: other commands in the same process get these words. */
export const connectionWords = (flags: GlobalFlags): string[] => {
  const values = new Map<string, unknown>(Object.entries(flags));
  const words = [...profileKeys, 'token', 'profile'].map((name) => [name, values.get(optionName(name))] as const)
    .flatMap(([name, value]) => value === undefined ? [] : [`--${name}=${String(value)}`]);
  return flags.sandbox ? [...words, '--sandbox'] : words;
};

export const globalsHeading = 'Global options:';

/** All commands share them, so they must not be changed. */
export const globalOptions = (): readonly Option[] => cachedOptions ??= createOptions();

let cachedOptions: readonly Option[] | undefined;

/** Of a command that prints something else than requests. */
export const dryRunOption = (text: string): Option => new Option('-n, --dry-run', text).helpGroup(globalsHeading);

const createOptions = (): readonly Option[] => [
  new Option('--url <url>', 'base URL of the service'),
  new Option('--token <token>', 'access token; prefer COLLOQUY_TOKEN or a profile'),
  new Option('--token-type <type>', 'how the token is sent: as PRIVATE-TOKEN, or as bearer token, such as one of OAuth')
    .choices([...tokenTypes]),
  new Option('--profile <name>', 'profile to use'),
  new Option('-p, --project <id|path>', 'project id or path'),
  new Option('-g, --group <id|path>', 'group id or path'),
  new Option('--json [fields]', 'print JSON with all fields, or with these: --json=id,body'),
  new Option('-q, --jq <expression>', 'filter the JSON with a jq expression'),
  new Option('-o, --output <format>', 'output format').choices([...formats]),
  new Option('--all', 'fetch every page; the default for lists without --limit'),
  new Option('-L, --limit <n>', 'maximum number of items to print').argParser(count('--limit')),
  new Option('--no-input', 'never prompt'),
  new Option('-y, --yes', 'skip confirmation prompts'),
  dryRunOption('print write requests instead of sending them'),
  new Option('--quiet', 'print results and errors only, also with --debug'),
  new Option('--debug', 'print settings, requests and responses on stderr, without secrets'),
  new Option('--timeout <seconds>', 'time limit for each request'),
  new Option('--deadline <duration>', 'time limit for the whole run: 90s, 10m, 1h30m; in CI, 10m by default')
    .argParser(positiveDuration),
  new Option('--retries <n>', 'maximum number of retries of a failed request'),
  new Option('--sandbox', 'use a built-in demo service that keeps nothing'),
  new Option('--ca-cert <path>', 'CA certificate to trust, PEM'),
  new Option('--client-cert <path>', 'client certificate, PEM'),
  new Option('--client-key <path>', 'private key of the client certificate, PEM'),
].map((option) => withCheckedValue(option).helpGroup(globalsHeading));

/**
 * Refuses an empty value, as an unset variable in a script makes it, and a second one, after which the first would be
 * ignored, such as a folder that a gate is asked about. An empty token has an error of its own.
 */
export const withCheckedValue = (option: Option, mayBeEmpty = false): Option => {
  const { long, required, argChoices, parseArg, defaultValue } = option;
  if (!required || argChoices || long === '--token') return option;
  return option.argParser<unknown>((text, before) => {
    if (text.trim() === '' && !mayBeEmpty) throw usage(`${long} is empty`, 'give it a value, or omit it');
    const value = parseArg ? parseArg(text, before) : text;
    const isCollected = typeof value === 'object';
    if (isCollected || before === undefined || before === defaultValue || before === value) return value;
    throw usage(`${long} has two values`, 'give it one: the first would be ignored');
  });
};

export const formats = ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'markdown', 'id'] as const;
export type FormatName = (typeof formats)[number];

/** Spaces also separate names: PowerShell turns commas into spaces when it calls the script that npm installs. */
export const namesIn = (value: string): string[] => value.split(/[,\s]+/).filter((name) => name !== '');

/** One known name is enough. No reference or id contains a comma, so the other names of a list are misspelled. */
export const areFields = (word: string, known: readonly string[]): boolean =>
  namesIn(word).some((name) => known.includes(name));

export const unknownFields = (names: readonly string[], known: readonly string[]): Problem => {
  const near = names.map((name) => nearestName(name, known)).filter((name) => name !== null);
  const [what, meant] = [names.map((name) => JSON.stringify(name)), [...new Set(near)]].map((all) => all.join(', '));
  return usage(`unknown ${names.length === 1 ? 'field' : 'fields'} ${what}`,
    `${meant === '' ? '' : `did you mean ${meant}? `}choose from: ${known.join(', ')}`);
};

/** For commands that would ignore the option. @throws Problem */
export const refuseLimit = ({ limit }: GlobalFlags, command: string, hint: string): void => {
  if (limit !== undefined) throw usage(`--limit is not available for \`${command}\``, hint);
};

export interface ListFlags extends GlobalFlags {
  readonly csvSafe?: boolean;
}

export const withListFlags = (command: Command): Command => command.addOption(
  new Option('--csv-safe', 'escape cells that a spreadsheet would run as formulas, with -o csv and tsv')
    .helpGroup('Output:'));

/** The format for programs that pay for every word: each fact once. */
export const agent = 'agent';

export const isForAgents = ({ output }: GlobalFlags): boolean => String(output) === agent;

export const agentOption = (): Option =>
  new Option('-o, --output <format>', 'output format; agent has the fewest words')
    .choices([...formats, agent]).helpGroup('Output:');

/** The options that describe an instance, of `serve` and `conformance`. */
export const instanceOptions = {
  dialect: (text: string): Option => new Option('--dialect <name>', text).choices(['document', 'live']),
  version: (text: string): Option => new Option('--service-version <version>', text).argParser(versionFrom),
  tier: (text: string): Option => new Option('--tier <name>', text).choices(tiers),
};

const versionFrom = checkedBy((text) => versionPattern.test(text), 'use a version such as 12.7 or 13.12.0-ee');

const shortNames: Readonly<Record<string, string>> = { email_header_and_footer_enabled: 'email-header-and-footer' };

export const flagName = (field: string): string => shortNames[field] ?? field.replaceAll('_', '-');

export const optionName = (field: string): string =>
  flagName(field).replace(/-(.)/g, (_, c: string) => c.toUpperCase());

export const flagFor = (field: string, { shape, text }: Parameter): Option => {
  const flag = `--${flagName(field)}`;
  if (shape['type'] === 'boolean') {
    return new Option(`${flag} [true|false]`, text).argParser((value) => parseBoolean(flag, value));
  }
  return new Option(`${flag} ${shape['format'] === 'binary' ? '<path>' : '<text>'}`, text);
};

const parseBoolean = (flag: string, value: string): boolean => {
  if (value === '' || value === 'true') return true;
  if (value === 'false') return false;
  throw usage(`invalid value ${JSON.stringify(value)} for ${flag}`, 'use =true or =false');
};

export const repeatable = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** `--quiet` takes precedence. */
export const isDebugging = ({ debug, quiet }: GlobalFlags): boolean => debug === true && !quiet;
