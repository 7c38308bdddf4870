import { Command, Option } from 'commander';
import type { App } from './app.js';
import { nouns, singles, type Noun } from './commands.js';
import { globalsHeading } from './flags/global.js';
import { flagsOf, withGlobals } from './flags/command.js';
import { valuesAfterEquals } from './flags/equals.js';
import { helpStyle } from './help.js';
import { checkJq } from './output/jq.js';

/**
 * The program as a commander tree. Nothing in it touches a process: it hands on what it prints and throws where
 * commander would exit.
 * @param print takes help and version
 * @param words of the command line that is to be read: what they do not name is there by name and summary
 */
export const program = (app: App, print: (text: string) => void, words: readonly string[]): Command => {
  const root = valuesAfterEquals(new Command('colloquy'))
    .description('Discussions, appearance and epic links of a GitLab-compatible service')
    .usage('<noun> <verb> [options]')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: print, writeErr: () => undefined, outputError: () => undefined,
      getOutHelpWidth: () => app.out.columns, getOutHasColors: () => false,
    })
    .configureHelp(helpStyle)
    .helpCommand(true)
    .addHelpText('after',
      '\n`colloquy help <noun> <verb>` tells about one command, and `colloquy help` about the topics\n'
      + 'exit-codes, environment, formatting and refs. `colloquy --help --json` maps all commands.\n');
  finish(root, app);
  for (const noun of nouns) root.addCommand(nounCommand(noun, root));
  for (const { name, summary, make } of singles) {
    const command = words.includes(name) ? make(app, summary) : new Command(name).summary(summary);
    root.addCommand(command.copyInheritedSettings(root));
  }
  root.hook('preSubcommand', async ({ args }, sub) => {
    finish(sub, app);
    const noun = nouns.find(({ name }) => name === sub.name());
    if (noun) await addVerbs(sub, noun, app, args[1]);
  });
  root.hook('preAction', (_, command) => checkJq(app, flagsOf<object>(command)));
  return root;
};

/** The program with every verb loaded: for completions and reference. */
export const wholeProgram = async (app: App): Promise<Command> => {
  const root = program(app, () => undefined, singles.map(({ name }) => name));
  for (const command of root.commands) finish(command, app);
  for (const noun of nouns) await addVerbs(root.commands.find((command) => command.name() === noun.name)!, noun, app);
  return root;
};

const nounCommand = ({ name, summary }: Noun, root: Command): Command =>
  new Command(name).copyInheritedSettings(root).summary(summary).description(summary).usage('<verb> [options]');

/** Adds the verb that the next word names, or all where it names none: a suggestion and help need them all. */
const addVerbs = async (command: Command, { verbs }: Noun, app: App, asked?: string): Promise<void> => {
  const one = asked !== undefined && Object.hasOwn(verbs, asked) ? verbs[asked] : undefined;
  const make = await Promise.all((one ? [one] : Object.values(verbs)).map((load) => load()));
  for (const verb of make) command.addCommand(finish(verb(app).copyInheritedSettings(command), app));
};

/** The flags of every command, the last group in its help; a command gets them when it is used. */
const finish = (command: Command, app: App): Command => {
  withGlobals(command)
    .version(app.version, '--version', 'print the version')
    .addHelpOption(new Option('-h, --help', 'tell about the command').helpGroup(globalsHeading));
  command.options.find((option) => option.long === '--version')!.helpGroup(globalsHeading);
  return command;
};
