import type { Client } from '../../client/client.js';
import type { Page, Pages } from '../../client/pagination/pages.js';
import type { Discussion, Note } from '../../contract/shapes/note.js';
import { readInstant } from '../../wire/instants.js';
import type { App } from '../app.js';
import { usage } from '../errors/failure.js';
import type { GlobalFlags } from '../flags/global.js';
import { plainLine } from '../io/plain.js';
import { pageSize, type Listed } from '../output/list-printer.js';
import { nullIfUnsupported } from '../targets/epic.js';
import { noteState, stateOf, type State } from '../views/parts.js';
import { checkConflicts, type FilterFlags, type Type } from './flags.js';

/** Asks one thing of a note in its thread. */
export type Test = (note: Note, thread: Discussion) => boolean;

/** What is wanted of a list. */
export interface Filter {
  /** The state it has to have, or null for any. */
  readonly state: State | null;
  /** What a note is: of a thread its first note is asked. */
  readonly about: readonly Test[];
  /** What was said: of a thread any one note has to pass all of these. */
  readonly said: readonly Test[];
  /** Whether the owner of the token is wanted, who has to be looked up. */
  readonly isMine: boolean;
}

/** The filter of a command line. @throws Problem when it makes no sense, before anything is asked for */
export const filterFrom = async ({ now }: App, flags: FilterFlags): Promise<Filter> => {
  checkConflicts(flags);
  const { author, type, path, match } = flags;
  const about: Test[] = [];
  if (author) about.push(writtenBy(author));
  if (type) about.push((note, thread) => type.includes(typeOf(note, thread)));
  if (flags.system === false) about.push(({ system }) => !system);
  if (path !== undefined) about.push(onPath(await pathMatcher(path)));
  const said = inTimeRange(flags, now());
  if (match !== undefined) {
    const fits = await regexMatcher(match, '--match');
    said.push(({ body }) => fits(body));
  }
  const state = flags.unresolved ? 'open' : flags.resolved ? 'resolved' : null;
  return { state, about, said, isMine: flags.mine ?? false };
};

/** The same filter with the owner of the token looked up where that is asked for. @throws Problem */
export const withMine = async (filter: Filter, client: Client): Promise<Filter> => {
  if (!filter.isMine) return filter;
  const user = await nullIfUnsupported(client.lookups.user({}));
  if (!user) throw usage('the service does not report the owner of the token', 'use --author with your username');
  return { ...filter, about: [...filter.about, ({ author }) => author.id === user.id] };
};

/** What a note is, in the one word that `--type` has for it. */
const typeOf = ({ system, type, position }: Note, { individual_note }: Discussion): Type => {
  if (system) return 'system';
  if (type === 'DiffNote' || position) return 'diff';
  return individual_note ? 'individual' : 'thread';
};

const writtenBy = (names: readonly string[]): Test => {
  const wanted = new Set(names.map((name) => name.replace(/^@/, '').toLowerCase()));
  return ({ author }) => wanted.has(plainLine(author.username).toLowerCase());
};

/** Replies stand where their thread stands. */
const onPath = (fits: (path: string) => boolean): Test => (note, { notes }) => {
  const { new_path, old_path } = note.position ?? notes[0]?.position ?? {};
  return [new_path, old_path].some((path) => typeof path === 'string' && fits(path));
};

const inTimeRange = ({ since, until }: FilterFlags, now: Date): Test[] => {
  const from = since === undefined ? -Infinity : instantOf(since, '--since', now, false);
  const to = until === undefined ? Infinity : instantOf(until, '--until', now, true);
  if (from > to) {
    throw usage(`--since ${since} is later than --until ${until}`, 'swap the two times');
  }
  if (since === undefined && until === undefined) return [];
  return [({ created_at }) => Date.parse(created_at) >= from && Date.parse(created_at) <= to];
};

/** The threads that pass, in pages as they arrive. How many there are in all is known to nobody then. */
export const filterThreads = (filter: Filter, threads: Pages<Discussion>): Listed<Discussion> =>
  isEmpty(filter) ? threads : pagesOf(threads, (thread) => threadPasses(filter, thread) ? [thread] : []);

/** The notes that pass, thread by thread, in pages of threads. */
export const filterNotes = (filter: Filter, threads: Pages<Discussion>): Listed<Note> =>
  pagesOf(threads, (thread) => thread.notes.filter((note) => notePasses(filter, note, thread)));

/** How many threads to ask for at once: where some are left out, as many as the service gives. */
export const filteredPageSize = (filter: Filter, flags: GlobalFlags): number => pageSize(isEmpty(filter) ? flags : {});

const isEmpty = ({ state, about, said }: Filter): boolean => state === null && about.length + said.length === 0;

const pagesOf = <T>(threads: Pages<Discussion>, itemsOf: (thread: Discussion) => readonly T[]): Listed<T> => ({
  async *pages(): AsyncIterable<Page<T>> {
    for await (const page of threads.pages()) yield { ...page, items: page.items.flatMap(itemsOf), total: null };
  },
});

const threadPasses = ({ state, about, said }: Filter, thread: Discussion): boolean => {
  const [first] = thread.notes;
  return first !== undefined && (state === null || stateOf(thread) === state)
    && passesAll(about, first, thread) && thread.notes.some((note) => passesAll(said, note, thread));
};

const notePasses = ({ state, about, said }: Filter, note: Note, thread: Discussion): boolean =>
  (state === null || noteState(note) === state) && passesAll(about, note, thread) && passesAll(said, note, thread);

const passesAll = (tests: readonly Test[], note: Note, thread: Discussion): boolean =>
  tests.every((test) => test(note, thread));

/**
 * Whether a path is the one that is wanted, lies in that folder, or fits that glob: `*` and `?` within a name, `**`
 * across folders, `[a-z]`, `{a,b}`. A glob without a slash is about the name of the file alone.
 * @throws Problem for a glob that is none
 */
export const pathMatcher = async (wanted: string): Promise<Matcher> => {
  const path = wanted.replace(/^(\.?\/)+/, '').replace(/\/+$/, '');
  if (!/[*?[{]/.test(path)) return (one) => one === path || one.startsWith(`${path}/`);
  return regexMatcher(`^${path.includes('/') ? '' : '(?:.*/)?'}${expressionOf(path)}$`, '--path');
};

const expressionOf = (glob: string): string =>
  glob.replace(/\*\*\/|\*\*|\*|\?|\[!?[^\]/]+\]|\{[^{}]*\}|[^]/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.length > 1 && part.startsWith('[')) return classOf(part.slice(1, -1));
    if (part.length > 1 && part.startsWith('{')) return choiceOf(part.slice(1, -1));
    return part.replace(/[\\^$.|?*+()[\]{}]/, '\\$&');
  });

const choiceOf = (inner: string): string => `(?:${inner.split(',').map(expressionOf).join('|')})`;

const classOf = (inner: string): string => {
  const [mark, characters] = inner.startsWith('!') ? ['^', inner.slice(1)] : ['', inner];
  return `[${mark}${characters.replace(/[\\[\]^]/g, '\\$&')}]`;
};

/** Whether something in a text fits. */
export type Matcher = (text: string) => boolean;

/**
 * A regular expression, in RE2's syntax and by its rules: it takes time in proportion to the text, whatever the
 * expression, so no text of a stranger can keep it busy.
 * @throws Problem for an expression that is none
 */
export const regexMatcher = async (expression: string, flag: string): Promise<Matcher> => {
  const { RE2JS, RE2JSException } = await import('re2js');
  try {
    const compiled = RE2JS.compile(expression);
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw usage(`${flag}: ${error.message}`, 'use RE2 syntax, which has no look-around');
  }
};

const lengths: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * The instant that a text names, in milliseconds: a day, an instant in ISO 8601, or how long ago in minutes, hours,
 * days or weeks. Times without a zone are in UTC, as the service's own are.
 * @param isEnd whether a day means its last moment, not its first
 * @throws Problem
 */
export const instantOf = (text: string, flag: string, now: Date, isEnd: boolean): number => {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (unit !== undefined) return now.getTime() - Number(count) * lengths[unit]!;
  const instant = readInstant(text);
  if (instant) return Date.parse(instant.iso) + (isEnd && instant.isDay ? lengths['d']! - 1 : 0);
  throw usage(`${flag} takes a time, not ${JSON.stringify(text)}`,
    'use one of these forms: 2024-05-01, 2024-05-01T12:00Z, 30m, 6h, 3d, 2w');
};
