import type { Discussion, Note } from '../../contract/shapes/note.js';
import { isParams } from '../../wire/forms.js';
import { isStoredAs } from '../../wire/note-text.js';
import { byId } from './copies.js';
import { addTo, indexOf, isResult, knownCopies, type KnownNotes } from './marked-notes.js';
import { identityIn, identityOf, type NoteRequest } from './note-request.js';
import { noteableKey } from './place.js';
import type { FoundNote, RecentNotes } from './reads.js';

/** How many notes are read at least, although known ones are among them. */
const margin = 50;

/** How much the clocks of the parts of a service may differ, in milliseconds. */
const tolerance = 2_000;

/** How much the local clock and that of the service may differ, in milliseconds. */
const localTolerance = 6_000;

export const earlierCopies = async (known: KnownNotes, request: NoteRequest): Promise<readonly FoundNote[]> => {
  const { marker, place, signal } = request;
  const index = await indexOf(known, place, signal);
  return lowestFirst(knownCopies(known, index, place, identityOf(marker!)));
};

/** When a call began. */
interface CallStart {
  /** By the local clock. */
  readonly at: number;
  /** How many milliseconds the clock of notes is ahead, as a new note shows; otherwise the dates of responses do. */
  readonly ahead?: number | undefined;
}

interface NewCopies {
  /** What the call or a concurrent one created. */
  readonly copies: readonly FoundNote[];
  /** False where the clock of the service is not known: a note that is not among the copies may still be one. */
  readonly isCertain: boolean;
  /** Such a note. */
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
  const index = await indexOf(known, place, signal);
  const name = [noteableKey(place), place.makes, place.path['discussion_id'], isBackdated].join(' ');
  await known.shared(name, async () => {
    // What follows a known note is in the index. Concurrent notes become visible in any order, hence the margin.
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
  const pages = await recentNotes(known, request, (page) =>
    isBefore(page.oldest, since(page, start) ?? start.at - localTolerance));
  const similar = pages.flatMap((page) => page.found
    .filter((one) => !isResult(known, request.place, one) && looksLike(request, one, owner))
    .map((one) => ({ one, isNew: isNew(request, one.note, page, start) })));
  const copies = lowestFirst(similar.flatMap(({ one, isNew: isCopy }) => isCopy ? [one] : []));
  const isCertain = pages.every((page) => since(page, start) !== null);
  return { copies, isCertain, doubtful: isCertain ? undefined : similar.find(({ isNew: isCopy }) => !isCopy)?.one };
};

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
  // A reply has the position of its thread and is sent without one.
  && (place.makes === 'reply' || placeOnDiff(params['position']) === placeOnDiff(note.position));

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
