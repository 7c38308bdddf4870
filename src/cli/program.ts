import { Command, Option } from 'commander';
import type { App } from './app.js';
import { nouns, singles, type Noun, type Single } from './commands.js';
import { globalsHeading } from './flags/global.js';
import { flagsOf, withGlobals } from './flags/command.js';
import { valuesAfterEquals } from './flags/equals.js';
import { helpStyle } from './help.js';
import { checkJq } from './output/jq.js';

/**
 * The program as a commander tree. Nothing in it touches a process: it hands on what it prints and throws where
 * commander would exit.
 * @param print takes help and version
 * @param words of the command line that is to be read. Where the first names a command there is no other, and none of
 *   the flags that stand before one; else all are there, by name and summary
 */
export const program = (app: App, print: (text: string) => void, words: readonly string[]): Command => {
  const root = bareRoot(app, print);
  const named = [...nouns, ...singles].find(({ name }) => name === words[0]);
  if (!named) finish(root, app);
  const isThere = (one: Noun | Single) => !named || one === named;
  for (const noun of nouns.filter(isThere)) root.addCommand(nounCommand(noun, root));
  for (const single of singles.filter(isThere)) {
    root.addCommand(singleCommand(single, root, app, words.includes(single.name)));
  }
  root.hook('preSubcommand', async ({ args: [, verb = ''] }, sub) => {
    const noun = nouns.find(({ name }) => name === sub.name());
    const isNamed = noun !== undefined && Object.hasOwn(noun.verbs, verb);
    if (!isNamed) finish(sub, app);
    if (noun) await addVerbs(sub, noun, app, isNamed ? [verb] : Object.keys(noun.verbs));
  });
  root.hook('preAction', (_, command) => checkJq(app, flagsOf<object>(command)));
  return root;
};

/** The program with every verb loaded: for completions and reference. */
export const wholeProgram = async (app: App): Promise<Command> => {
  const root = finish(bareRoot(app, () => undefined), app);
  for (const noun of nouns) {
    const command = finish(nounCommand(noun, root), app);
    root.addCommand(command);
    await addVerbs(command, noun, app, Object.keys(noun.verbs));
  }
  for (const single of singles) root.addCommand(finish(singleCommand(single, root, app, true), app));
  return root;
};

const bareRoot = (app: App, print: (text: string) => void): Command =>
  valuesAfterEquals(new Command('colloquy'))
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

const nounCommand = ({ name, summary }: Noun, root: Command): Command =>
  new Command(name).copyInheritedSettings(root).summary(summary).description(summary).usage('<verb> [options]');

const singleCommand = ({ name, summary, make }: Single, root: Command, app: App, isMade: boolean): Command =>
  (isMade ? make(app, summary) : new Command(name).summary(summary)).copyInheritedSettings(root);

const addVerbs = async (command: Command, { verbs }: Noun, app: App, names: readonly string[]): Promise<void> => {
  const make = await Promise.all(names.map((name) => verbs[name]!()));
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
