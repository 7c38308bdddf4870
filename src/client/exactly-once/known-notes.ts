import type { Discussion, Note } from '../../contract/shapes/note.js';
import { isParams } from '../../wire/http.js';
import { isAsWritten, isStoredAs, type Marker, readMarker } from '../../wire/note-text.js';
import { unlessAborted } from '../../wire/time.js';
import { byId } from './copies.js';
import {
  type FoundNote, identityIn, identityOf, type Noteable, noteableKey, type NoteRequest, type Reads, type RecentNotes,
  type WritePlace,
} from './requests.js';

export interface MarkedNote extends FoundNote {
  readonly discussion: Discussion;
  readonly marker: Marker;
  readonly text: string;
  /** Whether nobody has changed the text since a program wrote it; null if that is not known. */
  readonly isAsWritten: boolean | null;
  readonly isVisible: boolean;
}

export interface MarkedNotes {
  readonly owner: number;
  readonly notes: readonly MarkedNote[];
  /** Those of other users, who may have written any marker. */
  readonly foreign: readonly MarkedNote[];
}

export const markedNote = ({ note, discussion }: FoundNote): MarkedNote | null => {
  const { text, marker, isVisible } = readMarker(note.body);
  return marker && discussion && { note, discussion, marker, text, isVisible, isAsWritten: isAsWritten(note.body) };
};

type NotesById = Map<number, FoundNote>;

interface NoteIndex {
  readonly owner: number;
  readonly byIdentity: Map<string, NotesById>;
  /** The ids of the notes that each kind of read has returned; those of all pages have the name `all`. */
  readonly seen: Map<string, Set<number>>;
}

export interface KnownNotes {
  readonly reads: Reads;
  readonly shared: ReturnType<typeof createSharedWork>;
  readonly indexes: Map<string, Promise<NoteIndex>>;
  readonly scans: Set<string>;
  /** The results of calls with keys, by noteable and identity: a replica that lags behind does not show them yet. */
  readonly results: Map<string, NotesById>;
  /** The ids of the results of calls without markers, by noteable: these notes are no copies of later ones. */
  readonly unmarked: Map<string, Set<number>>;
}

/** Reads all pages of a noteable, instead of what is known of it. Calls share it: an abort of one does not end it. */
const refreshed = ({ reads, indexes, scans }: KnownNotes, noteable: Noteable): Promise<NoteIndex> => {
  const [key, byIdentity, seen] = [noteableKey(noteable), new Map<string, NotesById>(), new Map<string, Set<number>>()];
  const notes = async () => addTo({ byIdentity, seen }, await reads.complete(noteable), 'all');
  const index = Promise.all([reads.owner(), notes()]).then(([owner]) => ({ owner, byIdentity, seen }));
  indexes.set(key, index);
  scans.add(key);
  index.catch(() => { if (indexes.get(key) === index) indexes.delete(key); }).finally(() => { scans.delete(key); });
  return index;
};

const noteIndex = (known: KnownNotes, noteable: Noteable, signal?: AbortSignal): Promise<NoteIndex> =>
  unlessAborted(known.indexes.get(noteableKey(noteable)) ?? refreshed(known, noteable), signal);

/** Adds notes that were read. @param kind the kind of the read: another kind may not have them */
const addTo = (
  { byIdentity, seen }: Omit<NoteIndex, 'owner'>, found: readonly FoundNote[], kind: string,
): void => {
  const ids = seen.get(kind) ?? new Set();
  seen.set(kind, ids);
  for (const one of found) {
    ids.add(one.note.id);
    const identity = identityIn(one.note);
    if (identity !== null) addNote(byIdentity, identity, one);
  }
};

const addNote = (notes: Map<string, NotesById>, name: string, one: FoundNote): void => {
  notes.set(name, (notes.get(name) ?? new Map<number, FoundNote>()).set(one.note.id, one));
};

const knownCopies = (
  { results }: KnownNotes, { owner, byIdentity }: NoteIndex, noteable: Noteable, identity: string,
): readonly FoundNote[] => [
  ...results.get(resultKey(noteable, identity))?.values() ?? [],
  ...[...byIdentity.get(identity)?.values() ?? []].filter(({ note }) => note.author.id === owner),
];

const resultKey = (noteable: Noteable, identity: string): string => `${noteableKey(noteable)} ${identity}`;

/** Adds the result of a call, if later calls may look for it or mistake it for their own. */
export const addResult = (
  { results, unmarked }: KnownNotes, { place, marker, isKeyed }: NoteRequest, one: FoundNote,
): void => {
  const name = noteableKey(place);
  if (marker === null) unmarked.set(name, (unmarked.get(name) ?? new Set<number>()).add(one.note.id));
  else if (isKeyed) addNote(results, resultKey(place, identityOf(marker)), one);
};

export const removeNote = async (
  known: KnownNotes, noteable: Noteable, one: FoundNote, signal?: AbortSignal,
): Promise<void> => {
  await known.reads.remove(noteable, one, signal);
  forget(known, await known.indexes.get(noteableKey(noteable))?.catch(() => null), noteable, one);
};

const forget = (
  { results }: KnownNotes, index: NoteIndex | null | undefined, noteable: Noteable, { note }: FoundNote,
): void => {
  const identity = identityIn(note) ?? '';
  results.get(resultKey(noteable, identity))?.delete(note.id);
  index?.byIdentity.get(identity)?.delete(note.id);
};

/** The marked notes of a noteable that users with these names or the token wrote. All pages are read. */
export const markedNotesOn = async (
  known: KnownNotes, noteable: Noteable, authors: readonly string[] = [],
): Promise<MarkedNotes> => {
  const { owner, byIdentity } = await refreshed(known, noteable);
  const names = new Set(authors.map((name) => name.toLowerCase()));
  const isOwn = ({ note: { author } }: FoundNote) => author.id === owner || names.has(author.username.toLowerCase());
  const found = [...byIdentity.values()].flatMap((notes) => [...notes.values()]).toSorted(byId)
    .flatMap((one) => markedNote(one) ?? []);
  return { owner, notes: found.filter(isOwn), foreign: found.filter((one) => !isOwn(one)) };
};

/** How many notes are read at least, although known ones are among them. */
const margin = 50;

/** How much the clocks of the parts of a service may differ, in milliseconds. */
const tolerance = 2_000;

/** How much the local clock and that of the service may differ, in milliseconds. */
const localTolerance = 6_000;

export const earlierCopies = async (known: KnownNotes, request: NoteRequest): Promise<readonly FoundNote[]> => {
  const { marker, place, signal } = request;
  const name = noteableKey(place);
  const isRemembered = known.indexes.has(name) && !known.scans.has(name);
  const index = await noteIndex(known, place, signal);
  const copies = lowestFirst(knownCopies(known, index, place, identityOf(marker!)));
  if (!isRemembered) return copies;
  const current = await Promise.all(copies.map((one) => currentNote(known, index, request, one)));
  return current.filter((one) => one !== null);
};

/** Null if the note is gone. One that no read has shown yet is there: a replica may lag behind. */
const currentNote = async (
  known: KnownNotes, index: NoteIndex, { place, signal }: NoteRequest, one: FoundNote,
): Promise<FoundNote | null> => {
  if (![...index.seen.values()].some((ids) => ids.has(one.note.id))) return one;
  const found = await known.reads.again(place, one, signal);
  if (found && identityIn(found.note) === identityIn(one.note)) return found;
  forget(known, index, place, one);
  return null;
};

interface CallStart {
  /** The time is that of the local clock, not of the service. */
  readonly at: number;
  /** How many milliseconds the clock of notes is ahead, as a new note shows; otherwise the dates of responses do. */
  readonly ahead?: number | undefined;
}

interface NewCopies {
  readonly copies: readonly FoundNote[];
  /** False where the clock of the service is not known: a note that is not among the copies may still be one. */
  readonly isCertain: boolean;
  readonly doubtful?: FoundNote | undefined;
}

export const newCopies = async (known: KnownNotes, request: NoteRequest, start: CallStart): Promise<NewCopies> => {
  if (request.isKeyed) return { copies: await keyedCopies(known, request), isCertain: true };
  if (request.marker === null) return similarCopies(known, request, start);
  return { copies: lowestFirst(await markedCopies(known, request, start)), isCertain: true };
};

const recentNotes = async (
  { reads }: KnownNotes, { place, isBackdated, signal }: NoteRequest, isTooOld: (recent: RecentNotes) => boolean,
): Promise<readonly RecentNotes[]> => {
  const pages: RecentNotes[] = [];
  for await (const page of reads.newest(place, signal)) {
    pages.push(page);
    if (!isBackdated && isTooOld(page)) break;
  }
  return pages;
};

const keyedCopies = async (known: KnownNotes, request: NoteRequest): Promise<readonly FoundNote[]> => {
  const { place, signal, isBackdated } = request;
  const index = await noteIndex(known, place, signal);
  const name = [noteableKey(place), place.makes, place.path['discussion_id'], isBackdated].join(' ');
  const look = known.shared(name, async () => {
    // What follows a known note is in the index. The margin is for concurrent notes, which become visible in any order.
    const isSeen = ({ note: { id } }: FoundNote) =>
      ['all', place.makes].some((kind) => index.seen.get(kind)?.has(id));
    let count = 0;
    const isKnown = ({ found, oldest }: RecentNotes) => {
      count += found.length;
      return oldest !== null && count >= margin && found.some(isSeen);
    };
    const pages = await recentNotes(known, { ...request, signal: undefined }, isKnown);
    for (const { found } of pages) addTo(index, found, place.makes);
  });
  await unlessAborted(look, signal);
  return lowestFirst(knownCopies(known, index, place, identityOf(request.marker!)));
};

const markedCopies = async (
  known: KnownNotes, request: NoteRequest, start: CallStart,
): Promise<readonly FoundNote[]> => {
  const identity = identityOf(request.marker!);
  const pages = await recentNotes(known, request, (page) => isBefore(page.oldest, since(page, start)));
  return pages.flatMap(({ found }) => found).filter(({ note }) => identityIn(note) === identity);
};

const similarCopies = async (known: KnownNotes, request: NoteRequest, start: CallStart): Promise<NewCopies> => {
  const owner = await known.reads.owner(request.signal);
  const isResult = (id: number) => known.unmarked.get(noteableKey(request.place))?.has(id);
  const pages = await recentNotes(known, request, (page) =>
    isBefore(page.oldest, since(page, start) ?? start.at - localTolerance));
  const similar = await ofPlace(known, request, pages.flatMap((page) => page.found
    .filter((one) => !isResult(one.note.id) && looksLike(request, one, owner))
    .map((one) => ({ one, isNew: isNew(request, one.note, page, start) }))));
  const copies = lowestFirst(similar.flatMap(({ one, isNew: isCopy }) => isCopy ? [one] : []));
  const isCertain = pages.every((page) => since(page, start) !== null);
  return { copies, isCertain, doubtful: isCertain ? undefined : similar.find(({ isNew: isCopy }) => !isCopy)?.one };
};

/** A comment, what starts a thread and a reply may have the same text, and the latter two the same position. */
const ofPlace = async <T extends { readonly one: FoundNote }>(
  known: KnownNotes, { place, signal }: NoteRequest, found: readonly T[],
): Promise<readonly T[]> => {
  const threads = new Map<number, Discussion | null>();
  if (found.some(({ one: { note, discussion } }) => discussion === null && note.type !== null)) {
    for await (const page of known.reads.all(place, signal)) {
      for (const { note, discussion } of page) threads.set(note.id, discussion);
    }
  }
  return found.filter(({ one: { note, discussion } }) =>
    makesOf(note, (discussion ?? threads.get(note.id))?.notes).includes(place.makes));
};

/** An answer makes a comment a thread, too. */
const makesOf = ({ id, type }: Note, [first, ...answers]: readonly Note[] = []): readonly WritePlace['makes'][] =>
  type === null ? ['comment'] : first?.id !== id ? ['reply'] : answers.length > 0 ? ['comment', 'thread'] : ['thread'];

/** Null if the clock of the service is not known. */
const since = (page: RecentNotes, start: CallStart): number | null => {
  const ahead = start.ahead ?? page.ahead;
  return ahead === null ? null : start.at + ahead - tolerance;
};

const isBefore = (time: number | null, limit: number | null): boolean =>
  time !== null && limit !== null && time < limit;

/** A backdated note may have the given time instead. */
const isNew = (
  { params, isBackdated }: NoteRequest, { created_at }: Note, page: RecentNotes, start: CallStart,
): boolean => {
  const at = Date.parse(created_at);
  if (isBackdated && at === Date.parse(String(params['created_at']))) return true;
  const limit = since(page, start);
  return limit === null ? at >= start.at - localTolerance && at <= page.readAt + localTolerance : at >= limit;
};

const looksLike = ({ params, place, text }: NoteRequest, { note }: FoundNote, owner: number): boolean =>
  !note.system && note.author.id === owner && isStoredAs(text, String(note.body))
  // A reply is as internal as its thread, has its position, and is sent without either.
  && (place.makes === 'reply' || (placeOnDiff(params['position']) === placeOnDiff(note.position)
    && (params['internal'] ?? params['confidential'] ?? false) === (note.internal ?? note.confidential ?? false)));

const placeOnDiff = (position: unknown): string => {
  if (!isParams(position)) return '';
  const { old_path: oldPath, new_path: newPath, old_line: oldLine, new_line: newLine, x, y } = position;
  return JSON.stringify([newPath ?? oldPath, oldLine, newLine, x, y].map((value) => value ?? null));
};

const lowestFirst = (found: readonly FoundNote[]): readonly FoundNote[] =>
  [...new Map(found.map((one) => [one.note.id, one])).values()].toSorted(byId);

export const threadOf = async (
  { reads }: KnownNotes, { place, signal }: NoteRequest, { id }: Note,
): Promise<Discussion> => {
  for await (const found of reads.all(place, signal)) {
    const thread = found.find(({ note }) => note.id === id)?.discussion;
    if (thread) return thread;
  }
  throw new Error(`note ${id} is in no thread`);
};

export const createQueues = () => {
  const last = new Map<string, Promise<unknown>>();
  return <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work);
    const settled = mine.catch(() => undefined).finally(() => {
      if (last.get(name) === settled) last.delete(name);
    });
    last.set(name, settled);
    return mine;
  };
};

/**
 * Runs at most one work of each name at a time. Calls that arrive during it share the next one, so its result is never
 * older than the call.
 */
export const createSharedWork = (): ((name: string, work: () => Promise<void>) => Promise<void>) => {
  const queues = createQueues();
  const waiting = new Map<string, Promise<void>>();
  return (name, work) => {
    const next = waiting.get(name) ?? queues(name, () => {
      waiting.delete(name);
      return work();
    });
    waiting.set(name, next);
    return next;
  };
};
