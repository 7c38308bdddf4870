import { appearanceBehaviours } from './appearance/behaviours.js';
import type { Behaviours } from './call.js';
import { discussionBehaviours, noteBehaviours, threadNoteBehaviours } from './discussions/behaviours.js';

/** What the server does, for every endpoint of the contract. */
export const behaviours: Behaviours = {
  discussions: discussionBehaviours,
  appearance: appearanceBehaviours,
  epics: {} as never,
  lookups: {} as never,
  notes: noteBehaviours,
  discussionNotes: threadNoteBehaviours,
};
