import type { App } from '../app.js';
import { usage, type Problem } from '../failures.js';
import { nearest } from '../nearest.js';
import { formats } from '../output/format.js';
import { exitCodes } from './exit-codes.js';
import { variables } from './environment.js';

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
  const near = nearest(name, [...topics.map((one) => one.name), ...commands]);
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
