import type { Note } from '../../contract/shapes/note.js';
import type { CreatedAtFlag } from '../flags/created-at.js';
import type { Target } from '../refs/target.js';

/** Adds a note to a thread. */
export const reply = (
  { client, kind, path }: Target, discussion_id: string, body: string, { createdAt }: CreatedAtFlag,
): Promise<Note> =>
  client.discussions[kind].addNote({ ...path, discussion_id, body, created_at: createdAt });
