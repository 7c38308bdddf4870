import { Command, Option } from 'commander';
import type { App } from './app.js';
import { flagsOf, taskPagesOf, valuesAfterEquals, withGlobals } from './command-line/command.js';
import { globalsHeading } from './command-line/flags.js';
import { helpStyle } from './help/format.js';
import { checkJq } from './terminal/output/format.js';

/**
 * Does not touch the process: output goes to `print`, and it throws where commander would exit.
 * @param words the command line; if its first word is a command, the tree has only that command and no root flags,
 * otherwise all commands by name and summary
 */
export const program = async (
  app: App, print: (text: string) => void, words: readonly string[],
): Promise<Command> => {
  const root = bareRoot(app, print);
  const [first = ''] = words;
  const named = [...nouns, ...singles].find(({ name, alias }) => first === name || first === alias);
  if (!named) finish(root, app);
  const isThere = (one: Noun | Single) => !named || one === named;
  for (const noun of nouns.filter(isThere)) root.addCommand(nounCommand(noun, root));
  for (const single of singles.filter(isThere)) {
    root.addCommand(await singleCommand(single, root, app, words.includes(single.name)));
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

export const commandNames = (): readonly string[] =>
  [...nouns, ...singles].flatMap(({ name, alias }) => alias === undefined ? [name] : [name, alias]);

/** With every command loaded, for completions and the reference. */
export const wholeProgram = async (app: App): Promise<Command> => {
  const root = finish(bareRoot(app, () => undefined), app);
  for (const noun of nouns) {
    const command = finish(nounCommand(noun, root), app);
    root.addCommand(command);
    await addVerbs(command, noun, app, Object.keys(noun.verbs));
  }
  for (const single of singles) root.addCommand(finish(await singleCommand(single, root, app, true), app));
  return root;
};

const bareRoot = (app: App, print: (text: string) => void): Command =>
  valuesAfterEquals(new Command('colloquy'))
    .description('Work with threads, appearance and epic links of a GitLab-compatible service')
    .usage('<command> [subcommand] [options]')
    .enablePositionalOptions()
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: print, writeErr: print, outputError: () => undefined,
      getOutHelpWidth: () => app.out.columns, getOutHasColors: () => false,
      getErrHelpWidth: () => app.out.columns, getErrHasColors: () => false,
    })
    .configureHelp(helpStyle)
    .commandsGroup(groups.tools)
    .helpCommand('help [command]', 'Show help for a command or a topic')
    .addHelpText('after', `
Learn more:
  colloquy help <command>     show the help of a command, such as \`notes add\`
  colloquy help <topic>       topics: exit-codes, environment, formatting, refs,
                              reports, findings, gate, ci, faults, manual,
                              world-schema
  colloquy --help --json      describe all commands as JSON
`);

const nounCommand = ({ name, alias, group, summary }: Noun, root: Command): Command =>
  (alias === undefined ? new Command(name) : new Command(name).alias(alias))
    .copyInheritedSettings(root).helpGroup(groups[group]).summary(summary).description(summary)
    .usage('<subcommand> [options]').helpCommand('help [subcommand]', 'Show help for a subcommand');

const singleCommand = async (
  { name, group, summary, load }: Single, root: Command, app: App, isLoaded: boolean,
): Promise<Command> => {
  const command = isLoaded ? (await load())(app, summary, () => wholeProgram(app))
    : new Command(name).summary(summary);
  return command.copyInheritedSettings(root).helpGroup(groups[group]);
};

const addVerbs = async (command: Command, { verbs }: Noun, app: App, names: readonly string[]): Promise<void> => {
  const make = await Promise.all(names.map((name) => verbs[name]!()));
  for (const verb of make) command.addCommand(finish(verb(app).copyInheritedSettings(command), app));
};

const finish = (command: Command, app: App): Command => {
  for (const page of taskPagesOf(command)) finish(page, app);
  withGlobals(command)
    .version(app.program.version, '--version', 'print the version')
    .addHelpOption(new Option('-h, --help', 'show help').helpGroup(globalsHeading));
  command.options.find((option) => option.long === '--version')!.helpGroup(globalsHeading);
  return command;
};

const groups = {
  discuss: 'Discuss:', administer: 'Administer:', configure: 'Configure:', tools: 'Tools:',
} as const;
type Group = keyof typeof groups;

/** Subcommands are loaded on use: the help of the program needs none of them. */
interface Noun {
  readonly name: string;
  /** A short name. The launcher knows it too. */
  readonly alias?: string;
  readonly group: Group;
  readonly summary: string;
  readonly verbs: Readonly<Record<string, () => Promise<(app: App) => Command>>>;
}

export const nouns: readonly Noun[] = [
  {
    name: 'discussions', alias: 'd', group: 'discuss', summary: 'List, read, start, reply to and resolve threads',
    verbs: {
      list: async () => (await import('./commands/discussions/list.js')).discussionsListCommand,
      get: async () => (await import('./commands/discussions/get.js')).discussionsGetCommand,
      view: async () => (await import('./commands/discussions/view.js')).discussionsViewCommand,
      create: async () => (await import('./commands/discussions/create.js')).discussionsCreateCommand,
      reply: async () => (await import('./commands/discussions/reply.js')).discussionsReplyCommand,
      resolve: async () => (await import('./commands/discussions/resolve.js')).discussionsResolveCommand,
      unresolve: async () => (await import('./commands/discussions/resolve.js')).discussionsUnresolveCommand,
      check: async () => (await import('./commands/discussions/check.js')).discussionsCheckCommand,
      inbox: async () => (await import('./commands/discussions/inbox.js')).discussionsInboxCommand,
      watch: async () => (await import('./commands/discussions/watch.js')).discussionsWatchCommand,
      drafts: async () => (await import('./commands/discussions/drafts.js')).discussionsDraftsCommand,
      triage: async () => (await import('./commands/discussions/triage.js')).discussionsTriageCommand,
      review: async () => (await import('./commands/discussions/review.js')).discussionsReviewCommand,
      suggestions: async () => (await import('./commands/discussions/suggestions.js')).discussionsSuggestionsCommand,
      lines: async () => (await import('./commands/discussions/lines.js')).discussionsLinesCommand,
      export: async () => (await import('./commands/discussions/export.js')).discussionsExportCommand,
      import: async () => (await import('./commands/discussions/import.js')).discussionsImportCommand,
    },
  },
  {
    name: 'notes', alias: 'n', group: 'discuss', summary: 'List, add, edit, delete and resolve notes', verbs: {
      list: async () => (await import('./commands/notes/list.js')).notesListCommand,
      add: async () => (await import('./commands/notes/add.js')).notesAddCommand,
      edit: async () => (await import('./commands/notes/edit.js')).notesEditCommand,
      delete: async () => (await import('./commands/notes/delete.js')).notesDeleteCommand,
      resolve: async () => (await import('./commands/notes/resolve.js')).notesResolveCommand,
      unresolve: async () => (await import('./commands/notes/resolve.js')).notesUnresolveCommand,
      upsert: async () => (await import('./commands/notes/upsert.js')).notesUpsertCommand,
      post: async () => (await import('./commands/notes/post.js')).notesPostCommand,
      exec: async () => (await import('./commands/notes/exec.js')).notesExecCommand,
    },
  },
  {
    name: 'saved', group: 'discuss', summary: 'List, show and delete comments that were not sent', verbs: {
      list: async () => (await import('./commands/saved/list.js')).savedListCommand,
      show: async () => (await import('./commands/saved/show.js')).savedShowCommand,
      delete: async () => (await import('./commands/saved/delete.js')).savedDeleteCommand,
    },
  },
  {
    name: 'appearance', group: 'administer', summary: 'Show and change the appearance of the instance', verbs: {
      get: async () => (await import('./commands/appearance/get.js')).appearanceGetCommand,
      set: async () => (await import('./commands/appearance/set.js')).appearanceSetCommand,
      export: async () => (await import('./commands/appearance/export.js')).appearanceExportCommand,
      diff: async () => (await import('./commands/appearance/diff.js')).appearanceDiffCommand,
      apply: async () => (await import('./commands/appearance/apply.js')).appearanceApplyCommand,
      undo: async () => (await import('./commands/appearance/undo.js')).appearanceUndoCommand,
      banner: async () => (await import('./commands/appearance/banner.js')).appearanceBannerCommand,
      preview: async () => (await import('./commands/appearance/preview.js')).appearancePreviewCommand,
    },
  },
  {
    name: 'epics', group: 'administer', summary: 'List, create, assign, reorder and remove child epics', verbs: {
      list: async () => (await import('./commands/epics/list.js')).epicsListCommand,
      tree: async () => (await import('./commands/epics/tree.js')).epicsTreeCommand,
      assign: async () => (await import('./commands/epics/assign.js')).epicsAssignCommand,
      create: async () => (await import('./commands/epics/create.js')).epicsCreateCommand,
      reorder: async () => (await import('./commands/epics/reorder.js')).epicsReorderCommand,
      unassign: async () => (await import('./commands/epics/unassign.js')).epicsUnassignCommand,
      apply: async () => (await import('./commands/epics/apply.js')).epicsApplyCommand,
    },
  },
  {
    name: 'auth', group: 'configure', summary: 'Manage logins and tokens', verbs: {
      login: async () => (await import('./commands/auth/login.js')).authLoginCommand,
      logout: async () => (await import('./commands/auth/logout.js')).authLogoutCommand,
      status: async () => (await import('./commands/auth/status.js')).authStatusCommand,
      switch: async () => (await import('./commands/auth/switch.js')).authSwitchCommand,
      token: async () => (await import('./commands/auth/token.js')).authTokenCommand,
    },
  },
  {
    name: 'config', group: 'configure', summary: 'Show and change profile settings', verbs: {
      get: async () => (await import('./commands/config/get.js')).configGetCommand,
      set: async () => (await import('./commands/config/set.js')).configSetCommand,
      unset: async () => (await import('./commands/config/set.js')).configUnsetCommand,
      list: async () => (await import('./commands/config/get.js')).configListCommand,
      path: async () => (await import('./commands/config/get.js')).configPathCommand,
    },
  },
];

/** Loaded only if the name is on the command line. */
interface Single {
  readonly name: string;
  readonly alias?: undefined;
  readonly group: Group;
  readonly summary: string;
  readonly load: () => Promise<SingleFactory>;
}

/** @param every builds the program with every command loaded */
type SingleFactory = (app: App, summary: string, every: () => Promise<Command>) => Command;

const singles: readonly Single[] = [
  {
    name: 'serve', group: 'tools', summary: 'Run the test server',
    load: async () => (await import('./commands/serve.js')).serveCommand,
  },
  {
    name: 'api', group: 'tools', summary: 'Send a raw API request and print the response',
    load: async () => (await import('./commands/api.js')).apiCommand,
  },
  {
    name: 'doctor', group: 'configure', summary: 'Check settings, connection and token, and suggest fixes',
    load: async () => (await import('./commands/doctor.js')).doctorCommand,
  },
  {
    name: 'mcp', group: 'tools', summary: 'Serve agents over the Model Context Protocol',
    load: async () => (await import('./commands/mcp.js')).mcpCommand,
  },
  {
    name: 'conformance', group: 'tools', summary: 'Compare what a service does with what is known of it',
    load: async () => (await import('./commands/conformance.js')).conformanceCommand,
  },
  {
    name: 'completion', group: 'configure', summary: 'Print a shell completion script',
    load: async () => (await import('./commands/completion.js')).completionCommand,
  },
];
