import type { Discussion, Note } from '../../contract/shapes/note.js';
import type { Time } from '../time.js';
import { identityIn, identityOf, looksLike, type NoteRequest } from './note-request.js';
import type { Place } from './place.js';
import type { NotesRead, Reads, FoundNote } from './reads.js';
import { createSharedWork } from './queues.js';

/** Finds the notes that earlier attempts and earlier runs created. */
export interface Search {
  /**
   * The copies of a note that this run or a concurrent one created, the lowest id first.
   * @param start when the call began, by the local clock
   */
  readonly copies: (wanted: NoteRequest, start: number) => Promise<readonly FoundNote[]>;
  /** The notes with the key of a wanted. All pages are read once for all keys of a noteable. */
  readonly earlier: (wanted: NoteRequest) => Promise<readonly FoundNote[]>;
  /** The thread of a note. */
  readonly threadOf: (wanted: NoteRequest, note: Note) => Promise<Discussion>;
  /** Marks a note as the result of a call: it is not the result of a call with another key. */
  readonly claim: (wanted: NoteRequest, one: FoundNote) => void;
  /** Removes a deleted note. */
  readonly forget: (wanted: NoteRequest, one: FoundNote) => void;
}

/** The marked notes of the token's user on a noteable. */
interface Index {
  readonly byIdentity: Map<string, Map<number, FoundNote>>;
  /** The ids of the notes that each kind of read has returned; those of the first scan have the name `all`. */
  readonly seen: Map<string, Set<number>>;
  /** Tells whether a kind of read, or the first scan, has returned a note. */
  readonly seenBy: (kind: Place['makes']) => (id: number) => boolean;
}

/** How many notes are read at least, although known ones are among them. */
const margin = 50;

/** How much the clocks of the parts of a service may differ, in milliseconds. */
const tolerance = 2_000;

export const createSearch = (reads: Reads, time: Time): Search => {
  const indexes = new Map<string, Promise<Index>>();
  const claimed = new Set<number>();
  const shared = createSharedWork<readonly NotesRead[]>();

  const indexOf = ({ place, signal }: NoteRequest): Promise<Index> => {
    const known = indexes.get(place.noteable);
    if (known) return known;
    const scan = scanned(reads, place, signal);
    indexes.set(place.noteable, scan);
    scan.catch(() => indexes.delete(place.noteable));
    return scan;
  };

  /** Reads pages until one has notes that are too old. */
  const recent = async (wanted: NoteRequest, isTooOld: (read: NotesRead) => boolean): Promise<readonly NotesRead[]> => {
    const pages: NotesRead[] = [];
    for await (const page of reads.newest(wanted.place, wanted.signal)) {
      pages.push(page);
      if (!wanted.isBackdated && isTooOld(page)) break;
    }
    return pages;
  };

  /** @param start when the call began, by the local clock; only the time since then is used */
  const since = ({ date }: NotesRead, start: number): number | null =>
    date === null ? null : date - (time.now() - start) - tolerance;

  const keyedCopies = async (wanted: NoteRequest): Promise<readonly FoundNote[]> => {
    const index = await indexOf(wanted);
    const owner = await reads.owner(wanted.signal);
    const { noteable, makes, path } = wanted.place;
    const pages = await shared([noteable, makes, path['discussion_id'], wanted.isBackdated].join(' '), async () => {
      // What follows a known note is in the index. Concurrent notes become visible in any order, hence the margin.
      const known = index.seenBy(makes);
      let count = 0;
      const isKnown = ({ found, oldest }: NotesRead) => {
        count += found.length;
        return oldest !== null && count >= margin && found.some(({ note }) => known(note.id));
      };
      const read = await recent({ ...wanted, signal: undefined }, isKnown);
      for (const { found } of read) addTo(index, found, owner, makes);
      return read;
    });
    const identity = identityOf(wanted.marker!);
    const isCopy = ({ note }: FoundNote) => note.author.id === owner && identityIn(note) === identity;
    const read = pages.flatMap(({ found }) => found).filter(isCopy);
    return [...index.byIdentity.get(identity)?.values() ?? [], ...read];
  };

  const markedCopies = async (wanted: NoteRequest, start: number): Promise<readonly FoundNote[]> => {
    const identity = identityOf(wanted.marker!);
    const pages = await recent(wanted, (page) => isBefore(page.oldest, since(page, start)));
    return pages.flatMap(({ found }) => found).filter(({ note }) => identityIn(note) === identity);
  };

  const similarCopies = async (wanted: NoteRequest, start: number): Promise<readonly FoundNote[]> => {
    const owner = await reads.owner(wanted.signal);
    const pages = await recent(wanted, (page) => isBefore(page.oldest, since(page, start)));
    if (pages.some(({ date }) => date === null)) throw new Error('the service sends no dates');
    return pages.flatMap((page) => page.found.filter((one) => !claimed.has(one.note.id)
      && isRecent(wanted, one.note, since(page, start)) && looksLike(wanted, one, owner)));
  };

  return {
    copies: async (wanted, start) => {
      const { marker, isKeyed } = wanted;
      const find = marker === null ? similarCopies : isKeyed ? keyedCopies : markedCopies;
      return lowestFirst(await find(wanted, start));
    },
    earlier: async (wanted) => {
      const index = await indexOf(wanted);
      return lowestFirst([...index.byIdentity.get(identityOf(wanted.marker!))?.values() ?? []]);
    },
    threadOf: async (wanted, { id }) => {
      for await (const { found } of reads.all(wanted.place, wanted.signal)) {
        const thread = found.find(({ note }) => note.id === id)?.discussion;
        if (thread) return thread;
      }
      throw new Error(`note ${id} is in no thread`);
    },
    claim: ({ place, marker }, one) => {
      claimed.add(one.note.id);
      if (marker !== null) void indexes.get(place.noteable)?.then((index) => add(index, identityOf(marker), one));
    },
    forget: ({ place, marker }, { note }) => {
      if (marker === null) return;
      void indexes.get(place.noteable)?.then(({ byIdentity }) => byIdentity.get(identityOf(marker))?.delete(note.id));
    },
  };
};

const scanned = async (reads: Reads, place: NoteRequest['place'], signal?: AbortSignal): Promise<Index> => {
  const owner = await reads.owner(signal);
  const seen: Index['seen'] = new Map();
  const seenBy: Index['seenBy'] = (kind) => (id) => seen.get('all')?.has(id) || seen.get(kind)?.has(id) || false;
  const index: Index = { byIdentity: new Map(), seen, seenBy };
  for await (const { found } of reads.all(place, signal)) addTo(index, found, owner, 'all');
  return index;
};

const addTo = (index: Index, found: readonly FoundNote[], owner: number, kind: string): void => {
  const ids = index.seen.get(kind) ?? new Set<number>();
  index.seen.set(kind, ids);
  for (const one of found) {
    ids.add(one.note.id);
    const identity = one.note.author.id === owner ? identityIn(one.note) : null;
    if (identity !== null) add(index, identity, one);
  }
};

const add = ({ byIdentity }: Index, identity: string, one: FoundNote): void => {
  const notes = byIdentity.get(identity) ?? new Map<number, FoundNote>();
  byIdentity.set(identity, notes.set(one.note.id, one));
};

const isBefore = (time: number | null, limit: number | null): boolean =>
  time !== null && limit !== null && time < limit;

/** A backdated note may have the given time instead. */
const isRecent = (
  { params, isBackdated }: NoteRequest, { created_at: created }: Note, since: number | null,
): boolean => {
  const at = Date.parse(created);
  return since !== null && (at >= since || isBackdated && at === Date.parse(String(params['created_at'])));
};

const lowestFirst = (found: readonly FoundNote[]): readonly FoundNote[] =>
  [...new Map(found.map((one) => [one.note.id, one])).values()]
    .toSorted((one, other) => one.note.id - other.note.id);
