import type { Discussion } from '../../contract/shapes/note.js';
import { isAsWritten, readMarker, type Marker } from '../../wire/marker.js';
import { byId } from './copies.js';
import { identityIn } from './note-request.js';
import { noteableKey, type Noteable } from './place.js';
import type { createSharedWork } from './queues.js';
import type { FoundNote, Reads } from './reads.js';

/** A note with a marker. */
export interface MarkedNote extends FoundNote {
  readonly discussion: Discussion;
  readonly marker: Marker;
  readonly text: string;
  /** Whether nobody has changed the text since a program wrote it; null if that is not known. */
  readonly isAsWritten: boolean | null;
  readonly isVisible: boolean;
}

export interface MarkedNotes {
  /** The id of the token's user. */
  readonly owner: number;
  readonly notes: readonly MarkedNote[];
}

export const markedNote = ({ note, discussion }: FoundNote): MarkedNote | null => {
  const { text, marker, isVisible } = readMarker(note.body);
  return marker && discussion && { note, discussion, marker, text, isVisible, isAsWritten: isAsWritten(note.body) };
};

type NotesById = Map<number, FoundNote>;

/** The marked notes of a noteable. */
interface NoteIndex {
  /** The id of the token's user. */
  readonly owner: number;
  /** The notes of all users by their identity. */
  readonly byIdentity: Map<string, NotesById>;
  /** The ids of the notes that each kind of read has returned; those of all pages have the name `all`. */
  readonly seen: Map<string, Set<number>>;
}

export interface KnownNotes {
  readonly reads: Reads;
  readonly shared: ReturnType<typeof createSharedWork>;
  readonly indexes: Map<string, Promise<NoteIndex>>;
  /** The results of calls by noteable and identity: a replica that lags behind does not show them yet. */
  readonly results: Map<string, NotesById>;
}

/** Reads all pages of a noteable, in place of what is known of it. */
const refreshed = (
  { reads, indexes }: KnownNotes, noteable: Noteable, signal?: AbortSignal,
): Promise<NoteIndex> => {
  const [key, byIdentity, seen] = [noteableKey(noteable), new Map<string, NotesById>(), new Map<string, Set<number>>()];
  const notes = async () => addTo({ byIdentity, seen }, await reads.complete(noteable, signal), 'all');
  const index = Promise.all([reads.owner(signal), notes()]).then(([owner]) => ({ owner, byIdentity, seen }));
  indexes.set(key, index);
  index.catch(() => { if (indexes.get(key) === index) indexes.delete(key); });
  return index;
};

export const indexOf = (known: KnownNotes, noteable: Noteable, signal?: AbortSignal): Promise<NoteIndex> =>
  known.indexes.get(noteableKey(noteable)) ?? refreshed(known, noteable, signal);

/** Adds notes that were read. @param kind the kind of the read: another kind may not have them */
export const addTo = (
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

export const knownCopies = (
  { results }: KnownNotes, { owner, byIdentity }: NoteIndex, noteable: Noteable, identity: string,
): readonly FoundNote[] => [
  ...results.get(resultKey(noteable, identity))?.values() ?? [],
  ...[...byIdentity.get(identity)?.values() ?? []].filter(({ note }) => note.author.id === owner),
];

const resultKey = (noteable: Noteable, identity: string | null): string => `${noteableKey(noteable)} ${identity}`;

/** Adds the result of a call. @param identity null for a note that is recognized by its text */
export const addResult = (
  { results }: KnownNotes, noteable: Noteable, identity: string | null, one: FoundNote,
): void => addNote(results, resultKey(noteable, identity), one);

export const isResult = ({ results }: KnownNotes, noteable: Noteable, { note }: FoundNote): boolean =>
  results.get(resultKey(noteable, null))?.has(note.id) ?? false;

/** Deletes a note, which may be deleted already. */
export const removeNote = async (
  { reads, indexes, results }: KnownNotes, noteable: Noteable, one: FoundNote, signal?: AbortSignal,
): Promise<void> => {
  await reads.remove(noteable, one, signal);
  const identity = identityIn(one.note) ?? '';
  results.get(resultKey(noteable, identity))?.delete(one.note.id);
  const index = await indexes.get(noteableKey(noteable))?.catch(() => null);
  index?.byIdentity.get(identity)?.delete(one.note.id);
};

/** The marked notes of a noteable that users with these names or the token wrote. All pages are read. */
export const markedNotesOn = async (
  known: KnownNotes, noteable: Noteable, authors: readonly string[] = [], signal?: AbortSignal,
): Promise<MarkedNotes> => {
  const { owner, byIdentity } = await refreshed(known, noteable, signal);
  const names = new Set(authors.map((name) => name.toLowerCase()));
  const isOwn = ({ note: { author } }: FoundNote) => author.id === owner || names.has(author.username.toLowerCase());
  const found = [...byIdentity.values()].flatMap((notes) => [...notes.values()]).filter(isOwn);
  return { owner, notes: found.toSorted(byId).flatMap((one) => markedNote(one) ?? []) };
};
