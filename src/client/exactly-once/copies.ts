import type { Note } from '../../contract/shapes/note.js';
import { isAsWritten, readMarker } from '../../wire/marker.js';
import { isStoredAs } from '../../wire/note-text.js';
import { isAnswered } from './note-request.js';
import type { FoundNote } from './reads.js';

/**
 * Whether a note may be deleted as a copy of another: nobody answered it, and its text is as a program wrote it, or is
 * that of the other note. A person may paste a note with its marker below a text of their own.
 * @param isAnswer whether a later note of its thread is an answer; all but system notes by default
 */
export const isSurplus = (
  copy: FoundNote, kept: Pick<Note, 'body'>, isAnswer?: (later: Note) => boolean,
): boolean => !isAnswered(copy, isAnswer)
  && (isAsWritten(copy.note.body) === true || hasSameText(copy.note, kept));

const hasSameText = (one: Pick<Note, 'body'>, other: Pick<Note, 'body'>): boolean =>
  isStoredAs(readMarker(one.body).text, readMarker(other.body).text);
