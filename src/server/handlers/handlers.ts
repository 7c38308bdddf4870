import type { OperationHandlers } from '../api/context.js';
import { appearanceHandlers } from './appearance/handlers.js';
import { awardEmojiHandlers } from './award-emoji.js';
import { discussionHandlers, noteHandlers, threadNoteHandlers } from './discussions/handlers.js';
import { draftNoteHandlers } from './draft-notes.js';
import { epicHandlers } from './epics.js';
import { hookHandlers } from './hooks.js';
import { issueHandlers, mergeRequestHandlers } from './issuables/handlers.js';
import { commitLookups } from './lookups/commits.js';
import { containerLookups } from './lookups/containers.js';
import { fileLookups } from './lookups/files.js';
import { issuableLookups } from './lookups/issuables.js';
import { mergeRequestLookups } from './lookups/merge-requests.js';
import { userLookups } from './lookups/users.js';
import { suggestionHandlers } from './suggestions.js';

export const handlers: OperationHandlers = {
  discussions: discussionHandlers,
  appearance: appearanceHandlers,
  epics: epicHandlers,
  lookups: {
    ...userLookups, ...containerLookups, ...fileLookups, ...issuableLookups, ...mergeRequestLookups, ...commitLookups,
  },
  notes: noteHandlers,
  discussionNotes: threadNoteHandlers,
  draftNotes: draftNoteHandlers,
  awardEmoji: awardEmojiHandlers,
  hooks: hookHandlers,
  issues: issueHandlers,
  mergeRequests: mergeRequestHandlers,
  suggestions: suggestionHandlers,
};
