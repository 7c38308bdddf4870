import { ApiError } from '../../../client/errors.js';
import type { Client } from '../../../client/methods.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { User } from '../../../contract/shapes/scalars.js';
import { plainLine } from '../../../text/plain.js';
import { visibleText } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { nullIf, nullIfUnsupported } from '../../service/connection/unsupported.js';
import { say } from '../../terminal/io/messages.js';
import { resolvedNote } from '../views/note.js';
import type { FilterFlags } from './flags.js';
import type { OrUnread, Test } from './unread.js';

export const me = 'me';

export const authorName = (text: string): string => text.replace(/^@/, '').toLowerCase();

/** A gate for a misspelled name would always pass. @throws Problem for a name that no user has */
export const checkUsers = async (
  client: Client, flags: Pick<FilterFlags, 'author' | 'participant' | 'mentions'>,
): Promise<void> => {
  for (const flag of ['author', 'participant', 'mentions'] as const) {
    for (const name of (flags[flag] ?? []).filter((one) => authorName(one) !== me)) {
      const username = name.replace(/^@/, '');
      const users = await nullIf(nullIfUnsupported(client.lookups.users({ username }).all()), isForbidden);
      if (users?.length === 0) {
        throw usage(`no user named ${JSON.stringify(username)}`,
          `check the spelling of --${flag}: it takes a user name`);
      }
    }
  }
};

const isForbidden = (error: unknown): boolean => error instanceof ApiError && error.status === 403;

export interface Owner { readonly id: number; readonly username: string }

type ThreadTest = (thread: Discussion) => boolean;

type NoteTest = (note: Note) => boolean;

export interface Tests {
  /** Tests of what a note is, which the first note of a thread must pass. */
  readonly attributeTests: readonly Test[];
  /** Tests of when and what was written: one note of a thread must pass all of them. */
  readonly contentTests: readonly Test[];
  /** Tests of who took part, which a note passes with its thread. */
  readonly threadTests: readonly ThreadTest[];
}

export interface FilterName {
  readonly flag: '--author' | '--participant' | '--mentions';
  readonly name: string;
  readonly meet: (thread: Discussion) => void;
  readonly end: () => void;
  readonly isMissing: () => boolean;
}

type MentionsIn = (text: string) => ReadonlySet<string>;

/** Reading Markdown takes a while to load, and few lists are filtered by mentions. */
export const mentionsFor = async ({ mentions = [] }: FilterFlags): Promise<MentionsIn> =>
  mentions.length === 0 ? () => new Set() : (await import('../../../markdown/prose.js')).mentionsIn;

export const filterNames = (
  { author = [], participant = [], mentions = [] }: FilterFlags, mentionsIn: MentionsIn,
): FilterName[] => [
  ...author.map((name) => filterName('--author', name, writtenBy)),
  ...participant.map((name) => filterName('--participant', name, writtenBy)),
  ...mentions.map((name) => filterName('--mentions', name, mentionOf(mentionsIn))),
].filter(({ name }) => name !== me);

const filterName = (flag: FilterName['flag'], text: string, occursIn: (name: string) => NoteTest): FilterName => {
  const name = authorName(text);
  const occurs = occursIn(name);
  let [isMet, isEnded] = [false, false];
  return {
    flag, name,
    meet: ({ notes }) => { isMet ||= notes.some(occurs); },
    end: () => { isEnded = true; },
    isMissing: () => isEnded && !isMet,
  };
};

export const reportMissingNames = async (
  app: App, flags: GlobalFlags, { names }: { readonly names: readonly FilterName[] },
): Promise<void> => {
  for (const { flag, name } of names.filter((one) => one.isMissing())) {
    const what = `no note ${flag === '--mentions' ? 'mentions' : 'is by'} ${JSON.stringify(name)}`;
    await say(app, flags, `${what}: check the spelling of ${flag}`);
  }
};

export const needsOwner = ({ author = [], participant = [], mentions = [], mine, waiting }: FilterFlags): boolean =>
  mine === true || waiting === true || [...author, ...participant, ...mentions].some((name) => authorName(name) === me);

export const peopleTests = (
  { author = [], participant = [], mentions = [], mine, waiting }: FilterFlags, owner: Owner | null,
  mentionsIn: MentionsIn, readTest: OrUnread,
): Tests => {
  const namedBy = (test: (name: string) => Test, byOwner: Test) => (text: string): Test =>
    authorName(text) === me ? byOwner : test(authorName(text));
  const isOwner = ({ id }: Pick<User, 'id'>) => id === owner?.id;
  const byOwner = readTest('id', ({ author }) => isOwner(author));
  const wroteIt = namedBy((name) => readTest('username', writtenBy(name)), byOwner);
  const mentioning = (name: string) => readTest('system', readTest('body', mentionOf(mentionsIn)(name)));
  const isMentioned = namedBy(mentioning, owner === null ? () => false : mentioning(owner.username.toLowerCase()));
  const isUnread = readTest('system', readTest('id', () => false));
  const hasUnread = anyNote((note, thread) => note.system !== true && isUnread(note, thread));
  const authors = [...mine ? [byOwner] : [], ...author.map(wroteIt)];
  return {
    attributeTests: authors.length === 0 ? [] : [anyTest(authors)],
    contentTests: mentions.length === 0 ? [] : [anyTest(mentions.map(isMentioned))],
    threadTests: [
      ...participant.map(wroteIt)
        .map((wrote) => anyNote(readTest('system', (note, thread) => !note.system && wrote(note, thread)))),
      ...waiting ? [anyTest([hasUnread, waitsFor(isOwner)])] : [],
    ],
  };
};

const anyTest = <Tested extends readonly unknown[]>(tests: readonly ((...tested: Tested) => boolean)[]) =>
  (...tested: Tested): boolean => tests.some((test) => test(...tested));

const anyNote = (test: Test): ThreadTest => (thread) => thread.notes.some((note) => test(note, thread));

const writtenBy = (name: string): NoteTest => ({ author }) => plainLine(author.username).toLowerCase() === name;

const mentionOf = (mentionsIn: MentionsIn) => (name: string): NoteTest => ({ body, system }) =>
  !system && mentionsIn(visibleText(body)).has(name);

/** Somebody took part and another one had the last word. To resolve a thread is a word, too. */
export const waitsFor = (isOwner: (user: Pick<User, 'id'>) => boolean): ThreadTest => (thread) => {
  const spoken = thread.notes.filter(({ system }) => !system);
  const last = spoken.at(-1);
  if (!last || isOwner(last.author)) return false;
  return spoken.some(({ author }) => isOwner(author)) && !resolvesAfter(last, resolvedNote(thread), isOwner);
};

const resolvesAfter = (
  last: Note, note: Note | undefined, isOwner: (user: Pick<User, 'id'>) => boolean,
): boolean => {
  const { resolved, resolved_by, resolved_at } = note ?? {};
  return resolved === true && !!resolved_by && isOwner(resolved_by)
    && (!resolved_at || Date.parse(resolved_at) >= Date.parse(last.created_at));
};
