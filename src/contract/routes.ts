import { contract, type EndpointTree, everyEndpoint } from './contract.js';
import type { Endpoint } from './endpoint.js';

/** A path of an operation. */
export interface Route extends Pick<Endpoint, 'method' | 'since'> {
  /** The operation, as in `NamedEndpoint`. */
  readonly name: string;
  /** Below `/api/v4`, with parameters as `:name`. */
  readonly path: string;
  /** Whether a live service does not have the path. */
  readonly isDocumentedOnly: boolean;
}

/**
 * All paths of the contract, in its order. The build writes them as data: to route a request, a server needs no shapes
 * of other operations.
 */
export const routes: readonly Route[] = everyEndpoint().flatMap(({ name, endpoint }) =>
  endpoint.paths.map((path): Route => ({
    name, method: endpoint.method, path, isDocumentedOnly: endpoint.documentedOnly?.includes(path) ?? false,
    ...endpoint.since !== undefined && { since: endpoint.since },
  })));

/** @param name of a route */
export const endpointNamed = (name: string): Endpoint =>
  name.split('.').reduce<Endpoint | EndpointTree>((tree, part) => (tree as EndpointTree)[part]!, contract) as Endpoint;
