import type { Discussion, Note } from '../../contract/shapes/note.js';
import type { Time } from '../time.js';
import { identityIn, identityOf, looksLike, type Job } from './note-request.js';
import type { Place } from './place.js';
import type { NotesRead, Reads, Sighting } from './reads.js';
import { createShared } from './queues.js';

/** Finds the notes that earlier attempts and earlier runs created. */
export interface Search {
  /**
   * The copies of a note that this run or a concurrent one created, the lowest id first.
   * @param start when the call began, by the local clock
   */
  readonly copies: (job: Job, start: number) => Promise<readonly Sighting[]>;
  /** The notes with the key of a job. All pages are read once for all keys of a noteable. */
  readonly earlier: (job: Job) => Promise<readonly Sighting[]>;
  /** The thread of a note. */
  readonly threadOf: (job: Job, note: Note) => Promise<Discussion>;
  /** Marks a note as the result of a call: it is not the result of a call with another key. */
  readonly claim: (job: Job, sighting: Sighting) => void;
  /** Removes a deleted note. */
  readonly forget: (job: Job, sighting: Sighting) => void;
}

/** The marked notes of the token's user on a noteable. */
interface Index {
  readonly byIdentity: Map<string, Map<number, Sighting>>;
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
  const shared = createShared<readonly NotesRead[]>();

  const indexOf = ({ place, signal }: Job): Promise<Index> => {
    const known = indexes.get(place.noteable);
    if (known) return known;
    const scan = scanned(reads, place, signal);
    indexes.set(place.noteable, scan);
    scan.catch(() => indexes.delete(place.noteable));
    return scan;
  };

  /** Reads pages until one has notes that are too old. */
  const recent = async (job: Job, isTooOld: (read: NotesRead) => boolean): Promise<readonly NotesRead[]> => {
    const pages: NotesRead[] = [];
    for await (const page of reads.newest(job.place, job.signal)) {
      pages.push(page);
      if (!job.isBackdated && isTooOld(page)) break;
    }
    return pages;
  };

  /** @param start when the call began, by the local clock; only the time since then is used */
  const since = ({ date }: NotesRead, start: number): number | null =>
    date === null ? null : date - (time.now() - start) - tolerance;

  const keyedCopies = async (job: Job): Promise<readonly Sighting[]> => {
    const index = await indexOf(job);
    const owner = await reads.owner(job.signal);
    const { noteable, makes, path } = job.place;
    const pages = await shared([noteable, makes, path['discussion_id'], job.isBackdated].join(' '), async () => {
      // What follows a known note is in the index. Concurrent notes become visible in any order, hence the margin.
      const known = index.seenBy(makes);
      let count = 0;
      const isKnown = ({ sightings, oldest }: NotesRead) => {
        count += sightings.length;
        return oldest !== null && count >= margin && sightings.some(({ note }) => known(note.id));
      };
      const read = await recent({ ...job, signal: undefined }, isKnown);
      for (const { sightings } of read) addTo(index, sightings, owner, makes);
      return read;
    });
    const identity = identityOf(job.marker!);
    const isCopy = ({ note }: Sighting) => note.author.id === owner && identityIn(note) === identity;
    const read = pages.flatMap(({ sightings }) => sightings).filter(isCopy);
    return [...index.byIdentity.get(identity)?.values() ?? [], ...read];
  };

  const markedCopies = async (job: Job, start: number): Promise<readonly Sighting[]> => {
    const identity = identityOf(job.marker!);
    const pages = await recent(job, (page) => isBefore(page.oldest, since(page, start)));
    return pages.flatMap(({ sightings }) => sightings).filter(({ note }) => identityIn(note) === identity);
  };

  const similarCopies = async (job: Job, start: number): Promise<readonly Sighting[]> => {
    const owner = await reads.owner(job.signal);
    const pages = await recent(job, (page) => isBefore(page.oldest, since(page, start)));
    if (pages.some(({ date }) => date === null)) throw new Error('the service sends no dates');
    return pages.flatMap((page) => page.sightings.filter((sighting) => !claimed.has(sighting.note.id)
      && isRecent(job, sighting.note, since(page, start)) && looksLike(job, sighting, owner)));
  };

  return {
    copies: async (job, start) => {
      const { marker, isKeyed } = job;
      const find = marker === null ? similarCopies : isKeyed ? keyedCopies : markedCopies;
      return lowestFirst(await find(job, start));
    },
    earlier: async (job) => {
      const index = await indexOf(job);
      return lowestFirst([...index.byIdentity.get(identityOf(job.marker!))?.values() ?? []]);
    },
    threadOf: async (job, { id }) => {
      for await (const { sightings } of reads.all(job.place, job.signal)) {
        const found = sightings.find(({ note }) => note.id === id)?.discussion;
        if (found) return found;
      }
      throw new Error(`note ${id} is in no thread`);
    },
    claim: ({ place, marker }, sighting) => {
      claimed.add(sighting.note.id);
      if (marker !== null) void indexes.get(place.noteable)?.then((index) => add(index, identityOf(marker), sighting));
    },
    forget: ({ place, marker }, { note }) => {
      if (marker === null) return;
      void indexes.get(place.noteable)?.then(({ byIdentity }) => byIdentity.get(identityOf(marker))?.delete(note.id));
    },
  };
};

const scanned = async (reads: Reads, place: Job['place'], signal?: AbortSignal): Promise<Index> => {
  const owner = await reads.owner(signal);
  const seen: Index['seen'] = new Map();
  const seenBy: Index['seenBy'] = (kind) => (id) => seen.get('all')?.has(id) || seen.get(kind)?.has(id) || false;
  const index: Index = { byIdentity: new Map(), seen, seenBy };
  for await (const { sightings } of reads.all(place, signal)) addTo(index, sightings, owner, 'all');
  return index;
};

const addTo = (index: Index, sightings: readonly Sighting[], owner: number, kind: string): void => {
  const ids = index.seen.get(kind) ?? new Set<number>();
  index.seen.set(kind, ids);
  for (const sighting of sightings) {
    ids.add(sighting.note.id);
    const identity = sighting.note.author.id === owner ? identityIn(sighting.note) : null;
    if (identity !== null) add(index, identity, sighting);
  }
};

const add = ({ byIdentity }: Index, identity: string, sighting: Sighting): void => {
  const notes = byIdentity.get(identity) ?? new Map<number, Sighting>();
  byIdentity.set(identity, notes.set(sighting.note.id, sighting));
};

const isBefore = (time: number | null, limit: number | null): boolean =>
  time !== null && limit !== null && time < limit;

/** A backdated note may have the given time instead. */
const isRecent = ({ params, isBackdated }: Job, { created_at: created }: Note, since: number | null): boolean => {
  const at = Date.parse(created);
  return since !== null && (at >= since || isBackdated && at === Date.parse(String(params['created_at'])));
};

const lowestFirst = (sightings: readonly Sighting[]): readonly Sighting[] =>
  [...new Map(sightings.map((sighting) => [sighting.note.id, sighting])).values()]
    .toSorted((one, other) => one.note.id - other.note.id);
