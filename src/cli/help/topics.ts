import type { Command } from 'commander';
import { nearestName } from '../../text/messages.js';
import type { App } from '../app.js';
import { type Problem, usage } from '../command-line/failure.js';
import type { GlobalFlags } from '../command-line/flags.js';
import { showHelp } from '../terminal/io/messages.js';
import {
  environmentText, exitText, faultsText, findingsText, formattingText, gateText, pipelinesText, refsText,
} from './texts.js';

interface Commands {
  readonly names: readonly string[];
  readonly whole: () => Promise<Command>;
}

interface Topic {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly text: (commands: Commands, words: readonly string[], app: App) => string | Promise<string>;
}

/** The JSON Schema of world files, as docs/world.schema.json has it. */
const worldSchemaText = async (): Promise<string> => {
  const { default: schema } = await import('../../../docs/world.schema.json', { with: { type: 'json' } });
  return `${JSON.stringify(schema, null, 2)}\n`;
};

export const topics: readonly Topic[] = [
  { name: 'exit-codes', summary: 'exit codes and error codes', text: exitText },
  { name: 'environment', summary: 'environment variables', text: environmentText },
  { name: 'formatting', summary: 'output formats, fields and jq', text: () => formattingText },
  { name: 'refs', summary: 'how to name merge requests, issues, snippets, epics and commits', text: () => refsText },
  {
    name: 'reports', summary: 'commands of linters and tests for `notes post`',
    text: async () => (await import('./reports.js')).reportsText,
  },
  {
    name: 'findings', aliases: ['keys', 'accept', 'post'], summary: 'what `notes post` does with findings and threads',
    text: () => findingsText,
  },
  { name: 'gate', summary: 'jobs that fail while threads or findings are open', text: () => gateText },
  { name: 'ci', aliases: ['pipelines'], summary: 'jobs of pipelines, and their settings', text: () => pipelinesText },
  { name: 'faults', aliases: ['fault'], summary: 'faults of the test server', text: () => faultsText },
  {
    name: 'manual', summary: 'manual pages of all commands or of one, for `man -l -`',
    text: async ({ whole }, words, { program: { version } }) => {
      const { manualPages } = await import('./manual.js');
      return manualOf(manualPages(await whole(), version), words);
    },
  },
  {
    name: 'world-schema', summary: 'JSON Schema of world files',
    text: worldSchemaText,
  },
];

/** Returns false when the word is a command. @throws Problem when it is neither */
export const printTopic = async (
  app: App, flags: Pick<GlobalFlags, 'input'>, [name, ...words]: readonly [string, ...string[]],
  commands: Commands,
): Promise<boolean> => {
  const topic = topics.find((one) => one.name === name || one.aliases?.includes(name));
  if (topic) await showHelp(app, flags, await topic.text(commands, words.filter((word) => !word.startsWith('-')), app));
  else if (!commands.names.includes(name) && !name.startsWith('-')) throw unknown(name, commands.names);
  return topic !== undefined;
};

/** All pages, or that of a command. @throws Problem if there is no such command */
const manualOf = (pages: Readonly<Record<string, string>>, words: readonly string[]): string => {
  if (words.length === 0) return Object.values(pages).join('');
  const page = pages[['colloquy', ...words].join('-')];
  if (page !== undefined) return page;
  throw usage(`no manual page for ${JSON.stringify(words.join(' '))}`, 'name a command, such as `notes add`');
};

const unknown = (name: string, commands: readonly string[]): Problem => {
  const near = nearestName(name, [...topics.map((one) => one.name), ...commands]);
  const hint = `choose one of: ${topics.map((one) => one.name).join(', ')}`;
  return usage(`unknown command or topic ${JSON.stringify(name)}`, near === null ? hint
    : `did you mean ${near}?`);
};
