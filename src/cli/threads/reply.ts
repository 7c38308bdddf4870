import { ApiError } from '../../client/errors.js';
import type { Note } from '../../contract/shapes/note.js';
import type { CreatedAtFlag } from '../flags/created-at.js';
import type { Target } from '../refs/target.js';

/**
 * Adds a note to a thread. interface.md requires `note_id`, the id of a note of the thread; the service ignores it
 * (wire-facts 4.8.6), so it is looked up and sent only where a service asks for it.
 */
export const reply = async (
  { client, kind, path }: Target, discussion_id: string, body: string, { createdAt }: CreatedAtFlag,
): Promise<Note> => {
  const discussions = client.discussions[kind];
  const params = { ...path, discussion_id, body, created_at: createdAt };
  try {
    return await discussions.addNote(params);
  } catch (error) {
    if (!wantsNoteId(error)) throw error;
    const { notes: [first] } = await discussions.get({ ...path, discussion_id });
    if (!first) throw error;
    return discussions.addNote({ ...params, note_id: first.id });
  }
};

const wantsNoteId = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && /\bnote_id is missing\b/.test(error.words);
