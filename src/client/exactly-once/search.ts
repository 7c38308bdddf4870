import type { Discussion, Note } from '../../contract/shapes/note.js';
import { byId } from './copies.js';
import { addTo, indexOf, isResult, knownCopies, type KnownNotes } from './marked-notes.js';
import { identityIn, identityOf, looksLike, type NoteRequest } from './note-request.js';
import { noteableKey } from './place.js';
import type { FoundNote, RecentNotes } from './reads.js';

/** How many notes are read at least, although known ones are among them. */
const margin = 50;

/** How much the clocks of the parts of a service may differ, in milliseconds. */
const tolerance = 2_000;

export const earlierCopies = async (known: KnownNotes, request: NoteRequest): Promise<readonly FoundNote[]> => {
  const { marker, place, signal } = request;
  const index = await indexOf(known, place, signal);
  return lowestFirst(knownCopies(known, index, place, identityOf(marker!)));
};

/** What this call or a concurrent one created. @param start when the call began, by the local clock */
export const newCopies = async (
  known: KnownNotes, request: NoteRequest, start: number,
): Promise<readonly FoundNote[]> => {
  if (request.isKeyed) return keyedCopies(known, request);
  const find = request.marker === null ? similarCopies : markedCopies;
  return lowestFirst(await find(known, request, start));
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
  known: KnownNotes, request: NoteRequest, start: number,
): Promise<readonly FoundNote[]> => {
  const identity = identityOf(request.marker!);
  const pages = await recentNotes(known, request, (page) => isBefore(page.oldest, since(page, start)));
  return pages.flatMap(({ found }) => found).filter(({ note }) => identityIn(note) === identity);
};

const similarCopies = async (
  known: KnownNotes, request: NoteRequest, start: number,
): Promise<readonly FoundNote[]> => {
  const owner = await known.reads.owner(request.signal);
  const pages = await recentNotes(known, request, (page) => isBefore(page.oldest, since(page, start)));
  if (pages.some(({ ahead }) => ahead === null)) throw new Error('the service sends no dates');
  return pages.flatMap((page) => page.found.filter((one) => !isResult(known, request.place, one)
    && isRecent(request, one.note, since(page, start)) && looksLike(request, one, owner)));
};

const since = ({ ahead }: RecentNotes, start: number): number | null =>
  ahead === null ? null : start + ahead - tolerance;

const isBefore = (time: number | null, limit: number | null): boolean =>
  time !== null && limit !== null && time < limit;

/** A backdated note may have the given time instead. */
const isRecent = (
  { params, isBackdated }: NoteRequest, { created_at: created }: Note, limit: number | null,
): boolean => {
  const at = Date.parse(created);
  return limit !== null && (at >= limit || isBackdated && at === Date.parse(String(params['created_at'])));
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
