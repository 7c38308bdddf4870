import { ApiError, NoResultError } from '../../../client/errors.js';
import { readMarkedNotes, type MarkedNote, type MarkedNotes } from '../../../client/exactly-once/marked-notes.js';
import { isUnknownRoute } from '../../../wire/error-body.js';
import { usage } from '../../command-line/errors/failure.js';
import type { Target } from '../../service/targets/target.js';

/**
 * The notes that earlier runs left on a noteable.
 * @param what as the message names them: `comment`
 * @param authors usernames whose notes count besides those of the token's user
 * @throws Problem if the service does not report the user of the token: then any note could be somebody else's
 */
export const earlierNotes = async (
  { client, kind, path, name }: Target, what: string, authors?: readonly string[],
): Promise<MarkedNotes> => {
  try {
    return await readMarkedNotes(client, kind, path, authors);
  } catch (error) {
    if (!(error instanceof ApiError && isUnknownRoute(error.status, error.body) && / \S+\/user$/.test(error.request))) {
      throw error;
    }
    throw usage(`cannot find the earlier ${what} on ${name}: the service does not report the user of the token`,
      'use a service with GET /user');
  }
};

/** Deletes a note, which may be deleted already. */
export const removeEarlier = async (
  { client, kind, path }: Target, { note, discussion }: Pick<MarkedNote, 'note' | 'discussion'>,
): Promise<void> => {
  try {
    await client.discussions[kind].deleteNote({ ...path, discussion_id: discussion.id, note_id: note.id });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
};

/** Whether an error means that the note does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof NoResultError || (error instanceof ApiError && error.status === 404);
