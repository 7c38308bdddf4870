import { ApiError, ResponseError } from '../../../client/errors.js';
import type { MarkedNotes } from '../../../client/exactly-once/known-notes.js';
import type { Client } from '../../../client/methods.js';
import type { Note } from '../../../contract/shapes/note.js';
import { isUnknownRoute } from '../../../wire/error-response.js';
import {
  isQuickActionsOnly, isStoredAs, withEditedText, withoutMarkers, withSectionsFrom,
} from '../../../wire/note-text.js';
import { Problem, usage } from '../../command-line/failure.js';
import { nullIfMissing } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';
import { type NamedNote, noteIn } from '../../service/targets/threads.js';

/** @throws Problem if the service does not report the user of the token: then any note could be somebody else's */
export const earlierNotes = async (
  target: Target, what: string, authors?: readonly string[],
): Promise<MarkedNotes> => {
  try {
    return await target.client.markedNotes(target, authors);
  } catch (error) {
    if (!(error instanceof ApiError && isUnknownRoute(error.status, error.body) && / \S+\/user$/.test(error.request))) {
      throw error;
    }
    throw usage(`cannot find the earlier ${what} on ${target.name}: the service does not report the user of the token`,
      'use a service with GET /user');
  }
};

/** @throws Problem for a text that stays as it was */
export const changeText = async (found: NamedNote, body: string): Promise<Note> => {
  const { target: { client, kind }, path, name } = found;
  // The service changes a note in whatever thread the path names (behavior: notes.thread-unchecked).
  const before = (found.note ?? await nullIfMissing(noteIn(found)))?.body;
  const marked = withMarkerOf(before, body);
  const note = await client.discussions[kind].modifyNote({ ...path, body: marked });
  if (note.body !== before || isStoredAs(marked, note.body)) return note;
  throw new Problem('failure', `the service left the text of ${name} as it was`);
};

/** Blank texts and quick actions go to the service as they are. */
const withMarkerOf = (before: string | undefined, given: string): string => {
  const text = withSectionsFrom(before ?? '', withoutMarkers(given));
  return text.trim() === '' || isQuickActionsOnly(text) ? text : withEditedText(before ?? '', text);
};

export const tokenOwner = (client: Client): Promise<{ readonly id: number } | null> =>
  client.lookups.user().catch((error: unknown) => {
    if (error instanceof ApiError || error instanceof ResponseError) return null;
    throw error;
  });
