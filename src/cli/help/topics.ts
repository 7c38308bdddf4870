import { nearestName } from '../../text/nearest.js';
import type { App } from '../app.js';
import { exits, usage, type Code, type Problem } from '../errors/failure.js';
import { formats } from '../flags/global.js';

/** A text about something that all commands share. */
export interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly text: () => string;
}

/** The topics that `colloquy help <topic>` tells about. */
export const topics: readonly Topic[] = [
  { name: 'exit-codes', summary: 'how the program ends', text: () => exitText() },
  { name: 'environment', summary: 'variables that it reads', text: () => environmentText() },
  { name: 'formatting', summary: 'formats, fields and jq', text: () => formattingText },
  { name: 'refs', summary: 'how to name merge requests, issues, snippets, epics and commits', text: () => refsText },
];

/**
 * Prints a topic; false where the word names a command.
 * @throws Problem where it names neither
 */
export const printTopic = async (app: App, name: string, commands: readonly string[]): Promise<boolean> => {
  const topic = topics.find((one) => one.name === name);
  if (topic) await app.out.write(topic.text());
  else if (!commands.includes(name) && !name.startsWith('-')) throw unknown(name, commands);
  return topic !== undefined;
};

const unknown = (name: string, commands: readonly string[]): Problem => {
  const near = nearestName(name, [...topics.map((one) => one.name), ...commands]);
  const hint = `topics: ${topics.map((one) => one.name).join(', ')}`;
  return usage(`there is no command and no topic ${JSON.stringify(name)}`, near === null ? hint
    : `did you mean ${near}?`);
};

const exitText = (): string => `Exit codes:
${exitCodes.map(({ exit, meaning }) => `  ${String(exit).padEnd(5)}${meaning}\n`).join('')}
No command ends with 8 yet: it is kept for those that compare and check.
With --json an error is one JSON object on stderr, whose code is the word for the exit code:
  {"error":{"code":"not_found","status":404,"message":"…","hint":"…","request":"GET /…"}}

Codes:
${exitCodes.flatMap(({ exit, code }) => code === null ? [] : [`  ${String(exit).padEnd(5)}${code}\n`]).join('')}`;

const environmentText = (): string =>
  `A flag comes before the environment, the environment before a profile, and a profile before
the git remotes of the folder. --debug tells which of them won; \`colloquy doctor\` lists them.

Variables:
${variables.map(({ names, meaning }) => `  ${names.join(', ')}\n      ${meaning}\n`).join('')}`;

const formattingText = `On a terminal, lists are tables as wide as it is; in a pipe they are tab-separated lines without
a header. -o chooses another format: ${formats.join(', ')}.
\`discussions get\` prints one thread as a conversation, in a pipe too; -o tsv prints the row that
\`discussions list\` has for it, and the other formats print it as they print lists.

  --json            one valid JSON value, under the service's own names, also with --all
  --json=id,body    these fields alone, in this order
  -q EXPRESSION     what a jq expression makes of the JSON; lists are one array
  -o ndjson         one record a line; a page is printed before the next is asked for
  -o id             ids alone, for scripts
  -o csv --csv-safe an apostrophe before cells that a spreadsheet would run as formulas

In a pipe, lists of threads, of epics and of \`api --all\` hold, as JSON, whole records as the service
wrote them, to the last digit of a number; filters, --json=id,body and -q put them together anew.

A command's own help lists the fields it prints. Results go to stdout, everything else to stderr.
Text of other people reaches a terminal with control and direction characters made visible.

Examples:
  colloquy discussions list mr/12 -q '[.[] | select(.notes[0].resolved == false)] | length'
  colloquy notes list issue/7 -o ndjson --json=id,body
  colloquy discussions list mr/12 | cut -f 1
`;

const refsText = `A reference names what carries the notes:

  !12  mr/12            merge request
  #7   issue/7          issue
  $5   snippet/5        snippet
  &3   epic/3           epic, by its number in the group
       epic/id:501      epic, by its global id
  @SHA commit/SHA       commit
  https://…             the address of its page, or of one of its notes

The forms with a slash need no quotes in any shell. acme/app!12 names the project too, acme&3 the
group; else they come from --project and --group, COLLOQUY_PROJECT and COLLOQUY_GROUP, the CI job,
the profile, or the git remotes upstream and origin, when they are on the same service. --mr 12,
--issue 7, --snippet 5, --epic 3 and --commit SHA stand for a reference. Without any, the merge
request of the CI job is meant.

A thread is named by its id, by the start of it, or by one of its notes.
`;

/** A variable of the environment and what it says. */
export interface Variable {
  readonly names: readonly string[];
  readonly meaning: string;
}

/** The variables that the program reads. */
export const variables: readonly Variable[] = [
  { names: ['COLLOQUY_URL'], meaning: 'base URL of the service; then GITLAB_HOST, GITLAB_URI' },
  { names: ['COLLOQUY_TOKEN'], meaning: 'access token; then GITLAB_TOKEN' },
  { names: ['COLLOQUY_PROJECT', 'COLLOQUY_GROUP'], meaning: 'what --project and --group say' },
  { names: ['COLLOQUY_PROFILE'], meaning: 'which profile counts' },
  { names: ['COLLOQUY_CONTROL_TOKEN'], meaning: 'what the control plane of serve asks for as a bearer token' },
  { names: ['COLLOQUY_CONFIG_DIR'], meaning: 'folder of profiles; then colloquy in XDG_CONFIG_HOME' },
  { names: ['XDG_STATE_HOME'], meaning: 'where drafts and what completion has seen are kept' },
  { names: ['GITLAB_HOST', 'GITLAB_URI', 'GITLAB_TOKEN'], meaning: 'service and token, as other programs know them' },
  { names: ['CI_API_V4_URL', 'CI_SERVER_URL'], meaning: 'the service, in a CI job' },
  { names: ['CI_MERGE_REQUEST_PROJECT_ID', 'CI_PROJECT_ID'], meaning: 'the project, in a CI job' },
  { names: ['CI_MERGE_REQUEST_IID'], meaning: 'the merge request, in a CI job' },
  { names: ['CI_OPEN_MERGE_REQUESTS'], meaning: 'which merge requests a message names, in the job of a branch' },
  {
    names: ['CI_MERGE_REQUEST_DIFF_BASE_SHA', 'CI_MERGE_REQUEST_SOURCE_BRANCH_SHA', 'CI_COMMIT_SHA'],
    meaning: 'the commits of a diff, in a CI job',
  },
  { names: ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'], meaning: 'proxies, and hosts that are reached without' },
  { names: ['VISUAL', 'EDITOR'], meaning: 'the editor for -e' },
  { names: ['COLLOQUY_PAGER', 'PAGER'], meaning: 'the pager for long texts; empty or cat for none' },
  { names: ['NO_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'FORCE_COLOR', 'TERM'], meaning: 'colours, as usual' },
  { names: ['FORCE_HYPERLINK'], meaning: 'links in tables: 1 for yes, 0 for no' },
  { names: ['COLLOQUY_V8_FLAGS'], meaning: 'off leaves the flags of V8 as they are' },
];

/** What each failure means, in the words of help, reference and the map for machines. */
export const meanings: Readonly<Record<Code, string>> = {
  failure: 'failed for another reason',
  usage: 'the command line is wrong, or something is missing from it',
  cancelled: 'cancelled by you',
  unauthenticated: 'not authenticated: no token, or the service answered 401',
  forbidden: 'forbidden, or a feature is missing: 403',
  not_found: 'not found: 404',
  rejected: 'rejected: 400, 409, 412, 413, 422',
  pending: 'pending: a diff has changes, a check found open threads',
  rate_limited: 'rate limited: 429',
  unavailable: 'server or network: 5xx, refused, timed out',
  interrupted: 'interrupted',
};

/** An exit code with the word that stands for it in an error's JSON; null for success. */
export interface ExitCode {
  readonly exit: number;
  readonly code: Code | null;
  readonly meaning: string;
}

/** Every exit code in order. */
export const exitCodes: readonly ExitCode[] = [
  { exit: 0, code: null, meaning: 'done; an empty list is a result too' },
  ...(Object.keys(exits) as Code[]).map((code) => ({ exit: exits[code], code, meaning: meanings[code] })),
];
