import type { Command } from 'commander';
import type { App } from './app.js';
import { apiCommand } from './commands/api.js';
import { completionCommand } from './commands/completion.js';
import { doctorCommand } from './commands/doctor.js';
import { serveCommand } from './commands/serve.js';

/** Makes a command with its flags. */
export type MakeCommand = (app: App) => Command;

/** A noun with its verbs. Each is loaded when it is used: help of the whole program needs none of them. */
export interface Noun {
  readonly name: string;
  readonly summary: string;
  readonly verbs: Readonly<Record<string, () => Promise<MakeCommand>>>;
}

/** The nouns, in the order of help. */
export const nouns: readonly Noun[] = [
  {
    name: 'discussions', summary: 'list, read, start, answer and resolve threads', verbs: {
      list: async () => (await import('./commands/discussions/list.js')).discussionsListCommand,
      get: async () => (await import('./commands/discussions/get.js')).discussionsGetCommand,
      create: async () => (await import('./commands/discussions/create.js')).discussionsCreateCommand,
      reply: async () => (await import('./commands/discussions/reply.js')).discussionsReplyCommand,
      resolve: async () => (await import('./commands/discussions/resolve.js')).discussionsResolveCommand,
      unresolve: async () => (await import('./commands/discussions/resolve.js')).discussionsUnresolveCommand,
    },
  },
  {
    name: 'notes', summary: 'list, add, change, delete and resolve single notes', verbs: {
      list: async () => (await import('./commands/notes/list.js')).notesListCommand,
      add: async () => (await import('./commands/notes/add.js')).notesAddCommand,
      edit: async () => (await import('./commands/notes/edit.js')).notesEditCommand,
      delete: async () => (await import('./commands/notes/delete.js')).notesDeleteCommand,
      resolve: async () => (await import('./commands/notes/resolve.js')).notesResolveCommand,
      unresolve: async () => (await import('./commands/notes/resolve.js')).notesUnresolveCommand,
    },
  },
  {
    name: 'appearance', summary: 'show and change the appearance of the instance', verbs: {
      get: async () => (await import('./commands/appearance/get.js')).appearanceGetCommand,
      set: async () => (await import('./commands/appearance/set.js')).appearanceSetCommand,
    },
  },
  {
    name: 'epics', summary: 'list, create, assign, order and part child epics', verbs: {
      list: async () => (await import('./commands/epics/list.js')).epicsListCommand,
      assign: async () => (await import('./commands/epics/assign.js')).epicsAssignCommand,
      create: async () => (await import('./commands/epics/create.js')).epicsCreateCommand,
      reorder: async () => (await import('./commands/epics/reorder.js')).epicsReorderCommand,
      unassign: async () => (await import('./commands/epics/unassign.js')).epicsUnassignCommand,
    },
  },
  {
    name: 'auth', summary: 'log in and out, and see whose token is in use', verbs: {
      login: async () => (await import('./commands/auth/login.js')).authLoginCommand,
      logout: async () => (await import('./commands/auth/logout.js')).authLogoutCommand,
      status: async () => (await import('./commands/auth/status.js')).authStatusCommand,
      switch: async () => (await import('./commands/auth/switch.js')).authSwitchCommand,
      token: async () => (await import('./commands/auth/token.js')).authTokenCommand,
    },
  },
  {
    name: 'config', summary: 'read and change the settings of profiles', verbs: {
      get: async () => (await import('./commands/config/get.js')).configGetCommand,
      set: async () => (await import('./commands/config/set.js')).configSetCommand,
      unset: async () => (await import('./commands/config/unset.js')).configUnsetCommand,
      list: async () => (await import('./commands/config/list.js')).configListCommand,
      path: async () => (await import('./commands/config/path.js')).configPathCommand,
    },
  },
];

/** A command without verbs. Its flags are made where the command line has its name among its words. */
export interface Single {
  readonly name: string;
  readonly summary: string;
  readonly make: (app: App, summary: string) => Command;
}

/** The commands that stand behind the nouns in help. */
export const singles: readonly Single[] = [
  { name: 'serve', summary: 'run the reference server', make: serveCommand },
  { name: 'api', summary: 'send one request to the service and print its answer', make: apiCommand },
  { name: 'doctor', summary: 'check settings, connection and token, and say what to mend', make: doctorCommand },
  { name: 'completion', summary: 'print the completion script of a shell', make: completionCommand },
];
