import type { OperationHandlers } from '../api/context.js';
import { appearanceHandlers } from './appearance/handlers.js';
import { discussionHandlers, noteHandlers, threadNoteHandlers } from './discussions/handlers.js';
import { epicHandlers } from './epics/handlers.js';
import { lookupHandlers } from './lookups/handlers.js';

/** The handlers of every endpoint of the contract. */
export const handlers: OperationHandlers = {
  discussions: discussionHandlers,
  appearance: appearanceHandlers,
  epics: epicHandlers,
  lookups: lookupHandlers,
  notes: noteHandlers,
  discussionNotes: threadNoteHandlers,
};
