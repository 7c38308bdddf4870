import type { appearance } from './appearance.js';
import type { discussions } from './discussions.js';
import type { epics } from './epics.js';
import type { hooks } from './hooks.js';
import type { awardEmoji } from './lookups/award-emoji.js';
import type { draftNotes } from './lookups/draft-notes.js';
import type { issues, mergeRequests, suggestions } from './lookups/issuables.js';
import type { lookups } from './lookups/lookups.js';
import type { discussionNotes, notes } from './lookups/notes.js';

/** The build derives the declaration of the package, with names for all parameters. */
export type Contract = {
  readonly discussions: typeof discussions;
  readonly appearance: typeof appearance;
  readonly epics: typeof epics;
  readonly lookups: typeof lookups;
  readonly notes: typeof notes;
  readonly discussionNotes: typeof discussionNotes;
  readonly draftNotes: typeof draftNotes;
  readonly awardEmoji: typeof awardEmoji;
  readonly hooks: typeof hooks;
  readonly issues: typeof issues;
  readonly mergeRequests: typeof mergeRequests;
  readonly suggestions: typeof suggestions;
};
