import { ApiError, ResponseError } from '../../../client/errors.js';
import type { MarkedNotes } from '../../../client/exactly-once/known-notes.js';
import type { Client } from '../../../client/methods.js';
import type { Note } from '../../../contract/shapes/note.js';
import { isUnknownRoute } from '../../../wire/error-response.js';
import {
  isQuickActionsOnly, isStoredAs, readMarker, withEditedText, withoutMarkers, withSectionsFrom,
} from '../../../wire/note-text.js';
import { Problem, usage } from '../../command-line/failure.js';
import { currentUser, nullIf, nullIfMissing } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';
import { type NamedNote, noteIn } from '../../service/targets/threads.js';

/** @throws Problem if the service does not report the user of the token: then any note could be somebody else's */
export const earlierNotes = async (
  target: Target, what: string, authors?: readonly string[],
): Promise<MarkedNotes> => {
  const found = await nullIf(target.client.markedNotes(target, authors), (error) => error instanceof ApiError
    && isUnknownRoute(error.status, error.body) && / \S+\/user$/.test(error.request));
  if (found) return found;
  throw usage(`cannot find the earlier ${what} on ${target.name}: the service does not report the user of the token`,
    'use a service with GET /user');
};

/**
 * @param opened the text that an editor began with; the note is read again to compare it
 * @throws Problem for a text that stays as it was, and for a note that was changed since the editor opened
 */
export const changeText = async (found: NamedNote, body: string, opened?: string): Promise<Note> => {
  const { target, path, name } = found;
  const known = opened === undefined ? found.note : null;
  // The service changes a note in whatever thread the path names (behavior: notes.thread-unchecked).
  const before = (known ?? await nullIfMissing(noteIn(found)))?.body;
  if (opened !== undefined && before !== undefined && readMarker(before).text !== opened) {
    throw new Problem('failure', `${name} was changed while the editor was open; nothing was sent`,
      `see its new text with \`colloquy discussions get ${target.name} ${path.note_id}\`\n`
      + 'run again with -e --recover to continue with yours');
  }
  const marked = withMarkerOf(before, body);
  const note = await target.client.discussions[target.kind].modifyNote({ ...path, body: marked });
  if (note.body !== before || isStoredAs(marked, note.body)) return note;
  throw new Problem('failure', `the service left the text of ${name} as it was`);
};

/** Blank texts and quick actions go to the service as they are. */
const withMarkerOf = (before: string | undefined, given: string): string => {
  const text = withSectionsFrom(before ?? '', withoutMarkers(given));
  return text.trim() === '' || isQuickActionsOnly(text) ? text : withEditedText(before ?? '', text);
};

export const tokenOwner = (client: Client): Promise<{ readonly id: number } | null> =>
  nullIf(currentUser(client), (error) => error instanceof ApiError || error instanceof ResponseError);
