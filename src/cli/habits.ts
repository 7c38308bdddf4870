import type { Command } from 'commander';

/** What programs for the same purpose call it: words that hands bring along. The first that is here counts. */
const verbs = new Map(Object.entries({
  view: ['get', 'list'], show: ['get', 'list'], cat: ['get'], new: ['create', 'add'], post: ['add', 'create'],
  create: ['add'], comment: ['add', 'reply'], add: ['create', 'assign'], answer: ['reply'], update: ['edit', 'set'],
  change: ['edit', 'set'], modify: ['edit', 'set'], edit: ['set'],
  rm: ['delete', 'unassign', 'unset'], remove: ['delete', 'unassign', 'unset', 'logout'], delete: ['unassign', 'unset'],
  move: ['reorder'], close: ['resolve'], done: ['resolve'], open: ['unresolve'], reopen: ['unresolve'],
  whoami: ['status'], use: ['switch'], link: ['assign'], unlink: ['unassign'],
}));

const phrases = new Map(Object.entries({
  'login': 'auth login', 'logout': 'auth logout', 'whoami': 'auth status', 'status': 'auth status',
  'comment': 'notes add', 'reply': 'discussions reply', 'resolve': 'discussions resolve', 'list': 'discussions list',
  'thread': 'discussions', 'threads': 'discussions', 'mr': 'discussions list --mr 12', 'pr': 'discussions list --mr 12',
  'issue': 'discussions list --issue 7', 'snippet': 'discussions list --snippet 5',
  'commit': 'discussions list --commit', 'server': 'serve', 'discussions delete': 'notes delete',
  'discussions edit': 'notes edit', 'discussions add': 'notes add', 'notes get': 'discussions get',
  'notes reply': 'discussions reply',
}));

const flags = new Map(Object.entries({
  '--repo': ['--project'], '-R': ['--project'], '--fields': ['--json'], '--format': ['--output'],
  '--body': ['--message'], '-b': ['--message'], '--text': ['--message'], '--comment': ['--message'],
  '--page': ['--all', '--limit'], '--per-page': ['--limit'], '--paginate': ['--all'],
  '--state': ['--unresolved', '--resolved'], '--force': ['--yes'],
  '--verbose': ['--debug'], '-v': ['--version'], '-V': ['--version'], '--hostname': ['--url'], '--silent': ['--quiet'],
  '--pr': ['--mr'], '--merge-request': ['--mr'], '--sha': ['--commit'], '--user': ['--author'],
}));

/** Flags of others for what is a word of its own here. */
const words = new Map(Object.entries({ '-X': 'method', '--method': 'method', '--request': 'method' }));

/** The verb or command that stands for a word below a command; null where none is known. */
export const usualCommand = (below: Command, word: string): string | null => {
  const phrase = phrases.get(below.parent ? `${below.name()} ${word}` : word);
  if (phrase !== undefined) return phrase;
  const names = below.commands.map((command) => command.name());
  return (verbs.get(word) ?? []).find((verb) => names.includes(verb)) ?? null;
};

/** The flags of a command that stand for one of another program; none where none is known. */
export const usualFlags = ({ options }: Command, flag: string): readonly string[] =>
  (flags.get(flag) ?? []).filter((name) => options.some(({ long }) => long === name));

/** The word of a command that stands for a flag of another program; undefined where none is known. */
export const usualWord = ({ registeredArguments }: Command, flag: string): string | undefined =>
  registeredArguments.map((one) => one.name()).find((name) => name === words.get(flag));
