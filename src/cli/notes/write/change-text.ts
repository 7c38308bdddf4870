import type { Client } from '../../../client/methods.js';
import { ApiError, ResponseError } from '../../../client/errors.js';
import type { Note } from '../../../contract/shapes/note.js';
import { withEditedText, withoutMarkers, withSectionsOf } from '../../../wire/marker.js';
import { isQuickActionsOnly } from '../../../wire/note-text.js';
import { noteIn, type NamedNote } from '../../service/targets/threads.js';

/** The marker of the note stays. */
export const changeText = async (found: NamedNote, body: string): Promise<Note> => {
  const { target: { client, kind }, path } = found;
  const marked = withMarkerOf((found.note ?? await noteIn(found).catch(nullIfMissing))?.body, body);
  return client.discussions[kind].modifyNote({ ...path, body: marked });
};

/** A new text with the marker of the old one. Blank texts and quick actions go to the service as they are. */
const withMarkerOf = (before: string | undefined, given: string): string => {
  const text = withSectionsOf(before ?? '', withoutMarkers(given));
  return text.trim() === '' || isQuickActionsOnly(text) ? text : withEditedText(before ?? '', text);
};

/** Null if the service does not report it. */
export const tokenOwner = (client: Client): Promise<{ readonly id: number } | null> =>
  client.lookups.user({}).catch((error: unknown) => {
    if (error instanceof ApiError || error instanceof ResponseError) return null;
    throw error;
  });

/** The service changes a note in whatever thread the path names (behavior: notes.thread-unchecked). */
const nullIfMissing = (error: unknown): null => {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
};
