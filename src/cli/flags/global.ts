import { Option } from 'commander';
import { count } from './values.js';

/** What every command understands. */
export interface GlobalFlags {
  readonly url?: string;
  readonly token?: string;
  readonly profile?: string;
  readonly project?: string;
  readonly group?: string;
  /** Empty for all fields, else field names with commas. */
  readonly json?: string;
  /** A jq expression over the JSON. */
  readonly jq?: string;
  readonly output?: FormatName;
  readonly all?: boolean;
  readonly limit?: number;
  /** False with `--no-input`. */
  readonly input?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
  readonly timeout?: string;
  readonly retries?: string;
  readonly sandbox?: boolean;
  readonly caCert?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
}

/** The heading of these options in help. */
export const globalsHeading = 'Global options:';

/** The options behind `GlobalFlags`: the same for every command, none of which changes an option. */
export const globalOptions = (): readonly Option[] => options ??= made();

let options: readonly Option[] | undefined;

const made = (): readonly Option[] => [
  new Option('--url <url>', 'base URL of the service'),
  new Option('--token <token>', 'access token; better in COLLOQUY_TOKEN or a profile'),
  new Option('--profile <name>', 'stored settings to use'),
  new Option('-p, --project <id|path>', 'project, by id or path'),
  new Option('-g, --group <id|path>', 'group, by id or path'),
  new Option('--json [fields]', 'print JSON, all fields or the ones named: --json=id,body'),
  new Option('-q, --jq <expression>', 'print what a jq expression makes of the JSON'),
  new Option('-o, --output <format>', 'print in this format').choices([...formats]),
  new Option('--all', 'read every page; so do lists without --limit'),
  new Option('-L, --limit <n>', 'print at most this many').argParser(count('--limit')),
  new Option('--no-input', 'never ask a question'),
  new Option('-y, --yes', 'say yes to questions of destructive commands'),
  new Option('-n, --dry-run', 'show the request of a write and do not send it'),
  new Option('--quiet', 'print results and errors only'),
  new Option('--debug', 'show requests and answers on stderr'),
  new Option('--timeout <seconds>', 'time for one call'),
  new Option('--retries <n>', 'how often a failed call is tried again'),
  new Option('--sandbox', 'work on a demo service in this process'),
  new Option('--ca-cert <path>', 'certificate authority to trust, PEM'),
  new Option('--client-cert <path>', 'client certificate, PEM'),
  new Option('--client-key <path>', 'key of the client certificate, PEM'),
].map((option) => option.helpGroup(globalsHeading));
/** The output formats by their name on the command line. */

export const formats = ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'markdown', 'id'] as const;
export type FormatName = (typeof formats)[number];
