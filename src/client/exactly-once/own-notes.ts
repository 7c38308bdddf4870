import type { NoteableKind } from '../../contract/noteables.js';
import type { Discussion, Note } from '../../contract/shapes/note.js';
import { isAsWritten, readMarker, type Marker } from '../../wire/marker.js';
import type { Client } from '../methods.js';

/** A note with a marker. */
export interface MarkedNote {
  readonly note: Note;
  readonly discussion: Discussion;
  readonly marker: Marker;
  /** The text without the marker. */
  readonly text: string;
  /** Whether nobody has changed the text since a program wrote it; null if that is not known. */
  readonly isAsWritten: boolean | null;
  /** Whether the marker is a visible line. */
  readonly isVisible: boolean;
}

/** Which notes to find. */
export interface MarkedNotesQuery {
  readonly key: string;
  /** The usernames, in any case, whose notes count besides those of the token's user. */
  readonly authors?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** The path parameters of a noteable. */
export interface NoteablePath { readonly id: string; readonly noteable_id: string }

/**
 * Finds the notes with a key on a noteable, the lowest id first: all pages are read, and only notes of the token's user
 * and the given authors count.
 * @throws ApiError also if the service does not report the user of the token
 */
export const findMarkedNotes = async (
  client: Client, kind: NoteableKind, path: NoteablePath, { key, authors = [], signal }: MarkedNotesQuery,
): Promise<MarkedNote[]> => {
  const [{ id }, threads] = await Promise.all([
    client.lookups.user({}, { signal }), client.discussions[kind].list(path, { signal }).all(),
  ]);
  const names = new Set(authors.map((name) => name.toLowerCase()));
  const isOwn = ({ system, author }: Note) =>
    !system && (author.id === id || names.has(author.username.toLowerCase()));
  return threads.flatMap((discussion) => discussion.notes.filter(isOwn).flatMap((note) => {
    const marked = markedNote(note, discussion);
    return marked?.marker['key'] === key ? [marked] : [];
  })).toSorted((one, other) => one.note.id - other.note.id);
};

/** A note and its marker; null without one. */
export const markedNote = (note: Note, discussion: Discussion): MarkedNote | null => {
  const { text, marker, isVisible } = readMarker(note.body);
  return marker && { note, discussion, marker, text, isVisible, isAsWritten: isAsWritten(note.body) };
};
