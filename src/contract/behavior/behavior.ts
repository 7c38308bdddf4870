import { accessFacts } from './access.js';
import { appearanceFacts } from './appearance.js';
import { authenticationFacts } from './authentication.js';
import { changeFacts } from './changes.js';
import { discussionFacts } from './discussions.js';
import { draftFacts } from './drafts.js';
import { epicFacts } from './epics.js';
import { errorFacts } from './errors.js';
import type { Fact } from './fact.js';
import { hookFacts } from './hooks.js';
import { limitFacts } from './limits.js';
import { lookupFacts } from './lookups.js';
import { noteFacts } from './notes.js';
import { paginationFacts } from './pagination.js';
import { parameterFacts } from './parameters.js';
import { positionFacts } from './positions.js';
import { pushFacts } from './pushes.js';
import { replyFacts } from './replies.js';
import { requestFacts } from './requests.js';
import { resolvingFacts } from './resolving.js';
import { shapeFacts, type ShapeFactId } from './shapes.js';
import { suggestionFacts } from './suggestions.js';

const facts = {
  ...requestFacts, ...authenticationFacts, ...errorFacts, ...parameterFacts, ...paginationFacts, ...limitFacts,
  ...accessFacts, ...discussionFacts, ...noteFacts, ...replyFacts, ...resolvingFacts, ...positionFacts,
  ...pushFacts, ...suggestionFacts, ...draftFacts, ...lookupFacts, ...changeFacts, ...appearanceFacts, ...epicFacts,
  ...hookFacts,
};

export type FactId = keyof typeof facts;

/** Everything that the service does, as far as this program depends on it, each fact once. */
export const behavior: readonly Fact[] = Object.values(facts);

/** Also for the facts about shapes, which follow from the contract and are not in `behavior`. */
export const factOf = (id: FactId | ShapeFactId): Fact =>
  id in facts ? facts[id as FactId] : shapeFacts.find((fact) => fact.id === id)!;
