import { appearanceBehaviours } from './appearance/behaviours.js';
import type { Behaviours } from './call.js';
import { discussionBehaviours, noteBehaviours, threadNoteBehaviours } from './discussions/behaviours.js';
import { epicBehaviours } from './epics/behaviours.js';
import { lookupBehaviours } from './lookups/behaviours.js';

/** What the server does, for every endpoint of the contract. */
export const behaviours: Behaviours = {
  discussions: discussionBehaviours,
  appearance: appearanceBehaviours,
  epics: epicBehaviours,
  lookups: lookupBehaviours,
  notes: noteBehaviours,
  discussionNotes: threadNoteBehaviours,
};
