import { posix } from 'node:path';
import type { Client } from '../../../client/methods.js';
import type { Page } from '../../../client/pages.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import { readInstant } from '../../../wire/time-text.js';
import type { App } from '../../app.js';
import { currentUser, nullIfUnsupported } from '../../service/connection/unsupported.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { visibleText } from '../../../wire/note-text.js';
import { mapPages, pageSize, type Listed } from '../../terminal/output/list-printer.js';
import { noteState, threadState, type State } from '../views/note.js';
import {
  filterNames, mentionsFor, needsOwner, peopleTests, type FilterName, type Owner, type Tests,
} from './people.js';
import { checkConflicts, type FilterFlags, type Type } from './flags.js';
import { onlyRead, type OrUnread, type Test } from './unread.js';

export interface Filter extends Tests {
  readonly state: State | null;
  /** Tests that need the owner of the token, whom `withOwner` looks up. */
  readonly ofOwner: ((owner: Owner) => Tests) | null;
  readonly names: readonly FilterName[];
}

/**
 * Sends no request.
 * @param readTest says whether a test passes what it cannot read, as for a gate
 * @throws Problem for invalid or conflicting flags
 */
export const filterFrom = async ({ now }: App, flags: FilterFlags, readTest: OrUnread = onlyRead): Promise<Filter> => {
  checkConflicts(flags);
  const { type, path, match } = flags;
  const attributeTests: Test[] = [];
  if (type) attributeTests.push(readTest('type', (note, thread) => type.includes(noteType(note, thread))));
  if (flags.system === false) attributeTests.push(readTest('system', ({ system }) => !system));
  if (path !== undefined) attributeTests.push(readTest('path', onPath(await pathMatcher(path))));
  const contentTests = inTimeRange(flags, now()).map((test) => readTest('time', test));
  if (match !== undefined) {
    const matches = await regexMatcher(match, '--match');
    contentTests.push(readTest('body', ({ body }) => matches(visibleText(body))));
  }
  const state = flags.unresolved ? 'open' : flags.resolved ? 'resolved' : null;
  const mentionsIn = await mentionsFor(flags);
  const names = filterNames(flags, mentionsIn);
  const given: Filter = { state, attributeTests, contentTests, threadTests: [], names, ofOwner: null };
  const ofPeople = (owner: Owner | null): Tests => peopleTests(flags, owner, mentionsIn, readTest);
  return needsOwner(flags) ? { ...given, ofOwner: ofPeople } : withTests(given, ofPeople(null));
};

const withTests = (filter: Filter, tests: Tests): Filter => ({
  ...filter, ofOwner: null,
  attributeTests: [...filter.attributeTests, ...tests.attributeTests],
  contentTests: [...filter.contentTests, ...tests.contentTests],
  threadTests: [...filter.threadTests, ...tests.threadTests],
});

/** @throws Problem if the service does not report the owner of the token */
export const withOwner = async (filter: Filter, client: Client): Promise<Filter> => {
  if (!filter.ofOwner) return filter;
  const owner = await nullIfUnsupported(currentUser(client));
  if (!owner) throw usage('the service does not report the owner of the token', 'use --author with your username');
  return withTests(filter, filter.ofOwner(owner));
};

const noteType = ({ system, type, position }: Note, { individual_note }: Discussion): Type => {
  if (system) return 'system';
  if (type === 'DiffNote' || position) return 'diff';
  return individual_note ? 'individual' : 'thread';
};

/** Replies have the position of their thread. */
const onPath = (matches: (path: string) => boolean): Test => (note, { notes }) => {
  const { new_path, old_path } = note.position ?? notes[0]?.position ?? {};
  return [new_path, old_path].some((path) => typeof path === 'string' && matches(path));
};

const inTimeRange = ({ since, until }: FilterFlags, now: Date): Test[] => {
  if (since === undefined && until === undefined) return [];
  const from = since === undefined ? -Infinity : instantOf(since, '--since', now, false);
  const to = until === undefined ? Infinity : instantOf(until, '--until', now, true);
  if (from > to) throw usage(`--since ${since} is later than --until ${until}`, 'swap the two times');
  return [({ created_at }) => Date.parse(created_at) >= from && Date.parse(created_at) <= to];
};

export const filterThreads = (filter: Filter, threads: Listed<Discussion>): Listed<Discussion> =>
  isEmpty(filter) ? threads : passingItems(filter, threads, (thread) => threadPasses(filter, thread) ? [thread] : []);

export const filterNotes = (filter: Filter, threads: Listed<Discussion>): Listed<Note> =>
  passingItems(filter, threads, (thread) => thread.notes.filter((note) => notePasses(filter, note, thread)));

/** A filter that drops some needs full pages. */
export const filteredPageSize = (filter: Filter, flags: GlobalFlags): number => pageSize(isEmpty(filter) ? flags : {});

const isEmpty = ({ state, attributeTests, contentTests, threadTests }: Filter): boolean =>
  state === null && attributeTests.length + contentTests.length + threadTests.length === 0;

const passingItems = <T>(
  { names }: Filter, threads: Listed<Discussion>, itemsOf: (thread: Discussion) => readonly T[],
): Listed<T> => {
  const passing = mapPages(threads, (items) => {
    for (const name of names) for (const thread of items) name.meet(thread);
    return items.flatMap(itemsOf);
  }, true);
  return {
    async *pages(): AsyncIterable<Page<T>> {
      yield* passing.pages();
      for (const name of names) name.end();
    },
  };
};

export const threadPasses = (filter: Filter, thread: Discussion): boolean => {
  const { state, attributeTests, contentTests, threadTests } = filter;
  const [first] = thread.notes;
  return first !== undefined && (state === null || threadState(thread) === state)
    && passesAll(attributeTests, first, thread) && threadTests.every((test) => test(thread))
    && thread.notes.some((note) => passesAll(contentTests, note, thread));
};

const notePasses = (filter: Filter, note: Note, thread: Discussion): boolean => {
  const { state, attributeTests, contentTests, threadTests } = filter;
  return (state === null || noteState(note) === state)
    && passesAll([...attributeTests, ...contentTests], note, thread) && threadTests.every((test) => test(thread));
};

const passesAll = (tests: readonly Test[], note: Note, thread: Discussion): boolean =>
  tests.every((test) => test(note, thread));

/**
 * Matches the path, the paths in that folder, or a glob with `*`, `?`, `**`, `[a-z]` and `{a,b}`, and the paths in the
 * folders that it matches. A glob without a slash matches names at any depth.
 */
export const pathMatcher = async (pattern: string): Promise<Matcher> => {
  const isClimbingGlob = /[*?[{].*\/\.\.(?:\/|$)/.test(pattern);
  const normal = isClimbingGlob ? pattern : posix.normalize(pattern);
  const path = normal.replace(/^(\.?\/)+/, '').replace(/(?<!\/)\/+$/, '');
  if (path === '' || path === '.') return () => true;
  if (!/[*?[{]/.test(path)) return (one) => one === path || one.startsWith(`${path}/`);
  return regexMatcher(`(?s)^${path.includes('/') ? '' : '(?:.*/)?'}${globToRegex(path)}(?:/.*)?$`, '--path');
};

const wildcards: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };

/** Brackets and braces also match themselves: a folder can be called `[id]`. */
const globToRegex = (glob: string): string => glob.replace(
  /\*\*\/|\*\*|\*|\?|\[(!?)([^\]/]+)\]|\{([^{}]*)\}|[^]/g,
  (part, not: string, characters: string | undefined, members: string | undefined, start: number) => {
    const literal = part.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
    if (members !== undefined) return `(?:${bracesToRegex(members, start + part.length === glob.length)}|${literal})`;
    if (characters === undefined) return wildcards[part] ?? literal;
    return hasReversedRange(characters) ? literal : `(?:${classToRegex(not, characters)}|${literal})`;
  });

const bracesToRegex = (members: string, isLast: boolean): string =>
  members.split(',').map((one) => globToRegex(isLast ? one.replace(/(?<!\/)\/+$/, '') : one)).join('|');

const hasReversedRange = (characters: string): boolean =>
  [...characters.matchAll(/(.)-(.)/gsu)].some(([, from = '', to = '']) => from > to);

const classToRegex = (not: string, characters: string): string =>
  `[${not && '^'}${characters.replace(/[\\[\]^]/g, '\\$&')}]`;

type Matcher = (text: string) => boolean;

/** RE2 runs in linear time whatever the expression and text. @throws Problem for an invalid expression */
const regexMatcher = async (expression: string, flag: string): Promise<Matcher> => {
  const { RE2JS, RE2JSException } = await import('re2js');
  try {
    const compiled = RE2JS.compile(expression);
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw usage(`${flag}: ${error.message}`, 'use RE2 syntax, which has no look-around');
  }
};

const unitLengths: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * Reads a day, an ISO 8601 timestamp, or an age in minutes, hours, days or weeks, in milliseconds; UTC without a zone.
 * @param isEnd whether a day means its last millisecond
 */
export const instantOf = (text: string, flag: string, now: Date, isEnd: boolean): number => {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (unit !== undefined) return now.getTime() - Number(count) * unitLengths[unit]!;
  const instant = readInstant(text);
  if (instant) return Date.parse(instant.iso) + (isEnd && instant.isDay ? unitLengths['d']! - 1 : 0);
  throw usage(`${flag} takes a time, not ${JSON.stringify(text)}`,
    'use one of these forms: 2024-05-01, 2024-05-01T12:00Z, 30m, 6h, 3d, 2w');
};
