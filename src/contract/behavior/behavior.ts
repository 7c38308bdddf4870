import { everyEndpoint, type NamedEndpoint } from '../contract.js';
import { pathNames } from '../endpoint.js';
import { appearanceFacts } from './appearance.js';
import { awardFacts, discussionFacts, noteFacts, replyFacts, resolvingFacts } from './notes.js';
import { epicFacts } from './epics.js';
import type { Fact } from './fact.js';
import { hookFacts } from './hooks.js';
import { lookupFacts } from './lookups.js';
import { changeFacts, draftFacts, pushFacts, suggestionFacts } from './merge-requests.js';
import { authenticationFacts, errorFacts, paginationFacts, parameterFacts } from './parameters.js';
import { positionFacts } from './positions.js';
import { accessFacts, limitFacts, requestFacts } from './requests.js';

/** Operations that no check calls: their effect lasts, or they show where webhooks lead. */
const uncalled = /^(hooks\.|issues\.|suggestions\.|mergeRequests\.(approve|unapprove)$)/;

/** Only the caller knows the other values, such as the path of a file. */
const isKnown = ({ endpoint: { method, params, paths } }: NamedEndpoint): boolean => {
  const names = pathNames(paths[0]);
  return method !== 'GET' || !names.includes('file_path')
    && Object.entries(params).every(([name, { required }]) => !required || names.includes(name));
};

export const shapedEndpoints: readonly NamedEndpoint[] =
  everyEndpoint().filter((one) => !uncalled.test(one.name) && isKnown(one));

export const shapeFacts: readonly Fact[] = shapedEndpoints.map(({ name, endpoint: { since, companion } }) => ({
  id: `shape.${name}`, area: 'shapes',
  text: `A response to \`${name}\` has the keys, types and headers of the contract.`,
  source: companion ? 'observed' : 'documented',
  dialects: ['document', 'live'], from: since ?? null, to: null, tier: null,
}));

const facts = {
  ...requestFacts, ...authenticationFacts, ...errorFacts, ...parameterFacts, ...paginationFacts, ...limitFacts,
  ...accessFacts, ...discussionFacts, ...noteFacts, ...awardFacts, ...replyFacts, ...resolvingFacts, ...positionFacts,
  ...pushFacts, ...suggestionFacts, ...draftFacts, ...lookupFacts, ...changeFacts, ...appearanceFacts, ...epicFacts,
  ...hookFacts,
};

export type FactId = keyof typeof facts;

/** Everything that the service does, as far as this program depends on it, each fact once. */
export const behavior: readonly Fact[] = Object.values(facts);

/** Facts about shapes follow from the contract, and are not in `behavior`. */
export const factWithId = (id: FactId | `shape.${string}`): Fact =>
  id in facts ? facts[id as FactId] : shapeFacts.find((fact) => fact.id === id)!;
