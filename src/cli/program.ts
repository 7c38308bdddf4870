import { Command, Option } from 'commander';
import type { App } from './app.js';
import { apiCommand } from './commands/api.js';
import { completionCommand } from './commands/completion.js';
import { doctorCommand } from './commands/doctor.js';
import { serveCommand } from './commands/serve.js';
import { globalsHeading } from './flags/global.js';
import { flagsOf, withGlobals } from './flags/command.js';
import { valuesAfterEquals } from './flags/equals.js';
import { helpStyle } from './help.js';
import { checkJq } from './output/jq.js';

type MakeCommand = (app: App) => Command;

/** A noun with its verbs. They are loaded when the noun is used: help of the whole program needs none of them. */
interface Noun {
  readonly name: string;
  readonly summary: string;
  readonly verbs: readonly (() => Promise<MakeCommand>)[];
}

const nouns: readonly Noun[] = [
  {
    name: 'discussions', summary: 'list, read, start, answer and resolve threads', verbs: [
      async () => (await import('./commands/discussions/list.js')).discussionsListCommand,
      async () => (await import('./commands/discussions/get.js')).discussionsGetCommand,
      async () => (await import('./commands/discussions/create.js')).discussionsCreateCommand,
      async () => (await import('./commands/discussions/reply.js')).discussionsReplyCommand,
      async () => (await import('./commands/discussions/resolve.js')).discussionsResolveCommand,
      async () => (await import('./commands/discussions/resolve.js')).discussionsUnresolveCommand,
    ],
  },
  {
    name: 'notes', summary: 'list, add, change, delete and resolve single notes', verbs: [
      async () => (await import('./commands/notes/list.js')).notesListCommand,
      async () => (await import('./commands/notes/add.js')).notesAddCommand,
      async () => (await import('./commands/notes/edit.js')).notesEditCommand,
      async () => (await import('./commands/notes/delete.js')).notesDeleteCommand,
      async () => (await import('./commands/notes/resolve.js')).notesResolveCommand,
      async () => (await import('./commands/notes/resolve.js')).notesUnresolveCommand,
    ],
  },
  {
    name: 'appearance', summary: 'show and change the appearance of the instance', verbs: [
      async () => (await import('./commands/appearance/get.js')).appearanceGetCommand,
      async () => (await import('./commands/appearance/set.js')).appearanceSetCommand,
    ],
  },
  {
    name: 'epics', summary: 'list, create, assign, order and part child epics', verbs: [
      async () => (await import('./commands/epics/list.js')).epicsListCommand,
      async () => (await import('./commands/epics/assign.js')).epicsAssignCommand,
      async () => (await import('./commands/epics/create.js')).epicsCreateCommand,
      async () => (await import('./commands/epics/reorder.js')).epicsReorderCommand,
      async () => (await import('./commands/epics/unassign.js')).epicsUnassignCommand,
    ],
  },
  {
    name: 'auth', summary: 'log in and out, and see whose token is in use', verbs: [
      async () => (await import('./commands/auth/login.js')).authLoginCommand,
      async () => (await import('./commands/auth/logout.js')).authLogoutCommand,
      async () => (await import('./commands/auth/status.js')).authStatusCommand,
      async () => (await import('./commands/auth/switch.js')).authSwitchCommand,
      async () => (await import('./commands/auth/token.js')).authTokenCommand,
    ],
  },
  {
    name: 'config', summary: 'read and change the settings of profiles', verbs: [
      async () => (await import('./commands/config/get.js')).configGetCommand,
      async () => (await import('./commands/config/set.js')).configSetCommand,
      async () => (await import('./commands/config/unset.js')).configUnsetCommand,
      async () => (await import('./commands/config/list.js')).configListCommand,
      async () => (await import('./commands/config/path.js')).configPathCommand,
    ],
  },
];

/**
 * The program as a commander tree. Nothing in it touches a process: it hands on what it prints and throws where
 * commander would exit.
 * @param print takes help and version
 */
export const program = (app: App, print: (text: string) => void): Command => {
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
  for (const noun of nouns) root.addCommand(nounCommand(noun, root, app));
  for (const make of [serveCommand, apiCommand, doctorCommand, completionCommand]) {
    root.addCommand(finish(make(app).copyInheritedSettings(root), app));
  }
  root.hook('preSubcommand', async (_, sub) => {
    const noun = nouns.find(({ name }) => name === sub.name());
    if (noun) await addVerbs(sub, noun, app);
  });
  root.hook('preAction', (_, command) => checkJq(app, flagsOf<object>(command)));
  return root;
};

/** The program with every verb loaded: for completions and reference. */
export const wholeProgram = async (app: App): Promise<Command> => {
  const root = program(app, () => undefined);
  for (const noun of nouns) await addVerbs(root.commands.find((command) => command.name() === noun.name)!, noun, app);
  return root;
};

const nounCommand = ({ name, summary }: Noun, root: Command, app: App): Command =>
  finish(new Command(name).copyInheritedSettings(root).summary(summary).description(summary).usage('<verb> [options]'),
    app);

const addVerbs = async (command: Command, { verbs }: Noun, app: App): Promise<void> => {
  if (command.commands.length > 0) return;
  const make = await Promise.all(verbs.map((load) => load()));
  for (const one of make) command.addCommand(finish(one(app).copyInheritedSettings(command), app));
};

/** The flags of every command, the last group in its help. */
const finish = (command: Command, app: App): Command => {
  withGlobals(command)
    .version(app.version, '--version', 'print the version')
    .addHelpOption(new Option('-h, --help', 'tell about the command').helpGroup(globalsHeading));
  command.options.find((option) => option.long === '--version')!.helpGroup(globalsHeading);
  return command;
};
