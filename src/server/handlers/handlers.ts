import type { HandlerAreas } from '../api/context.js';

/** A server is ready sooner without the areas that nobody asks for. */
export const handlers: HandlerAreas = {
  discussions: async () => (await import('./discussions/handlers.js')).discussionHandlers,
  appearance: async () => (await import('./appearance/handlers.js')).appearanceHandlers,
  epics: async () => (await import('./epics.js')).epicHandlers,
  lookups: async () => ({
    ...(await import('./lookups/users.js')).userLookups,
    ...(await import('./lookups/containers.js')).containerLookups,
    ...(await import('./lookups/files.js')).fileLookups,
    ...(await import('./lookups/issuables.js')).issuableLookups,
    ...(await import('./lookups/merge-requests.js')).mergeRequestLookups,
    ...(await import('./lookups/commits.js')).commitLookups,
  }),
  notes: async () => (await import('./discussions/handlers.js')).noteHandlers,
  discussionNotes: async () => (await import('./discussions/handlers.js')).threadNoteHandlers,
  draftNotes: async () => (await import('./draft-notes.js')).draftNoteHandlers,
  awardEmoji: async () => (await import('./award-emoji.js')).awardEmojiHandlers,
  hooks: async () => (await import('./hooks.js')).hookHandlers,
  issues: async () => (await import('./issuables/handlers.js')).issueHandlers,
  mergeRequests: async () => (await import('./issuables/handlers.js')).mergeRequestHandlers,
  suggestions: async () => (await import('./suggestions.js')).suggestionHandlers,
};
