import type { Command } from 'commander';
import type { App } from './app.js';
import { usage } from './errors/failure.js';
import { nearest } from './errors/nearest.js';
import { whatFollows } from './flags/unfinished.js';

/**
 * Calls that no command answers: a shell that asks what may follow, a topic of help, the map of all commands. False for
 * everything else.
 */
export const answeredAside = async (argv: readonly string[], app: App): Promise<boolean> => {
  const [first, second, third] = argv;
  if (first === '__complete') {
    const { complete } = await import('./completions/candidates.js');
    await complete(app, await everyCommand(app), lineIn(argv.slice(1)));
    return true;
  }
  if (asksForMap(argv)) {
    const { printMap } = await import('./help/map.js');
    await printMap(app, await everyCommand(app), argv);
    return true;
  }
  if (first !== 'help' || second === undefined) return false;
  if (third !== undefined) await checkVerb(app, second, third);
  const { printTopic } = await import('./help/topics.js');
  return printTopic(app, second, await knownWords(app));
};

/**
 * The command line that a shell asks about, behind `--`. Its last word may come first, as `--last=WORD`: PowerShell
 * loses words that are empty.
 */
const lineIn = ([first = '', ...others]: readonly string[]): string[] => {
  const last = /^--last=(.*)$/s.exec(first)?.[1];
  if (last !== undefined) return [...others.slice(others[0] === '--' ? 1 : 0), last];
  return first === '--' ? others : [first, ...others];
};

/** Refuses help about a verb that is none: commander would tell about the noun. @throws Problem */
const checkVerb = async (app: App, noun: string, verb: string): Promise<void> => {
  const command = (await everyCommand(app)).commands.find((one) => one.name() === noun && one.commands.length > 0);
  if (!command || verb.startsWith('-') || command.commands.some((one) => one.name() === verb)) return;
  const { usualCommand } = await import('./flags/suggestions.js');
  const meant = usualCommand(command, verb) ?? nearest(verb, command.commands.map((one) => one.name()));
  throw usage(`unknown command '${verb}'`, meant === null ? whatFollows(command) : `did you mean ${meant}?`);
};

const everyCommand = async (app: App): Promise<Command> => (await import('./program.js')).wholeProgram(app);

/** What commander knows by name; it would tell about the whole program where a word is unknown. */
const knownWords = async (app: App): Promise<string[]> => {
  const { program } = await import('./program.js');
  return program(app, () => undefined, []).commands.map((command) => command.name());
};

/** `--help --json`, in either order, before any `--`. */
const asksForMap = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const isHelp = words[0] === 'help' || words.includes('--help') || words.includes('-h');
  return isHelp && words.some((word) => /^--json(=|$)/.test(word));
};
