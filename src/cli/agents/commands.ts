import { createHash } from 'node:crypto';
import { isObject, jsonOrNull } from '../../wire/json.js';
import type { Activity, App, Output, ReviewPlace } from '../app.js';
import { usage } from '../command-line/failure.js';
import { newActivity } from '../service/connection/client.js';
import { draftsInMemory } from '../state/folders.js';
import { listItems, textLines, type ProgramError } from './results.js';
import type { Given } from './tools.js';

export interface CommandEnd {
  readonly code: number;
  readonly out: string;
  /** The `error` of the program: code, status, message, hint and request. Null if it had none. */
  readonly error: ProgramError | null;
  readonly omitted: Activity['omitted'];
  readonly warnings: readonly string[];
}

export interface Command {
  readonly options: readonly string[];
  /** They may begin with a dash: they are never read as options. */
  readonly positionals: readonly string[];
  readonly text?: string;
  /** Where the comment of a review belongs. */
  readonly place?: ReviewPlace;
  readonly hunks?: boolean;
  /** Sees what the command is about to change, as its dry run prints it. Throws to prevent it. */
  readonly approve?: (changes: readonly object[]) => void;
}

/** Runs a command as the program does. Never rejects. */
export type Call = (command: Command, signal: AbortSignal) => Promise<CommandEnd>;

/** @param globals options that every command line gets, such as `--project=acme/app` */
export const callOf = (app: App, globals: readonly string[]): Call => {
  const drafts = new Set<number>();
  return async ({ options, positionals, text = '', place, hunks = false, approve = () => undefined }, signal) => {
    const [out, err] = [captured(), captured()];
    const activity = newActivity();
    const words = [...options, ...globals, '--no-input', '--quiet', '--', ...positionals];
    const code = await app.program.run(words, {
      ...app, out: out.output, err: err.output, stdin: { isTerminal: false, read: async () => Buffer.from(text) },
      drafts: draftsInMemory(), ask: { ...app.ask, screen: null, edit: noEditor }, activity,
      agent: { approve, drafts, hunks, ...place && { place } }, signal: AbortSignal.any([app.signal, signal]),
    });
    app.activity.changes.push(...activity.changes);
    app.activity.effects.push(...activity.effects);
    const { omitted, warnings } = activity;
    return { code, out: out.text(), error: errorIn(err.text()), omitted, warnings };
  };
};

export class CommandFailed extends Error {
  constructor(readonly outcome: CommandEnd) { super(`the command ended with ${outcome.code}`); }
}

const captured = (): { readonly output: Output; readonly text: () => string } => {
  const chunks: Uint8Array[] = [];
  return {
    output: {
      write: async (text) => { chunks.push(Buffer.from(text)); },
      writeBytes: async (bytes) => { chunks.push(Buffer.from(bytes)); },
      isClosed: () => false, isTerminal: false, columns: 80, rows: 24, colors: 0,
    },
    text: () => Buffer.concat(chunks).toString(),
  };
};

const noEditor = async (): Promise<never> => { throw new Error('there is no editor'); };

/** The last line of stderr; messages may stand before it. */
const errorIn = (text: string): ProgramError | null => {
  const last = jsonOrNull(text.trimEnd().split('\n').at(-1) ?? '');
  return isObject(last) && isObject(last['error']) ? last['error'] : null;
};

/** Other lists have no threads. @throws Problem for a filter that would be ignored */
const filtersOf = ({ what, unresolved, path, author }: Given<'find'>): readonly string[] => {
  const filters = [
    ...unresolved === true ? ['--unresolved'] : [], ...path === undefined ? [] : [`--path=${path}`],
    ...author === undefined ? [] : [`--author=${author}`],
  ];
  if (filters.length === 0 || what === 'threads' || what === 'notes') return filters;
  throw usage(`${what} has no filters`, 'use unresolved, path and author with threads or notes');
};

/** How many items there are at once, unless the agent says so. */
const finds: Readonly<Record<Given<'find'>['what'], {
  readonly options: readonly string[]; readonly limit: number; readonly takesLimit?: true; readonly hasNoRef?: true;
}>> = {
  threads: { options: ['discussions', 'list', '--output=agent'], limit: 20, takesLimit: true },
  notes: { options: ['notes', 'list', '--output=agent'], limit: 30, takesLimit: true },
  lines: { options: ['discussions', 'lines', '--output=tsv'], limit: 200 },
  appearance: { options: ['appearance', 'get', '--output=yaml'], limit: 200, hasNoRef: true },
  tree: { options: ['epics', 'tree', '--output=agent'], limit: 200 },
  inbox: { options: ['discussions', 'inbox', '--output=tsv'], limit: 50, hasNoRef: true },
};

const threadsWithCode = ['discussions', 'view', '--context=3', '--resolved', '--output=agent'];

/** The first part prints one item more than asked for, to know whether there is a next one. */
export const findCommand = (given: Given<'find'>) => {
  const { options, limit: usual, takesLimit = false, hasNoRef = false } = finds[given.what];
  const limit = given.limit ?? usual;
  const words = given.what === 'threads' && given.hunks === true ? threadsWithCode
    : takesLimit && given.cursor === undefined ? [...options, `--limit=${limit + 1}`] : options;
  const positionals = given.ref === undefined || hasNoRef ? [] : [given.ref];
  const items = takesLimit ? listItems : textLines;
  const filters = filtersOf(given);
  const listing = (more: readonly string[]): Command => ({ options: [...words, ...more], positionals });
  return { command: listing(filters), unfiltered: filters.length === 0 ? null : listing([]), items, limit };
};

export const readCommand = ({ ref, thread, hunks }: Given<'read'>): Command => thread === undefined
  ? { options: ['discussions', 'view', '--output=agent', ...hunks === true ? ['--context=3'] : []], positionals: [ref] }
  : { options: ['discussions', 'get', '--output=agent'], positionals: [ref, thread], ...hunks && { hunks } };

type Wanted = Given<'plan'>;

/** Prints the changes as JSON, and makes none. @throws Problem for epics without an epic */
export const planCommand = (wanted: Wanted): Command =>
  documentCommand(wanted, wanted.action === 'appearance' ? ['diff'] : ['apply', '--dry-run']);

/** Makes the changes. @throws Problem for epics without an epic */
export const applyCommand = (wanted: Wanted): Command => documentCommand(wanted, ['apply', '--yes']);

const documentCommand = (wanted: Wanted, options: readonly string[]): Command => ({
  options: [wanted.action, ...options, '--json'],
  positionals: wanted.action === 'epics' ? [wantedEpic(wanted), '-'] : ['-'], text: wanted.document,
});

const wantedEpic = ({ ref }: Wanted): string => {
  if (ref !== undefined) return ref;
  throw usage('epics requires ref', 'pass the epic that the document is about, such as epic/1');
};

/** The same for the same changes of the same document: another state of the service gives another one. */
export const planHash = ({ action, document, ref = '' }: Wanted, changes: readonly object[]): string =>
  createHash('sha256').update(JSON.stringify([action, document, ref, changes])).digest('hex').slice(0, 32);

type Field = Exclude<keyof Given<'write'>, 'action' | 'ref'>;

const takes: Readonly<Record<Given<'write'>['action'], readonly Field[]>> = {
  reply: ['thread', 'body', 'key'], resolve: ['thread', 'fixed_by'], unresolve: ['thread'],
  comment: ['body', 'file', 'line', 'key'], upsert: ['body', 'key'],
  review: ['thread', 'body', 'file', 'line', 'verdict', 'summary'], apply: ['thread'],
};

const checkFields = (given: Given<'write'>): void => {
  const { action, file, line, thread, verdict, summary } = given;
  const fields = (Object.keys(given) as (keyof typeof given)[])
    .filter((name): name is Field => name !== 'action' && name !== 'ref');
  const other = fields.find((name) => !takes[action].includes(name));
  if (other !== undefined) {
    const actions = Object.entries(takes).flatMap(([one, names]) => names.includes(other) ? [one] : []);
    throw usage(`${action} has no ${other}`, `use ${other} with ${actions.join(' or ')}`);
  }
  const isVerdict = verdict !== undefined || summary !== undefined;
  const comment = isVerdict ? fields.find((name) => name !== 'verdict' && name !== 'summary') : undefined;
  if (comment !== undefined) {
    throw usage(`a verdict has no ${comment}`,
      'store the comments first, then call review with verdict and summary alone');
  }
  if (line !== undefined && file === undefined) throw usage('line requires file', 'pass the path of the file');
  if (thread && file) throw usage('thread and file cannot be combined', 'use only one of them');
};

/** @throws Problem if the action needs a field that is missing, and for one that it would ignore */
export const writeCommand = (given: Given<'write'>): Command => {
  checkFields(given);
  const { action, ref, key, fixed_by } = given;
  const need = (name: 'thread' | 'body' | 'key' | 'file'): string => {
    const value = given[name];
    if (value !== undefined) return value;
    throw usage(`${action} requires ${name}`, `pass ${name}`);
  };
  const once = key === undefined ? [] : [`--key=${key}`];
  const fix = fixed_by === undefined ? [] : [`--fixed-by=${fixed_by}`];
  const printingIds = (words: readonly string[], options: readonly string[], ...positionals: string[]): Command =>
    ({ options: [...words, '--output=id', ...options], positionals: [ref, ...positionals] });
  const withBody = (words: readonly string[], options: readonly string[], ...positionals: string[]): Command =>
    ({ ...printingIds([...words, '--body-file=-'], options, ...positionals), text: need('body') });
  switch (action) {
    case 'reply': return withBody(['discussions', 'reply'], once, need('thread'));
    case 'resolve': case 'unresolve':
      return printingIds(['discussions', action], fix, need('thread'));
    case 'comment': return withBody(['discussions', 'create'], [...once, ...placeOptions(given)]);
    case 'apply': {
      const threads = given.thread === undefined ? [] : [given.thread];
      return printingIds(['discussions', 'suggestions', '--apply'], [], ...threads);
    }
    case 'upsert': return withBody(['notes', 'upsert'], [`--key=${need('key')}`]);
    case 'review': {
      if (given.verdict !== undefined || given.summary !== undefined) return publishCommand(given);
      return { ...printingIds(['discussions', 'review', '--drafts', '--yes'], []), text: need('body'), place: given };
    }
  }
};

/** The text of standard input becomes harmless. */
const publishCommand = ({ ref, verdict, summary }: Given<'write'>): Command => {
  const given = [
    ...verdict === undefined ? [] : [`--verdict=${verdict}`], ...summary === undefined ? [] : ['--summary=-'],
  ];
  return {
    options: ['discussions', 'drafts', '--publish', '--yes', '--json', ...given], positionals: [ref],
    text: summary ?? '',
  };
};

/**
 * @param out ids, or the steps of a review as JSON
 * @returns also a warning if the review does not have the state of its verdict
 */
export const writtenIn = (out: string): { readonly ids: readonly string[]; readonly warning: string | null } => {
  const lines = out.trim() === '' ? [] : out.trim().split('\n');
  if (!out.startsWith('[')) return { ids: lines, warning: null };
  const steps = JSON.parse(out) as readonly { readonly note_id: number | null; readonly warning: string | null }[];
  const notes = steps.flatMap(({ note_id }) => note_id ?? []);
  return { ids: notes.map(String), warning: steps.find(({ warning }) => warning !== null)?.warning ?? null };
};

const placeOptions = ({ file, line }: Given<'write'>): string[] =>
  [...file === undefined ? [] : [`--file=${file}`], ...line === undefined ? [] : [`--line=${line}`]];
