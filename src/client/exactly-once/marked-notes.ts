import type { NoteableKind } from '../../contract/noteables.js';
import type { Discussion, Note } from '../../contract/shapes/note.js';
import { isAsWritten, readMarker, type Marker } from '../../wire/marker.js';
import { isStoredAs } from '../../wire/note-text.js';
import type { Client } from '../methods.js';
import type { FoundNote } from './reads.js';

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

/** What programs wrote on a noteable. */
export interface MarkedNotes {
  /** The id of the token's user. */
  readonly owner: number;
  readonly notes: readonly MarkedNote[];
}

/** The path parameters of a noteable. */
export interface NoteablePath { readonly id: string; readonly noteable_id: string }

/**
 * Finds the marked notes of the token's user on a noteable: all pages are read.
 * @param authors usernames, in any case, whose notes count too
 * @throws ApiError also if the service does not report the user of the token
 */
export const readMarkedNotes = async (
  client: Client, kind: NoteableKind, path: NoteablePath, authors: readonly string[] = [],
): Promise<MarkedNotes> => {
  const [{ id: owner }, threads] = await Promise.all([
    client.lookups.user({}), client.discussions[kind].list(path).all(),
  ]);
  const names = new Set(authors.map((name) => name.toLowerCase()));
  const isOwn = ({ system, author }: Note) =>
    !system && (author.id === owner || names.has(author.username.toLowerCase()));
  return { owner, notes: threads.flatMap((thread) =>
    thread.notes.filter(isOwn).flatMap((note) => markedNote(note, thread) ?? [])) };
};

/** A note and its marker; null without one. */
export const markedNote = (note: Note, discussion: Discussion): MarkedNote | null => {
  const { text, marker, isVisible } = readMarker(note.body);
  return marker && { note, discussion, marker, text, isVisible, isAsWritten: isAsWritten(note.body) };
};

/**
 * The first answer to a note that starts a thread; null without one.
 * @param isAnswer whether a later note counts; all but system notes by default
 */
export const answerTo = (
  { note, discussion }: Pick<MarkedNote, 'note' | 'discussion'>, isAnswer: (later: Note) => boolean = isNoSystemNote,
): Note | null => {
  const [first, ...others] = discussion.notes;
  return first?.id === note.id ? others.find(isAnswer) ?? null : null;
};

const isNoSystemNote = ({ system }: Note): boolean => !system;

/** Whether somebody answered a note. @param isAnswer as for `answerTo` */
export const isAnswered = ({ note, discussion }: FoundNote, isAnswer?: (later: Note) => boolean): boolean =>
  // An answer turns a single comment into a thread (wire-facts 4.8.2).
  discussion === null ? note.type !== null : answerTo({ note, discussion }, isAnswer) !== null;

/**
 * Whether a note may be deleted as a copy of another: nobody answered it, and its text is as a program wrote it, or is
 * that of the other note. A person may paste a note with its marker below a text of their own.
 * @param isAnswer as for `answerTo`
 */
export const isSurplus = (
  copy: FoundNote, kept: Pick<Note, 'body'>, isAnswer?: (later: Note) => boolean,
): boolean => !isAnswered(copy, isAnswer)
  && (isAsWritten(copy.note.body) === true || hasSameText(copy.note, kept));

const hasSameText = (one: Pick<Note, 'body'>, other: Pick<Note, 'body'>): boolean =>
  isStoredAs(readMarker(one.body).text, readMarker(other.body).text);
