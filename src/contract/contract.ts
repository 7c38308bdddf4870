import { appearance } from './appearance.js';
import { discussions } from './discussions.js';
import type { Contract } from './operations.js';
import type { Endpoint } from './endpoint.js';
import { epics } from './epics.js';
import { hooks } from './hooks.js';
import { awardEmoji } from './lookups/award-emoji.js';
import { draftNotes } from './lookups/draft-notes.js';
import { issues, mergeRequests, suggestions } from './lookups/issuables.js';
import { lookups } from './lookups/lookups.js';
import { discussionNotes, notes } from './lookups/notes.js';

/** The client, routes, validation, OpenAPI and the reference use this tree. */
export const contract: Contract = {
  discussions, appearance, epics, lookups, notes, discussionNotes, draftNotes, awardEmoji, hooks,
  issues, mergeRequests, suggestions,
};

export interface EndpointTree { readonly [name: string]: Endpoint | EndpointTree }

/** An endpoint with its place in the contract. */
export interface NamedEndpoint {
  /** The name of the method without `client.`: `discussions.issue.list`. */
  readonly name: string;
  /** The leaf of the contract with this name. */
  readonly endpoint: Endpoint;
}

export const isEndpoint = (node: Endpoint | EndpointTree): node is Endpoint => typeof node.method === 'string';

/** All endpoints of the contract, in the order of declaration. */
export const everyEndpoint = (): NamedEndpoint[] => endpointsIn(contract, '');

const endpointsIn = (tree: EndpointTree, prefix: string): NamedEndpoint[] =>
  Object.entries(tree).flatMap(([key, node]) =>
    isEndpoint(node) ? [{ name: prefix + key, endpoint: node }] : endpointsIn(node, `${prefix}${key}.`));
