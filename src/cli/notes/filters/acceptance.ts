import type { Discussion } from '../../../contract/shapes/note.js';
import type { User } from '../../../contract/shapes/scalars.js';
import { resolvedNote } from '../views/cells.js';

/** Null where the service does not name the user, and without an id, by which users are compared. */
export const resolverOf = (thread: Discussion): User | null => {
  const resolver = resolvedNote(thread)?.resolved_by ?? null;
  return typeof (resolver?.id as unknown) === 'number' ? resolver : null;
};
